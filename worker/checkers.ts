import { checkHttpStatus } from '../checks/http/http-status.ts';
import type { Outcome } from '../checks/outcome.ts';
import { Siblings } from '../checks/page/findings.ts';
import { checkIndex } from '../checks/search/index-check.ts';
import { checkRank, questionOf } from '../checks/search/rank-check.ts';
import type { Asking } from '../checks/search/search.ts';
import { createSharedPages } from '../checks/search/shared-pages.ts';
import type { ChunkInput, Work } from '../db/chunks.ts';
import { createAgents } from '../net/agent.ts';
import type { RankQuery } from '../schemas/keyword.ts';
import type { WorkerContext } from './context.ts';

/** The engine for one chunk, with what its checks share. */
export interface ItemChecker {
  /** Whose check slots an input needs besides the process's own; null for none. */
  hostOf(input: ChunkInput): string | null;
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
      return searchChecker(work.accountId, halt, (input, asking) =>
        checkIndex(urlOf(input), context.search, asking),
      );
    case 'keyword':
      return searchChecker(work.accountId, halt, (input, asking) =>
        checkRank(questionOf(input.input as unknown as RankQuery), context.search, asking),
      );
  }
}

/** A search needs no slot of a target's host; the provider's places are counted over all processes. */
function searchChecker(
  accountId: number,
  halt: AbortSignal,
  check: (input: ChunkInput, asking: Asking) => Promise<Outcome>,
): ItemChecker {
  const shared = createSharedPages(Number.POSITIVE_INFINITY);
  return {
    hostOf: () => null,
    check: (input) => {
      // Longer than ten pages take when all goes well; a job must not outlast its expiry for one that hangs.
      const signal = AbortSignal.any([halt, AbortSignal.timeout(searchTimeoutMs)]);
      return check(input, { accountId, deadlineMs: null, signal, shared });
    },
    leaveAlone: () => {},
    close: () => {},
  };
}

const searchTimeoutMs = 120_000;

function httpChecker(context: WorkerContext, { options }: Work, signal: AbortSignal): ItemChecker {
  const { config, policy, resolver, slots, health } = context;
  const { userAgent, timeoutMs } = config.checks;
  // Connections are reused within a chunk, which is one account's, and never beyond it.
  const agents = createAgents({ policy, resolver, keepAlive: true });
  const tools = { policy, agents, siblings: new Siblings(), userAgent, timeoutMs, signal };
  const followRedirects = options.follow_redirects !== false;
  const hostOf = (input: ChunkInput) => new URL(urlOf(input)).host;
  return {
    hostOf,
    check: async (input) => {
      const outcome = await checkHttpStatus({ url: urlOf(input), followRedirects }, tools);
      health.observe(hostOf(input), outcome.state === 'success' && outcome.answer.status > 0);
      return outcome;
    },
    leaveAlone: (input, afterSeconds) => slots.pause(hostOf(input), afterSeconds),
    close: () => agents.close(),
  };
}

function urlOf({ input }: ChunkInput): string {
  return String(input.url).trim();
}
