import { Command, InvalidArgumentError } from 'commander';
import { report as reportMonitors } from './monitors/report.ts';
import * as monitors from './monitors/run.ts';
import { report } from './report.ts';
import { runChaos } from './run.ts';
import { long, short } from './scales.ts';
import { report as reportUpgrade } from './upgrade/report.ts';
import { runUpgrade } from './upgrade/run.ts';

const program = new Command('npm run chaos --')
  .description(
    'Kills, stops and cuts off the real processes and their Postgres while they work, then proves that nothing was lost or charged twice.',
  )
  .argument(
    '[subject]',
    'monitors: due times of monitors instead of batches and single checks; upgrade: from a released version to this one, while customers go on',
    readSubject,
  )
  .option('--seed <number>', 'replay the schedule of faults of an earlier run', readSeed)
  .option('--short', 'in little, as the test suite runs it')
  .option('--citus <folder>', 'on a cluster, by the binaries of a Postgres that has Citus (npm run citus)')
  .option('--from <commit>', 'of upgrade: the version that serves first')
  .option('--items <number>', 'of upgrade: what it has checked before, in ten thousands', readItems, 30)
  .showHelpAfterError()
  .parse();

const {
  seed = Math.floor(Math.random() * 2 ** 32),
  short: isShort,
  citus,
  from,
  items,
} = program.opts<{
  seed?: number;
  short?: true;
  citus?: string;
  from?: string;
  items: number;
}>();
const [subject] = program.args;
if (subject === 'upgrade' && from === undefined) program.error('upgrade needs --from <commit>');
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => interrupted.abort(new Error(`ended by ${signal}`)));
}

const print = (line: string) => void process.stdout.write(`${line}\n`);
print(`seed ${seed}`);
process.exit((await run()) > 0 ? 1 : 0);

/** Answers how many problems there are. */
async function run(): Promise<number> {
  const { signal } = interrupted;
  if (subject === 'upgrade' && from !== undefined) {
    const outcome = await runUpgrade({ seed, from, items: items * 10_000, print, signal });
    print(`\n${reportUpgrade(outcome)}`);
    return outcome.problems.length;
  }
  if (subject === 'monitors') {
    const outcome = await monitors.runMonitorChaos({
      seed,
      scale: isShort ? monitors.short : monitors.long,
      print,
      signal,
    });
    print(`\n${reportMonitors(outcome)}`);
    return outcome.problems.length;
  }
  const outcome = await runChaos({ seed, scale: isShort ? short : long, print, citus, signal });
  print(`\n${report(outcome)}`);
  return outcome.problems.length;
}

function readSubject(text: string): string {
  if (text === 'monitors' || text === 'upgrade') return text;
  throw new InvalidArgumentError('There are only `monitors` and `upgrade` besides.');
}

function readItems(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= 1000) return number;
  throw new InvalidArgumentError('A whole number from 1 to 1000.');
}

function readSeed(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0 && number < 2 ** 32) return number;
  throw new InvalidArgumentError('A whole number from 0 to 4294967295.');
}
