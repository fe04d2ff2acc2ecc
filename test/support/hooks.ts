import type { RootHookObject } from 'mocha';
import { closeBrowser } from './browser.ts';
import { stopServer } from './postgres.ts';

export const mochaHooks: RootHookObject = {
  async afterAll() {
    await closeBrowser();
    await stopServer();
  },
};
