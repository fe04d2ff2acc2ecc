import { cpus, loadavg, totalmem } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
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
import { benchWorstPages } from './worst-pages.ts';

/** Measured on one stack of web, worker and Postgres each; the default. */
const subjects: Record<string, (stack: Stack) => Promise<Figure[]>> = {
  accept: benchAcceptance,
  single: benchSingle,
  throughput: benchThroughput,
  backlog: benchBacklog,
};
interface Options {
  only: string;
  citus?: string;
  seconds: number;
  seed: number;
}
/** Take minutes and start their own stacks: measured only when named, and each figure printed as it comes. */
const onRequest: Record<string, (options: Options) => AsyncIterable<Figure>> = {
  costs: () => benchCosts(),
  items: ({ only, citus }) => benchItems(only, citus),
  neighbours: ({ only }) => benchNeighbours(only),
  loud: ({ only }) => benchLoud(only),
  hostile: ({ only }) => benchHostile(only),
  'worst-pages': ({ seconds, seed }) => benchWorstPages(seconds, seed),
};
const all = { ...subjects, ...onRequest };
const leftOut = Object.keys(onRequest).join(', ');

const program = new Command('npm run bench --')
  .description(
    'Measures Sonde against baselines in the same run on the same machine: medians, their spread, and the bar each must meet.',
  )
  .argument(
    '[subjects...]',
    `what to measure: ${Object.keys(all).join(', ')}; all but ${leftOut} when none is named`,
  )
  .option('--only <text>', 'of items, neighbours, loud and hostile, the kinds with this in their name', '')
  .option(
    '--citus <folder>',
    'of items, on a cluster, by the binaries of a Postgres that has Citus (npm run citus)',
  )
  .option('--seconds <count>', 'of worst-pages, how long it searches', Number, 60)
  .option('--seed <number>', 'of worst-pages, the same search again', Number, 1)
  .option('--strict', 'exit with 1 when a bar is not met')
  .showHelpAfterError()
  .parse();

const chosen = program.args.length > 0 ? program.args : Object.keys(subjects);
const unknown = chosen.find((name) => !all[name]);
if (unknown) program.error(`There is no subject ${unknown}.`);

process.stdout.write(`${machine()}\n${await othersNow()}\n`);
let areAllMet = true;
for (const name of chosen) {
  for await (const figure of figuresOf(name)) {
    areAllMet &&= figure.isMet;
    process.stdout.write(`${describe(figure)}\n`);
  }
}
process.exitCode = program.opts().strict && !areAllMet ? 1 : 0;

async function* figuresOf(name: string): AsyncGenerator<Figure> {
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

/** What the figures are measured on. */
function machine(): string {
  const [first] = cpus();
  const gibibytes = Math.round(totalmem() / 1024 ** 3);
  return `${cpus().length} cores (${first?.model.trim()}), ${gibibytes} GiB, Node ${process.version}, Postgres 18 with fsync`;
}

/** How busy others keep the machine before the bench does anything. */
async function othersNow(): Promise<string> {
  const spentMs = () => {
    const times = cpus().flatMap((core) => Object.entries(core.times));
    const sum = (of: typeof times) => of.reduce((total, [, ms]) => total + ms, 0);
    return { all: sum(times), idle: sum(times.filter(([what]) => what === 'idle')) };
  };
  const before = spentMs();
  await pause(2000);
  const after = spentMs();
  const idleShare = (after.idle - before.idle) / (after.all - before.all);
  return `before it began the cores were busy for ${Math.round(100 * (1 - idleShare))} % of two seconds, load ${load()}`;
}

/** How many processes wanted a core, on average of the last minute, those of the bench included. */
function load(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}
