import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import type { Environment } from '../../config/config.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { findOrBuild } from './installation.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const program = new Command('npm run citus --')
  .description(
    'Runs the test suite on a Citus cluster with two data nodes on loopback, then a fault run on a second cluster.',
  )
  .argument('[files...]', 'these test files instead of all')
  .option('--pg-config <path>', 'pg_config of the Postgres to use', 'pg_config')
  .option('--source <folder>', 'source of Citus, built once into a copy of that Postgres if it has no Citus')
  .option('--only <part>', 'run only one part: suite or chaos')
  .option('--seed <number>', 'seed of the fault run')
  .option('--long', 'run the long fault run')
  .showHelpAfterError()
  .parse();

interface Options {
  pgConfig: string;
  source?: string;
  only?: string;
  seed?: string;
  long?: true;
}

const options = program.opts<Options>();
const print = (line: string) => void process.stdout.write(`${line}\n`);
const binaries = await findOrBuild({ ...options, folder: join(root, '.data/citus'), print });
const parts: Record<string, () => Promise<number>> = {
  suite: () => onCluster(runSuite),
  chaos: runChaos,
};
let failed = 0;
for (const [part, run] of Object.entries(parts)) {
  if (options.only === undefined || options.only === part) failed += await run();
}
process.exit(failed > 0 ? 1 : 0);

/** Starts a temporary cluster, and returns the result of an act on it. */
async function onCluster(act: (cluster: Cluster) => Promise<number>): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'sonde-citus-'));
  const cluster = await startCluster(folder, { binaries, isThrowaway: true });
  try {
    return await act(cluster);
  } finally {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function runSuite({ adminUrls: [coordinator, ...nodes] }: Cluster): Promise<number> {
  const files = program.args.length > 0 ? program.args : ['test/**/*.test.ts'];
  // The fault run follows, on a cluster of its own.
  const args = ['node_modules/mocha/bin/mocha.js', ...files, '--ignore', 'test/chaos/*.test.ts'];
  return runToExit(args, {
    TEST_DATABASE_URL: coordinator,
    TEST_CITUS_NODES: nodes.join(','),
  });
}

function runChaos(): Promise<number> {
  const { seed, long } = options;
  const args = [...(seed ? ['--seed', seed] : []), ...(long ? [] : ['--short'])];
  return runToExit(['test/chaos/main.ts', '--citus', binaries, ...args], {});
}

async function runToExit(args: string[], env: Environment): Promise<number> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  const [code, signal] = await once(child, 'exit');
  return signal ? 1 : code;
}
