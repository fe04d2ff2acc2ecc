import { Command, InvalidArgumentError } from 'commander';
import { report as reportMonitors } from './monitors/report.ts';
import * as monitors from './monitors/run.ts';
import { report } from './report.ts';
import { runChaos } from './run.ts';
import { long, short } from './scales.ts';

const program = new Command('npm run chaos --')
  .description(
    'Kills, stops and cuts off the real processes and their Postgres while they work, then proves that nothing was lost or charged twice.',
  )
  .argument('[subject]', 'monitors: due times of monitors instead of batches and single checks', readSubject)
  .option('--seed <number>', 'replay the schedule of faults of an earlier run', readSeed)
  .option('--short', 'in little, as the test suite runs it')
  .option('--citus <folder>', 'on a cluster, by the binaries of a Postgres that has Citus (npm run citus)')
  .showHelpAfterError()
  .parse();

const {
  seed = Math.floor(Math.random() * 2 ** 32),
  short: isShort,
  citus,
} = program.opts<{
  seed?: number;
  short?: true;
  citus?: string;
}>();
const [subject] = program.args;
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
  if (text === 'monitors') return text;
  throw new InvalidArgumentError('The only subject is `monitors`.');
}

function readSeed(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0 && number < 2 ** 32) return number;
  throw new InvalidArgumentError('A whole number from 0 to 4294967295.');
}
