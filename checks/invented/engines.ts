import type { CheckType } from '../../schemas/check-types.ts';
import type { Engine, EngineTable } from '../engine.ts';
import { CheckSlots } from '../http/slots.ts';
import { indexEngine, rankEngine } from '../search/engines.ts';
import type { ProviderGate } from '../search/gate.ts';
import { sandbox } from '../search/providers/sandbox.ts';
import { Search } from '../search/search.ts';
import { inventHttpAnswer } from './http.ts';

/** How test tokens are answered: of the same kind as the engines, and nobody outside is asked. */
export interface Invented {
  engines: EngineTable;
  search: Search;
}

/** The sandbox is nobody's upstream: no place of a provider's is taken, and nothing counted. */
const openGate: ProviderGate = {
  enter: async () => () => {},
  count: async () => true,
  answered: () => {},
};

/** As many as a process makes checks by default; they take no slot of those. */
const searchesMax = 100;

/** Invented answers by name, the same whenever they are asked for, each marked as simulated. */
export function createInvented(): Invented {
  const search = new Search({ providers: [sandbox.make({}, 0)], gate: openGate, reuseSeconds: 0 });
  const slots = new CheckSlots({ limit: searchesMax, hostLimit: 1 });
  const engines: { [T in CheckType]: Engine<T> } = {
    index: indexEngine(search, slots),
    http: httpEngine,
    keyword: rankEngine(search, slots),
  };
  return { engines, search };
}

const httpEngine: Engine<'http'> = {
  check: async ({ input, options }) => inventHttpAnswer(input.url, options),
  series: (options) => ({
    enter: async (_input, mayNotStart) => (mayNotStart.aborted ? null : noSlot),
    check: async ({ url }) => inventHttpAnswer(url, options),
    leaveAlone: () => {},
    close: () => {},
  }),
};

/** What takes no time needs no place. */
const noSlot = { moveTo: async () => null, giveBack: () => {} };
