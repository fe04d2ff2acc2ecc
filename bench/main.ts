import { cpus, loadavg, totalmem } from 'node:os';
import { Command } from 'commander';
import { benchAcceptance } from './accept.ts';
import { benchBacklog } from './backlog.ts';
import { benchCosts } from './costs.ts';
import type { Figure } from './figures.ts';
import { benchHostile } from './hostile.ts';
import { benchItems } from './items.ts';
import { benchLoud } from './loud.ts';
import { benchNeighbours } from './neighbours.ts';
import { benchSingle } from './single.ts';
import { type Stack, startStack } from './stack.ts';
import { benchThroughput } from './throughput.ts';
import { benchTracker } from './tracker.ts';
import { benchWorstPages } from './worst-pages.ts';

/** Subjects that run by default. Each gets a stack of web, worker and Postgres. */
const subjects: Record<string, (stack: Stack) => Promise<Figure[]>> = {
  accept: benchAcceptance,
  single: benchSingle,
  throughput: benchThroughput,
  backlog: benchBacklog,
  tracker: benchTracker,
};
interface Options {
  only: string;
  citus?: string;
  seconds: number;
  seed: number;
}
/**
 * Subjects that take minutes, so they run only if named. They start their own stacks and yield each figure when it is
 * measured.
 */
const onRequest: Record<string, (options: Options) => AsyncIterable<Figure>> = {
  costs: () => benchCosts(),
  items: ({ only, citus }) => benchItems(only, citus),
  neighbours: ({ only }) => benchNeighbours(only),
  loud: ({ only }) => benchLoud(only),
  hostile: ({ only }) => benchHostile(only),
  'worst-pages': ({ seconds, seed }) => benchWorstPages(seconds, seed),
};
const all = { ...subjects, ...onRequest };
const notByDefault = Object.keys(onRequest).join(', ');

const program = new Command('npm run bench --')
  .description('Measures Sonde against baselines on the same machine. Prints medians, spreads and limits.')
  .argument(
    '[subjects...]',
    `what to measure: ${Object.keys(all).join(', ')}; without arguments all but ${notByDefault}`,
  )
  .option('--only <text>', 'items, neighbours, loud, hostile: only kinds whose name contains this text', '')
  .option(
    '--citus <folder>',
    'items: run on a Citus cluster with the Postgres binaries in this folder (see npm run citus)',
  )
  .option('--seconds <count>', 'worst-pages: seconds to search', Number, 60)
  .option('--seed <number>', 'worst-pages: seed of the random search', Number, 1)
  .option('--strict', 'exit with 1 if a limit is not met')
  .showHelpAfterError()
  .parse();

const chosen = program.args.length > 0 ? program.args : Object.keys(subjects);
const unknown = chosen.find((name) => !all[name]);
if (unknown) program.error(`Unknown subject: ${unknown}. Choose from ${Object.keys(all).join(', ')}.`);

process.stdout.write(`${describeMachine()}\n`);
let areAllMet = true;
for (const name of chosen) {
  for await (const figure of measure(name)) {
    areAllMet &&= figure.isMet;
    process.stdout.write(`${describe(figure)}\n`);
  }
}
process.exitCode = program.opts().strict && !areAllMet ? 1 : 0;

async function* measure(name: string): AsyncGenerator<Figure> {
  const own = onRequest[name];
  if (own) {
    for await (const figure of own(program.opts()))
      yield { ...figure, value: `${figure.value}; load ${load()}` };
    return;
  }
  const stack = await startStack();
  try {
    yield* (await subjects[name]?.(stack)) ?? [];
  } finally {
    await stack.stop();
  }
}

function describe({ what, value, bar, isMet }: Figure): string {
  return `${bar === null ? ' ' : isMet ? '✔' : '✘'} ${what}: ${value}${bar === null ? '' : ` [${bar}]`}`;
}

function describeMachine(): string {
  const [first] = cpus();
  const gibibytes = Math.round(totalmem() / 1024 ** 3);
  const machine = `${cpus().length} cores (${first?.model.trim()}), ${gibibytes} GiB, load ${load()}`;
  return `${machine}, Node ${process.version}, Postgres 18 with fsync`;
}

/** Returns the load average of the last minute; it includes the bench. */
function load(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}
