import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { FairLimit } from '../../process/fair-limit.ts';
import type { Db } from '../postgres/connect.ts';
import { isDatabaseTrouble } from '../postgres/trouble.ts';
import { countCallOfDay, UsageCount } from './provider-usage.ts';

/** What providers allow; the same for each, and for all processes. */
export interface LeaseOptions {
  /** Calls in flight per provider over all processes. */
  concurrency: number;
  /** Calls per provider and day (UTC); 0 for no limit. */
  dailyLimit: number;
  /** The longest that one call takes; a lease whose holder died lasts some seconds more. */
  timeoutMs: number;
}

export interface Caller {
  accountId: number;
  /** A user waits for the answer. */
  isUrgent: boolean;
}

interface Lease {
  slot: number;
  holder: string;
}

/** Calls of this process to one provider, for single checks or for batches. */
interface Calls {
  limit: FairLimit;
  /** One call at a time asks the database for a lease, or hundreds that wait for other processes would poll it. */
  asking: FairLimit;
  leasesMax: number;
}

/** Batches leave the other leases to single checks. */
const batchShare = 0.75;
/** Of the slots of a process, for accounts that have no call out. */
const reservedShare = 0.1;
/** Of the slots of a process, for the single checks of one account. */
const urgentShareMax = 0.5;
const databaseAgainMs = 500;
const prepareEveryMs = 1000;
const leaseMarginSeconds = 10;
/** When all leases are held, a process looks again after a random time between these. */
const lookAgainMs = [40, 160] as const;

/**
 * Limits calls to providers: in flight and per day over all processes, by leases and a count in Postgres, and fairly
 * between the accounts of one process. The calls of single checks and of batches wait apart.
 */
export class ProviderLeases {
  readonly #db: Db;
  readonly #options: LeaseOptions;
  readonly #usage: UsageCount;
  readonly #calls = new Map<string, Calls>();
  readonly #preparedAtMs = new Map<string, number>();

  constructor(db: Db, options: LeaseOptions) {
    this.#db = db;
    this.#options = options;
    this.#usage = new UsageCount(db);
  }

  /**
   * Waits for a lease on one call. Waits on while the database is away, since a check must not fail for that. `release`
   * never fails. Errors: the signal's reason.
   */
  async acquire(
    provider: string,
    { accountId, isUrgent }: Caller,
    signal: AbortSignal,
  ): Promise<{ release(): void }> {
    const { limit, asking, leasesMax } = this.#callsOf(provider, isUrgent);
    const slot = await limit.acquire(accountId, { signal });
    try {
      const waitForLease = () => this.#waitForLease(provider, leasesMax, signal);
      const lease = await asking.run(accountId, waitForLease, { signal });
      return { release: () => void this.#giveBack(provider, lease).finally(slot.release) };
    } catch (error) {
      slot.release();
      throw error;
    }
  }

  /**
   * Counts a call that goes out. Returns false, and counts nothing, when the day's calls are used up. Waits while the
   * database is away. Errors: the signal's reason.
   */
  async countCall(provider: string, signal: AbortSignal): Promise<boolean> {
    const { dailyLimit } = this.#options;
    if (dailyLimit > 0)
      return untilDatabaseAnswers(() => countCallOfDay(this.#db, provider, dailyLimit), signal);
    this.#usage.add(provider, { calls: 1 });
    return true;
  }

  /** Counts pages that were paid for. */
  countPages(provider: string, pages: number): void {
    if (pages > 0) this.#usage.add(provider, { pages });
  }

  /** Counts a check that was answered. */
  countAnswer(provider: string): void {
    this.#usage.add(provider, { answers: 1 });
  }

  /** Writes what was counted, once no call will come any more. */
  close(): Promise<void> {
    return this.#usage.flush();
  }

  #callsOf(provider: string, isUrgent: boolean): Calls {
    const key = `${provider} ${isUrgent}`;
    const known = this.#calls.get(key);
    if (known) return known;
    const { concurrency } = this.#options;
    const total = isUrgent ? concurrency : Math.max(1, Math.floor(concurrency * batchShare));
    const calls = {
      limit: new FairLimit({
        total,
        perAccount: isUrgent ? Math.max(1, Math.floor(concurrency * urgentShareMax)) : total,
        reserved: Math.floor(concurrency * reservedShare),
      }),
      asking: new FairLimit({ total: 1 }),
      leasesMax: total,
    };
    this.#calls.set(key, calls);
    return calls;
  }

  async #waitForLease(provider: string, leasesMax: number, signal: AbortSignal): Promise<Lease> {
    const holder = randomUUID();
    const take = () => this.#take(provider, leasesMax, holder);
    while (true) {
      const slot = await untilDatabaseAnswers(async () => {
        return (await take()) ?? ((await this.#prepare(provider)) ? take() : null);
      }, signal);
      if (slot !== null) return { slot, holder };
      const [least, most] = lookAgainMs;
      await pause(least + Math.random() * (most - least), signal);
    }
  }

  async #take(provider: string, leasesMax: number, holder: string): Promise<number | null> {
    const leaseSeconds = Math.ceil(this.#options.timeoutMs / 1000) + leaseMarginSeconds;
    const { rows } = await sql<{ slot: number }>`
      update provider_leases
      set holder = ${holder}, expires_at = now() + ${leaseSeconds} * interval '1 second'
      where (provider, slot) = (
        select provider, slot from provider_leases
        where provider = ${provider} and slot <= ${leasesMax} and expires_at < now()
        order by slot limit 1 for update skip locked)
      returning slot`.execute(this.#db);
    return rows[0]?.slot ?? null;
  }

  async #giveBack(provider: string, { slot, holder }: Lease): Promise<void> {
    await sql`
      update provider_leases set holder = null, expires_at = '-infinity'
      where provider = ${provider} and slot = ${slot} and holder = ${holder}`
      .execute(this.#db)
      // The lease ends by itself then.
      .catch(() => {});
  }

  /**
   * True when there were leases to make: at first, and after a crash of the database, which empties unlogged
   * tables.
   */
  async #prepare(provider: string): Promise<boolean> {
    const now = Date.now();
    if (now - (this.#preparedAtMs.get(provider) ?? 0) < prepareEveryMs) return false;
    this.#preparedAtMs.set(provider, now);
    const { numAffectedRows = 0n } = await sql`
      insert into provider_leases (provider, slot)
      select ${provider}, generate_series(1, ${this.#options.concurrency}::int)
      on conflict do nothing`.execute(this.#db);
    return numAffectedRows > 0n;
  }
}

/** Asks again while the database is away. Errors: the signal's reason. */
async function untilDatabaseAnswers<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  while (true) {
    signal.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      if (!isDatabaseTrouble(error)) throw error;
      await pause(databaseAgainMs, signal);
    }
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
}
