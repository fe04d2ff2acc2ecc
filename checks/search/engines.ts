import { deadlines } from '../../config/deadlines.ts';
import type { AnswerOf, CheckType, InputOf } from '../../schemas/check-types.ts';
import type { Engine } from '../engine.ts';
import type { CheckSlots } from '../http/slots.ts';
import type { Outcome } from '../outcome.ts';
import { checkIndex } from './index-check.ts';
import { checkRank, questionOf } from './rank-check.ts';
import type { Asking, Search } from './search.ts';

type Check<T extends CheckType> = (input: InputOf<T>, asking: Asking) => Promise<Outcome<AnswerOf<T>>>;

/** Checks whether addresses are in the index. */
export function indexEngine(search: Search, slots: CheckSlots): Engine<'index'> {
  return searchEngine(slots, ({ url }, asking) => checkIndex(url.trim(), search, asking));
}

/** Checks where sites rank. */
export function rankEngine(search: Search, slots: CheckSlots): Engine<'keyword'> {
  return searchEngine(slots, (query, asking) => checkRank(questionOf(query), search, asking));
}

/** A search needs no slot of a target's host; the provider's places are counted over all processes. */
function searchEngine<T extends CheckType>(slots: CheckSlots, check: Check<T>): Engine<T> {
  return {
    check: ({ input }, { accountId, deadlineMs, signal, cost = { pages: 0 } }) =>
      check(input, { accountId, deadlineMs, signal, cost }),
    series: (_options, { accountId, signal: halt }) => {
      const sinceMs = performance.now();
      return {
        prepare: (input) => ({
          enter: (signal) => slots.take({ accountId, host: null, signal }),
          try: (_slot, cost = { pages: 0 }) => {
            // Longer than ten pages take when all goes well; a job must not outlast its expiry for one that hangs.
            const signal = AbortSignal.any([halt, AbortSignal.timeout(deadlines.searchMs)]);
            return check(input, { accountId, deadlineMs: null, signal, sinceMs, cost });
          },
        }),
        close: () => {},
      };
    },
  };
}
