import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../support/random.ts';
import type { Member } from './crew.ts';

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  body: any;
}

/** A request that was sent to a web process and is not answered yet. */
interface Pending {
  baseUrl: string;
  sentAtMs: number;
  isCutOff: boolean;
}

/** Error of a request that failed on every retry. */
export class NoAnswerError extends Error {}

const patienceMs = 90_000;
const againAfterMs = 300;
/** Longer than all database faults in sequence (about 150 s), including an interrupted lease. */
const giveUpAfterMs = 240_000;

/** Calls any live web process, and retries under the same Idempotency-Key, as every client should. */
export class Client {
  readonly #webs: () => Member[];
  readonly #random: Random;
  readonly #pending = new Set<Pending>();
  readonly #over: AbortSignal;

  /** `over`: the run has ended, and retries stop. */
  constructor(webs: () => Member[], random: Random, over: AbortSignal) {
    this.#webs = webs;
    this.#random = random;
    this.#over = over;
  }

  /** Posts until any process returns an answer other than an outage. */
  async post(token: string, path: string, body: object, key: string): Promise<Reply> {
    const deadlineMs = performance.now() + giveUpAfterMs;
    let last = 'nothing';
    while (performance.now() < deadlineMs && !this.#over.aborted) {
      const web = this.#webs().length > 0 ? this.#random.pick(this.#webs()) : null;
      const reply = web && (await this.send(web, token, path, body, key).catch((error) => String(error)));
      if (reply && typeof reply !== 'string' && isFinal(reply)) return reply;
      last = JSON.stringify(reply);
      await sleep(againAfterMs);
    }
    throw new NoAnswerError(`POST ${path} failed on every retry. Last reply: ${last}`);
  }

  /** Sends once, to one process. Rejects if the connection breaks. */
  async send({ baseUrl }: Member, token: string, path: string, body: object, key: string): Promise<Reply> {
    const pending: Pending = { baseUrl, sentAtMs: performance.now(), isCutOff: false };
    this.#pending.add(pending);
    try {
      const response = await fetch(`${baseUrl}/api/v1${path}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          // A kept-alive connection may be closed at reuse, which proves nothing.
          Connection: 'close',
          'Idempotency-Key': key,
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(patienceMs),
      });
      return { status: response.status, body: await response.json() };
    } catch (error) {
      pending.isCutOff = true;
      throw error;
    } finally {
      this.#pending.delete(pending);
    }
  }

  /** Lists requests that were sent long enough ago that the process has read them. */
  inHand({ baseUrl }: Member): Pending[] {
    const surelyMs = performance.now() - 50;
    return [...this.#pending].filter((sent) => sent.baseUrl === baseUrl && sent.sentAtMs < surelyMs);
  }
}

function isFinal({ status }: Reply): boolean {
  return status < 500 && status !== 409 && status !== 429;
}
