import type { AddressPolicy } from '../../net/address.ts';
import type { Agents } from '../../net/agent.ts';
import type { NameResolver } from '../../net/resolver.ts';
import type { HttpStatusAnswer } from '../../schemas/http-status.ts';
import type { Failed, Outcome } from '../outcome.ts';
import { Siblings } from '../page/findings.ts';
import type { PageTaskRunner } from '../page/page-task.ts';
import { checkHttpStatus, type HttpStatusInput } from './http-status.ts';
import { Itinerary } from './itinerary.ts';
import type { Meeting, NetworkHealth } from './network-health.ts';
import type { CheckSlot, CheckSlots } from './slots.ts';

/** What all HTTP checks of a process have in common. */
export interface HttpCheckerOptions {
  policy: AddressPolicy;
  resolver: NameResolver;
  slots: CheckSlots;
  health: NetworkHealth;
  userAgent: string;
  /** Where pages are read and judged: on the event loop unless told otherwise. */
  runPageTask?: PageTaskRunner;
  /** For one check: all hops and the body together. */
  timeoutMs: number;
}

/** Who goes out, and until when. */
export interface Errand {
  accountId: number;
  /** Aborted when what is in flight is to give up. */
  signal: AbortSignal;
}

/** Checks that share what they compare with, and the connections they are handed; made by `HttpChecker`. */
export class HttpSeries {
  readonly #options: HttpCheckerOptions;
  readonly #errand: Errand;
  readonly #agents: Agents;
  readonly #siblings = new Siblings();
  readonly #met = new Map<string, string>();

  constructor(options: HttpCheckerOptions, errand: Errand, agents: Agents) {
    this.#options = options;
    this.#errand = errand;
    this.#agents = agents;
  }

  /** Waits for a check slot at a URL's host; null when the signal was aborted first. */
  enter(url: string, signal: AbortSignal): Promise<CheckSlot | null> {
    const { accountId } = this.#errand;
    return this.#options.slots.take({ accountId, host: hostOf(url), signal });
  }

  /** One check, in a slot that the caller holds. Errors: FetchError `aborted`. */
  async check(input: HttpStatusInput, slot: CheckSlot): Promise<Outcome<HttpStatusAnswer>> {
    const outcome = await this.ask(input, slot);
    this.note(input.url, outcome);
    return outcome;
  }

  /** As `check`, but says nothing about the health of our network. */
  ask(input: HttpStatusInput, slot: CheckSlot): Promise<Outcome<HttpStatusAnswer>> {
    const { accountId, signal } = this.#errand;
    const itinerary = new Itinerary(slot, { ...this.#options, met: this.#met });
    return checkHttpStatus(input, {
      ...this.#options,
      agents: this.#agents,
      siblings: this.#siblings,
      itinerary,
      accountId,
      signal,
    });
  }

  /** What an outcome says about the health of our network. */
  note(url: string, outcome: Outcome<HttpStatusAnswer>): void {
    this.#options.health.observe(this.#errand.accountId, hostOf(url), meetingOf(outcome));
  }

  /** A URL's host asked for peace, for so many seconds if it said so. */
  leaveAlone(url: string, afterSeconds: number | null): void {
    this.#options.slots.pause(hostOf(url), afterSeconds);
  }

  /** Lets go of the connections that the checks shared. */
  close(): void {
    this.#agents.close();
  }
}

function meetingOf(outcome: Outcome<HttpStatusAnswer>): Meeting {
  // With a pause it was no network that failed: the host had no place for us.
  const isNetwork = (failed: Failed) => failed.error === 'checker_unreachable' && !failed.retryAfterSeconds;
  if (outcome.state === 'failed') return isNetwork(outcome) ? 'nobody' : 'nothing';
  if (outcome.answer.status > 0) return 'answered';
  return outcome.answer.error === 'connect_timeout' ? 'nobody' : 'nothing';
}

function hostOf(url: string): string {
  return new URL(url.trim()).host;
}
