import { fileURLToPath } from 'node:url';
import type { Context, RootHookObject } from 'mocha';
import { closeBrowser } from './browser.ts';
import { judgeCoverage } from './contract-coverage.ts';
import { startServer } from './postgres.ts';
import { seedProperties } from './seed.ts';
import { judgeStatements, watchStatements } from './statements.ts';

// In every process of a run, since each has a fast-check of its own.
seedProperties();
watchStatements();

let stopServer = async () => {};

// Half of what a start of ours takes is reading its modules, and the tests start some hundred processes.
const compiled = fileURLToPath(new URL('../../node_modules/.cache/sonde-tests', import.meta.url));
process.env.NODE_COMPILE_CACHE ??= compiled;

/** Once a run, before mocha starts its own workers, which inherit what is found in the environment. */
export async function mochaGlobalSetup(): Promise<void> {
  stopServer = await startServer();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await stopServer();
}

export const mochaHooks: RootHookObject = {
  async afterAll(this: Context) {
    await closeBrowser();
    const root = this.test?.parent;
    if (root) judgeCoverage(root);
    judgeStatements();
  },
};
