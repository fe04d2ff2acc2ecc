import { Command, InvalidArgumentError, Option } from 'commander';
import { type CheckType, checkTypeNames } from '../../schemas/check-types.ts';
import { long, short } from './plan.ts';
import { report } from './report.ts';
import { runChaos } from './run.ts';

const program = new Command('npm run chaos --')
  .description(
    'Kills, stops and cuts off the real processes and their Postgres while they work, then proves that nothing was lost or charged twice.',
  )
  .option('--seed <number>', 'replay the schedule of faults of an earlier run', readSeed)
  .option('--short', 'a small run, as in the test suite')
  .addOption(new Option('--type <type>', 'submit checks of one type only').choices(checkTypeNames))
  .option('--citus <folder>', 'run on a Citus cluster, with Postgres binaries in this folder (npm run citus)')
  .showHelpAfterError()
  .parse();

const {
  seed = Math.floor(Math.random() * 2 ** 32),
  short: isShort,
  type,
  citus,
} = program.opts<{ seed?: number; short?: true; type?: CheckType; citus?: string }>();
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => interrupted.abort(new Error(`ended by ${signal}`)));
}

const print = (line: string) => void process.stdout.write(`${line}\n`);
print(`seed ${seed}`);
const { signal } = interrupted;
const size = isShort ? short : long;
const scale = type ? { ...size, types: [type] } : size;
const outcome = await runChaos({ seed, scale, print, citus, signal });
print(`\n${report(outcome)}`);
process.exit(outcome.problems.length > 0 ? 1 : 0);

function readSeed(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0 && number < 2 ** 32) return number;
  throw new InvalidArgumentError('A whole number from 0 to 4294967295.');
}
