import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Context, RootHookObject } from 'mocha';
import { runAfterTest } from './after-test.ts';
import { closeBrowser } from './browser.ts';
import { cheapenPasswords } from './cheap-passwords.ts';
import { judgeCoverage } from './contract-coverage.ts';
import { startServer } from './postgres.ts';
import { seedProperties } from './seed.ts';
import { learnFunctions } from './statement-rules.ts';
import { judgeStatements, watchStatements } from './statements.ts';

// This runs in every process of a run, because each process has its own fast-check.
seedProperties();
cheapenPasswords();
watchStatements();

let stopServer = async () => {};

// Half of the start of a process is loading modules, and the tests start about a hundred processes.
const root = fileURLToPath(new URL('../..', import.meta.url));
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/sonde-tests');

/** Runs once, before mocha starts its workers, which inherit the environment. */
export async function mochaGlobalSetup(): Promise<void> {
  const isWithinRun = Boolean(process.env.SONDE_TEST_SERVER);
  const [server, compiled] = await Promise.allSettled([startServer(), isWithinRun ? null : compileModules()]);
  if (server.status === 'rejected') throw server.reason;
  stopServer = server.value;
  if (compiled.status === 'fulfilled') return;
  // Mocha does not call the teardown when the setup fails.
  await stopServer();
  throw compiled.reason;
}

/**
 * Fills the compile cache. A process writes some hundred files of the cache when it ends. On a busy machine, this took
 * half a minute for the first processes that stopped.
 */
async function compileModules(): Promise<void> {
  const modules = ['server/main.ts', 'worker/main.ts', 'admin/main.ts'];
  const text = modules.map((module) => `await import('./${module}');`).join('');
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', text], { cwd: root });
}

export async function mochaGlobalTeardown(): Promise<void> {
  await stopServer();
}

export const mochaHooks: RootHookObject = {
  beforeAll: () => learnFunctions(process.env.SONDE_TEST_SERVER ?? ''),
  afterEach: runAfterTest,
  async afterAll(this: Context) {
    // A worker keeps its Chromium for its next file. It ends with the worker.
    if (!process.env.MOCHA_WORKER_ID) await closeBrowser();
    const root = this.test?.parent;
    if (root) judgeCoverage(root);
    judgeStatements();
  },
};
