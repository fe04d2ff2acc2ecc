import { createAgents } from '../../net/agent.ts';
import type { FetchedResponse } from '../../net/fetch.ts';
import { type ParsedTarget, parseTarget } from '../../net/url.ts';
import type { HttpStatusAnswer } from '../../schemas/http-status.ts';
import type { Outcome } from '../outcome.ts';
import type { HttpStatusInput } from './http-status.ts';
import { Itinerary } from './itinerary.ts';
import { type Errand, type HttpCheckerOptions, HttpSeries } from './series.ts';
import { SharedAgents } from './shared-agents.ts';
import { follow, Trail, type TrailTools } from './trail.ts';

/** Asks a stranger's server for an address as a check would, redirects and all; the caller reads the body. */
export type FetchPage = (address: string, deadlineMs: number) => Promise<FetchedResponse>;

/**
 * How this process goes out to targets: its check slots, its doubts about its own network, its manner of
 * asking.
 */
export class HttpChecker {
  readonly #options: HttpCheckerOptions;
  readonly #shared: SharedAgents;

  constructor(options: HttpCheckerOptions) {
    this.#options = options;
    this.#shared = new SharedAgents(options);
  }

  /** True while silence is more likely our own network's than the targets'. */
  isInDoubt(): Promise<boolean> {
    return this.#options.health.isInDoubt();
  }

  /** What a caller sent as a target, or what is wrong with it. */
  parse(address: string): ParsedTarget {
    return parseTarget(address, this.#options.policy);
  }

  /**
   * One check that somebody waits for, with a slot and connections of its own, and one more try when the
   * trouble is ours, or may be. Errors: FetchError `aborted`, but for a time that is over, which is such trouble.
   */
  async check(input: HttpStatusInput, errand: Errand): Promise<Outcome<HttpStatusAnswer>> {
    try {
      return await this.#check(input, errand);
    } catch (error) {
      // There was no time for another try.
      if (isTimeOver(errand.signal)) return unreachable;
      throw error;
    }
  }

  async #check(input: HttpStatusInput, errand: Errand): Promise<Outcome<HttpStatusAnswer>> {
    const series = new HttpSeries(this.#options, errand, createAgents(this.#options));
    const slot = await series.enter(input.url, errand.signal);
    // All slots were busy.
    if (!slot) return unreachable;
    try {
      const first = await series.ask(input, slot);
      // A host that has no place for us will have none at once either.
      const isWorthATry = first.state === 'failed' && first.isRetryable && !first.retryAfterSeconds;
      const outcome = isWorthATry ? await series.ask(input, slot) : first;
      series.note(input.url, outcome);
      const isSilence = outcome.state === 'success' && outcome.again?.reason === 'silence';
      if (isSilence && (await this.isInDoubt())) return unreachable;
      return outcome;
    } finally {
      series.close();
      slot.release();
    }
  }

  /**
   * Checks of one account that share the pages they compare with, until it is closed, and their connections with all of
   * the account's that are open meanwhile.
   */
  series(errand: Errand): HttpSeries {
    return new HttpSeries(this.#options, errand, this.#shared.borrow(errand.accountId));
  }

  /**
   * Lends a slot of a host, and the way to fetch from there and from wherever that leads. Null when no slot
   * was free before the signal. Errors: FetchError, and whatever `act` throws.
   */
  async visit<T extends object>(
    host: string,
    { accountId, signal, bytesMax }: Errand & Pick<TrailTools, 'bytesMax'>,
    act: (fetchPage: FetchPage) => Promise<T>,
  ): Promise<T | null> {
    const { slots } = this.#options;
    const slot = await slots.take({ accountId, host, signal });
    if (!slot) return null;
    const agents = createAgents(this.#options);
    const itinerary = new Itinerary(slot, this.#options);
    const tools: TrailTools = { ...this.#options, agents, itinerary, signal, bytesMax };
    try {
      return await act((address, deadlineMs) =>
        follow(new Trail(address), tools, { deadlineMs, isFollowed: true }),
      );
    } finally {
      agents.close();
      slot.release();
    }
  }
}

/** Aborted by a clock, as `AbortSignal.timeout` does it, and not by who stops the process. */
function isTimeOver({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof DOMException && reason.name === 'TimeoutError';
}

const unreachable: Outcome<HttpStatusAnswer> = {
  state: 'failed',
  error: 'checker_unreachable',
  isRetryable: true,
};
