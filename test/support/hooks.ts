import type { Context, RootHookObject } from 'mocha';
import { closeBrowser } from './browser.ts';
import { judgeCoverage } from './contract-coverage.ts';
import { stopServer } from './postgres.ts';

export const mochaHooks: RootHookObject = {
  async afterAll(this: Context) {
    await closeBrowser();
    await stopServer();
    const root = this.test?.parent;
    if (root) judgeCoverage(root);
  },
};
