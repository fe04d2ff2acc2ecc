import { deadlines } from '../../config/deadlines.ts';
import type { AnswerOf, CheckType, InputOf } from '../../schemas/check-types.ts';
import type { Engine } from '../engine.ts';
import type { CheckSlots } from '../http/slots.ts';
import type { Outcome } from '../outcome.ts';
import { checkIndex } from './index-check.ts';
import { checkRank, toRankQuestion } from './rank-check.ts';
import type { Search, SearchContext } from './search.ts';

type Check<T extends CheckType> = (
  input: InputOf<T>,
  context: SearchContext,
) => Promise<Outcome<AnswerOf<T>>>;

export function createIndexEngine(search: Search, slots: CheckSlots): Engine<'index'> {
  return searchEngine(slots, ({ url }, context) => checkIndex(url.trim(), search, context));
}

export function createRankEngine(search: Search, slots: CheckSlots): Engine<'keyword'> {
  return searchEngine(slots, async (query, context) =>
    checkRank(await toRankQuestion(query), search, context),
  );
}

/** A search needs no slot at a host. The limits of providers apply to all processes together. */
function searchEngine<T extends CheckType>(slots: CheckSlots, check: Check<T>): Engine<T> {
  return {
    check: ({ input }, { accountId, deadlineMs, signal, cost = { pages: 0 } }) =>
      check(input, { accountId, deadlineMs, signal, cost }),
    startChunk: (_options, { accountId, signal: jobSignal }) => {
      const sinceMs = performance.now();
      return {
        prepare: (input) => ({
          acquireSlot: (signal) => slots.acquire({ accountId, host: null, signal }),
          attempt: (_slot, cost = { pages: 0 }) => {
            // Longer than ten pages usually take, but short enough that the job does not expire when a search hangs.
            const signal = AbortSignal.any([jobSignal, AbortSignal.timeout(deadlines.searchMs)]);
            return check(input, { accountId, deadlineMs: null, signal, sinceMs, cost });
          },
        }),
        close: () => {},
      };
    },
  };
}
