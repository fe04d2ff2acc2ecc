import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Context, RootHookObject } from 'mocha';
import { closeBrowser } from './browser.ts';
import { cheapenPasswords } from './cheap-passwords.ts';
import { judgeCoverage } from './contract-coverage.ts';
import { startServer } from './postgres.ts';
import { seedProperties } from './seed.ts';
import { learnFunctions } from './statement-rules.ts';
import { judgeStatements, watchStatements } from './statements.ts';

// In every process of a run, since each has a fast-check of its own.
seedProperties();
cheapenPasswords();
watchStatements();

let stopServer = async () => {};

// Half of what a start of ours takes is reading its modules, and the tests start some hundred processes.
const root = fileURLToPath(new URL('../..', import.meta.url));
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/sonde-tests');

/** Once a run, before mocha starts its own workers, which inherit what is found in the environment. */
export async function mochaGlobalSetup(): Promise<void> {
  const isWithinRun = Boolean(process.env.SONDE_TEST_SERVER);
  const [server, compiled] = await Promise.allSettled([startServer(), isWithinRun ? null : compileModules()]);
  if (server.status === 'rejected') throw server.reason;
  stopServer = server.value;
  if (compiled.status === 'fulfilled') return;
  // mocha ends a run whose beginning failed, and tears nothing down.
  await stopServer();
  throw compiled.reason;
}

/**
 * A process writes what it compiled when it ends, some hundred files: on a busy machine without any of them the first
 * ones to stop took half a minute for that. A run within a run finds them compiled.
 */
async function compileModules(): Promise<void> {
  const modules = ['server/main.ts', 'worker/main.ts', 'admin/tool.ts'];
  const text = modules.map((module) => `await import('./${module}');`).join('');
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', text], { cwd: root });
}

export async function mochaGlobalTeardown(): Promise<void> {
  await stopServer();
}

export const mochaHooks: RootHookObject = {
  beforeAll: () => learnFunctions(process.env.SONDE_TEST_SERVER ?? ''),
  async afterAll(this: Context) {
    await closeBrowser();
    const root = this.test?.parent;
    if (root) judgeCoverage(root);
    judgeStatements();
  },
};
