import type { AddressPolicy } from '../../net/address.ts';
import { type Agents, createAgents } from '../../net/agent.ts';
import type { FetchedResponse } from '../../net/fetch.ts';
import type { NameResolver } from '../../net/resolver.ts';
import { type ParsedTarget, parseTarget } from '../../net/url.ts';
import type { InputOf, OptionsOf } from '../../schemas/check-types.ts';
import type { HttpStatusAnswer } from '../../schemas/http-status.ts';
import type { CheckContext, CheckRequest, ChunkChecks, Engine } from '../engine.ts';
import type { Failed, Outcome } from '../outcome.ts';
import { Siblings } from '../page/findings.ts';
import type { PageTaskRunner } from '../page/page-task.ts';
import { checkHttpStatus, type HttpStatusTools } from './http-status.ts';
import type { NetworkEvidence, NetworkHealth } from './network-health.ts';
import { followRedirects, RedirectChain, type RedirectTools } from './redirects.ts';
import { SharedAgents } from './shared-agents.ts';
import type { CheckSlot, CheckSlots } from './slots.ts';

export interface HttpCheckerOptions {
  policy: AddressPolicy;
  resolver: NameResolver;
  slots: CheckSlots;
  health: NetworkHealth;
  userAgent: string;
  runPageTask: PageTaskRunner;
  /** Time limit of one check. It covers all redirects and the body. */
  timeoutMs: number;
}

/** Requests a URL and follows redirects, like a check. The caller reads the body. */
export type FetchPage = (url: URL, deadlineMs: number) => Promise<FetchedResponse>;

interface SharedTools extends Omit<HttpStatusTools, 'target'> {
  lastAddresses: Map<string, string>;
}

/** Makes the HTTP checks of one process, within its check slots. */
export class HttpChecker implements Engine<'http'> {
  readonly #options: HttpCheckerOptions;
  readonly #sharedAgents: SharedAgents;

  constructor(options: HttpCheckerOptions) {
    this.#options = options;
    this.#sharedAgents = new SharedAgents(options);
  }

  isInDoubt(): Promise<boolean> {
    return this.#options.health.isInDoubt();
  }

  parse(address: string): ParsedTarget {
    return parseTarget(address, this.#options.policy);
  }

  /**
   * Makes one check while the caller waits. The check has its own connections. Retries once after a possible fault on
   * our side. Throws FetchError `aborted` if the signal was aborted for another reason than a timeout.
   */
  async check(
    { input, options }: CheckRequest<'http'>,
    context: CheckContext,
  ): Promise<Outcome<HttpStatusAnswer>> {
    const { accountId, signal } = context;
    const agents = createAgents(this.#options);
    const check = this.#prepare(input, options, this.#sharedTools(context, agents));
    const slot = await check.enter(signal);
    if (!slot) return unreachable;
    try {
      const first = await check.try(slot);
      // If the host had no free slot, an immediate retry would not find one either.
      const canRetry = first.state === 'failed' && first.isRetryable && !first.retryAfterSeconds;
      const outcome = canRetry ? await check.try(slot) : first;
      this.#options.health.observe(accountId, check.host, toNetworkEvidence(outcome));
      const isSilence = outcome.state === 'success' && outcome.recheck?.reason === 'silence';
      return isSilence && (await this.isInDoubt()) ? unreachable : outcome;
    } catch (error) {
      // The signal may have timed out during the second attempt.
      if (isTimedOut(signal)) return unreachable;
      throw error;
    } finally {
      agents.close();
      slot.release();
    }
  }

  /** The checks share pages for comparison, and the connections of the account's other chunks. */
  startChunk(options: OptionsOf<'http'>, context: CheckContext): ChunkChecks<'http'> {
    const { slots, health } = this.#options;
    const agents = this.#sharedAgents.borrow(context.accountId);
    const tools = this.#sharedTools(context, agents);
    return {
      prepare: (input) => {
        const check = this.#prepare(input, options, tools);
        return {
          acquireSlot: check.enter,
          attempt: async (slot) => {
            const outcome = await check.try(slot);
            health.observe(context.accountId, check.host, toNetworkEvidence(outcome));
            return outcome;
          },
          pauseHost: (seconds) => slots.pause(check.host, seconds),
        };
      },
      close: () => agents.close(),
    };
  }

  /**
   * Calls `callback` with a function that requests pages. Holds a check slot at the host until `callback` ends. Returns
   * null if the signal was aborted before a slot was free. Throws FetchError and the errors of `callback`.
   */
  async withHostSlot<T extends object>(
    host: string,
    { accountId, signal, bytesMax }: CheckContext & Pick<RedirectTools, 'bytesMax'>,
    callback: (fetchPage: FetchPage) => Promise<T>,
  ): Promise<T | null> {
    const { slots, resolver } = this.#options;
    const slot = await slots.acquire({ accountId, host, signal });
    if (!slot) return null;
    const agents = createAgents(this.#options);
    const target = { slot, resolver, lastAddresses: new Map() };
    const tools: RedirectTools = { ...this.#options, agents, target, signal, bytesMax };
    try {
      return await callback((url, deadlineMs) =>
        followRedirects(new RedirectChain(url), tools, { deadlineMs, isFollowed: true }),
      );
    } finally {
      agents.close();
      slot.release();
    }
  }

  #sharedTools({ accountId, signal }: CheckContext, agents: Agents) {
    const siblings = new Siblings();
    return {
      ...this.#options,
      agents,
      siblings,
      lastAddresses: new Map<string, string>(),
      accountId,
      signal,
    };
  }

  #prepare(
    input: InputOf<'http'>,
    { follow_redirects: followRedirects = true, user_agent: userAgent = 'sonde' }: OptionsOf<'http'>,
    tools: SharedTools,
  ) {
    const { slots, resolver } = this.#options;
    const { accountId, lastAddresses } = tools;
    const url = new URL(input.url.trim());
    const request = { url, followRedirects, userAgent };
    return {
      host: url.host,
      enter: (signal: AbortSignal) => slots.acquire({ accountId, host: url.host, signal }),
      try: (slot: CheckSlot) =>
        checkHttpStatus(request, { ...tools, target: { slot, resolver, lastAddresses } }),
    };
  }
}

function toNetworkEvidence(outcome: Outcome<HttpStatusAnswer>): NetworkEvidence {
  // If `retryAfterSeconds` is set, the host had no free slot. The network works.
  const isNetwork = (failed: Failed) => failed.error === 'checker_unreachable' && !failed.retryAfterSeconds;
  if (outcome.state === 'failed') return isNetwork(outcome) ? 'unreachable' : 'none';
  if (outcome.answer.status > 0) return 'answered';
  return outcome.answer.error === 'connect_timeout' ? 'unreachable' : 'none';
}

/** Returns true for a timeout, and false for the end of the process. */
function isTimedOut({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof DOMException && reason.name === 'TimeoutError';
}

const unreachable: Outcome<HttpStatusAnswer> = {
  state: 'failed',
  error: 'checker_unreachable',
  isRetryable: true,
};
