import { Command } from 'commander';
import { benchAcceptance } from './accept.ts';
import { benchBacklog } from './backlog.ts';
import { benchCosts } from './costs.ts';
import { benchDashboard } from './dashboard.ts';
import type { Figure } from './figures.ts';
import { benchForgot } from './forgot.ts';
import { benchHostile } from './hostile.ts';
import { benchItems } from './items.ts';
import { benchLists } from './lists.ts';
import { benchLoud } from './loud.ts';
import { load, machine, othersNow } from './machine.ts';
import { benchMonitorHistory } from './monitor-history.ts';
import { benchMonitors } from './monitors.ts';
import { benchNeighbours } from './neighbours.ts';
import { benchNginx } from './nginx.ts';
import { benchPages } from './pages.ts';
import { benchPagesPaid } from './pages-paid.ts';
import { benchQueued } from './queued.ts';
import { benchReaders } from './readers.ts';
import { benchSingle } from './single.ts';
import { type Stack, startStack } from './stack.ts';
import { benchStored } from './stored.ts';
import { benchSubmission } from './submission.ts';
import { benchThroughput } from './throughput.ts';
import { benchTwoAccounts } from './two-accounts.ts';
import { benchUnpaid } from './unpaid.ts';
import { benchWorstPages } from './worst-pages.ts';

const subjects: Record<string, (stack: Stack) => Promise<Figure[]>> = {
  accept: benchAcceptance,
  single: benchSingle,
  throughput: benchThroughput,
  backlog: benchBacklog,
  lists: benchLists,
  dashboard: benchDashboard,
  readers: benchReaders,
  pages: benchPages,
  'pages-paid': benchPagesPaid,
};
/** Measured only when asked for: one needs nginx on the path, the others fill tables for minutes. */
const onRequest: typeof subjects = {
  nginx: benchNginx,
  monitors: benchMonitors,
  'monitor-history': benchMonitorHistory,
};
interface Options {
  only: string;
  items?: number;
  citus?: string;
  seconds: number;
  seed: number;
}
/** They start what they measure themselves, and take minutes, so each figure is told when it is there. */
const onTheirOwn: Record<string, (options: Options) => AsyncIterable<Figure>> = {
  costs: () => benchCosts(),
  forgot: () => benchForgot(),
  items: ({ only, citus }) => benchItems(only, citus),
  neighbours: ({ only }) => benchNeighbours(only),
  loud: ({ only }) => benchLoud(only),
  hostile: ({ only }) => benchHostile(only),
  unpaid: ({ only }) => benchUnpaid(only),
  'two-accounts': () => benchTwoAccounts(),
  submission: () => benchSubmission(),
  stored: ({ items }) => benchStored(items),
  queued: ({ only, items }) => benchQueued(only, items),
  'worst-pages': ({ seconds, seed }) => benchWorstPages(seconds, seed),
};
const all = { ...subjects, ...onRequest, ...onTheirOwn };
const leftOut = Object.keys({ ...onRequest, ...onTheirOwn }).join(', ');

const program = new Command('npm run bench --')
  .description(
    'Measures Sonde against baselines in the same run on the same machine: medians, their spread, and the bar each must meet.',
  )
  .argument(
    '[subjects...]',
    `what to measure: ${Object.keys(all).join(', ')}; all but ${leftOut} when none is named`,
  )
  .option(
    '--only <text>',
    'of items, neighbours, loud, hostile, unpaid and queued, the kinds with this in their name',
    '',
  )
  .option(
    '--items <count>',
    'of stored, how many there are, 20 million unless told, beside a tenth of that; of queued, how many wait, 10 million',
    Number,
  )
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
  const own = onTheirOwn[name];
  if (own) {
    for await (const figure of own(program.opts()))
      yield { ...figure, value: `${figure.value}; load ${load()}` };
    return;
  }
  const stack = await startStack();
  try {
    yield* (await { ...subjects, ...onRequest }[name]?.(stack)) ?? [];
  } finally {
    await stack.stop();
  }
}

function describe({ what, value, bar, isMet }: Figure): string {
  return `${bar === null ? ' ' : isMet ? '✔' : '✘'} ${what}: ${value}${bar === null ? '' : ` [${bar}]`}`;
}
