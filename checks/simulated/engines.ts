import type { CheckType } from '../../schemas/check-types.ts';
import type { Engine, EngineTable } from '../engine.ts';
import { CheckSlots } from '../http/slots.ts';
import { createIndexEngine, createRankEngine } from '../search/engines.ts';
import { sandbox } from '../search/providers/sandbox.ts';
import { type ProviderGate, Search } from '../search/search.ts';
import { simulateHttpAnswer } from './http.ts';

/** Engines for test tokens. They send no requests. */
export interface SimulatedEngines {
  engines: EngineTable;
  search: Search;
}

/** The sandbox asks no provider. Its calls are neither limited nor counted. */
const openGate: ProviderGate = {
  acquire: async () => ({ release: () => {} }),
  countCall: async () => true,
  countPages: () => {},
  countAnswer: () => {},
};

/** Equals the default limit of real checks. Simulated checks have their own slots. */
const checksMax = 100;

/** Creates engines whose answers depend only on the input and the options. Each answer is marked as simulated. */
export function createSimulatedEngines(): SimulatedEngines {
  const search = new Search({ providers: [sandbox.create({}, 0)], gate: openGate, reuseSeconds: 0 });
  const slots = new CheckSlots({ limit: checksMax, hostLimit: 1 });
  const engines: { [T in CheckType]: Engine<T> } = {
    index: createIndexEngine(search, slots),
    http: httpEngine(slots),
    keyword: createRankEngine(search, slots),
  };
  return { engines, search };
}

function httpEngine(slots: CheckSlots): Engine<'http'> {
  return {
    check: async ({ input, options }) => simulateHttpAnswer(input.url, options),
    startChunk: (options, { accountId }) => ({
      prepare: ({ url }) => ({
        acquireSlot: (signal) => slots.acquire({ accountId, host: null, signal }),
        attempt: async () => simulateHttpAnswer(url, options),
      }),
      close: () => {},
    }),
  };
}
