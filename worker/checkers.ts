import type { Release } from '../checks/http/slots.ts';
import type { Outcome } from '../checks/outcome.ts';
import { checkIndex } from '../checks/search/index-check.ts';
import { checkRank, questionOf } from '../checks/search/rank-check.ts';
import type { Asking } from '../checks/search/search.ts';
import type { Serp } from '../checks/search/serp.ts';
import { SharedCalls } from '../checks/search/shared-calls.ts';
import type { ChunkInput, Work } from '../db/chunks.ts';
import { deadlines } from '../deadlines.ts';
import type { RankQuery } from '../schemas/keyword.ts';
import type { WorkerContext } from './context.ts';

/** The engine for one chunk, with what its checks share. */
export interface ItemChecker {
  /** Waits for a check slot; null when `mayNotStart` was aborted first. */
  enter(input: ChunkInput, mayNotStart: AbortSignal): Promise<Release | null>;
  check(input: ChunkInput): Promise<Outcome>;
  /** The host of an input asked for peace. */
  leaveAlone(input: ChunkInput, afterSeconds: number | null): void;
  /** Ends the connections that the checks shared. */
  close(): void;
}

/** The engine that a chunk's type asks for. `halt`: what is in flight gives up. */
export function createChecker(context: WorkerContext, work: Work, halt: AbortSignal): ItemChecker {
  switch (work.type) {
    case 'http':
      return httpChecker(context, work, halt);
    case 'index':
      return searchChecker(context, work, halt, (input, asking) =>
        checkIndex(urlOf(input), context.search, asking),
      );
    case 'keyword':
      return searchChecker(context, work, halt, (input, asking) =>
        checkRank(questionOf(input.input as unknown as RankQuery), context.search, asking),
      );
  }
}

/** A search needs no slot of a target's host; the provider's places are counted over all processes. */
function searchChecker(
  { slots }: WorkerContext,
  { accountId, chunkId: lane }: Work,
  halt: AbortSignal,
  check: (input: ChunkInput, asking: Asking) => Promise<Outcome>,
): ItemChecker {
  const shared = new SharedCalls<Serp>(Number.POSITIVE_INFINITY);
  return {
    enter: (_input, signal) => slots.take({ accountId, lane, host: null, signal }),
    check: (input) => {
      // Longer than ten pages take when all goes well; a job must not outlast its expiry for one that hangs.
      const signal = AbortSignal.any([halt, AbortSignal.timeout(deadlines.searchMs)]);
      return check(input, { deadlineMs: null, signal, shared });
    },
    leaveAlone: () => {},
    close: () => {},
  };
}

/** Connections are reused within a chunk, which is one account's, and never beyond it. */
function httpChecker({ http }: WorkerContext, work: Work, signal: AbortSignal): ItemChecker {
  const { accountId, chunkId: lane, options } = work;
  const series = http.series({ accountId, lane, signal });
  const followRedirects = options.follow_redirects !== false;
  return {
    enter: (input, mayNotStart) => series.enter(urlOf(input), mayNotStart),
    check: (input) => series.check({ url: urlOf(input), followRedirects }),
    leaveAlone: (input, afterSeconds) => series.leaveAlone(urlOf(input), afterSeconds),
    close: () => series.close(),
  };
}

function urlOf({ input }: ChunkInput): string {
  return String(input.url).trim();
}
