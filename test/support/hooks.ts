import type { RootHookObject } from 'mocha';
import { stopServer } from './postgres.ts';

export const mochaHooks: RootHookObject = {
  async afterAll() {
    await stopServer();
  },
};
