import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';
import type { Client } from '../client.ts';
import type { Crew } from '../crew.ts';
import type { Customer } from '../customer.ts';

interface About {
  crew: Crew;
  client: Client;
  random: Random;
  customers: Customer[];
}

const everyMs = 100;

/**
 * Looks at batches with their results and at balances all the while, at whichever web process, and keeps what was no
 * answer.
 */
export class Poller {
  readonly setbacks: string[] = [];
  polls = 0;
  /** The longest of all polls since it was last asked for, in milliseconds. */
  #longestMs = 0;

  async live({ crew, client, random, customers }: About, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const customer = random.pick(customers);
      const path = this.#path(customer, random);
      const startedMs = performance.now();
      const sent = client.send(random.pick(crew.webs()), customer.token, path, null);
      const { status, body } = await sent.catch((error) => ({ status: 0, body: String(error) }));
      this.#longestMs = Math.max(this.#longestMs, performance.now() - startedMs);
      this.polls += 1;
      if (status !== 200) this.setbacks.push(`GET ${path}: ${status} ${JSON.stringify(body)}`);
      await sleep(everyMs);
    }
  }

  /** The longest poll since the last call, in milliseconds. */
  takeLongestMs(): number {
    const longestMs = this.#longestMs;
    this.#longestMs = 0;
    return longestMs;
  }

  #path({ batches }: Customer, random: Random): string {
    if (batches.length === 0) return '/credits';
    return random.pick(['/credits', '/batches', `/batch/${random.pick(batches).batchId}`]);
  }
}
