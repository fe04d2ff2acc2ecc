import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { FairLimit, type Slot } from '../../process/fair-limit.ts';
import type { Db } from '../postgres/connect.ts';
import { isDatabaseUnavailable } from '../postgres/errors.ts';
import { countDailyCall, UsageCounter } from './provider-usage.ts';

export interface LeaseOptions {
  /** Maximum number of calls in flight over all processes. */
  concurrency: number;
  /** Maximum number of calls per day (UTC) over all processes; 0 for no limit. */
  dailyLimit: number;
  /** Maximum time of a call. The lease of a crashed process expires a few seconds later. */
  timeoutMs: number;
}

interface ProviderCall {
  accountId: number;
  /** True for single checks. Their callers wait for the response. */
  isUrgent: boolean;
}

interface Lease {
  slot: number;
  holder: string;
  takenAtMs: number;
}

/** Limits of this process for the calls to a provider. Single checks and batches have separate limits. */
interface CallLimits {
  limit: FairLimit;
  /** One call at a time polls the database for a lease. */
  polling: FairLimit;
  leasesMax: number;
  /** Leases of calls that have ended, for the next call of this process. */
  spare: Lease[];
}

/** Share of the leases that batches can use. The rest is reserved for single checks. */
const batchShare = 0.75;
/** Share of the slots of a process that is reserved for accounts without a call in flight. */
const reservedShare = 0.1;
/** Maximum share of the slots of a process that single checks of one account can use. */
const urgentShareMax = 0.5;
const retryPauseMs = 500;
const createEveryMs = 1000;
const leaseMarginSeconds = 10;
/**
 * Maximum age of a lease that is kept for the next call. A lease of this age still lasts for a whole call. Older leases
 * are released, so that all processes can take them.
 */
const spareMaxMs = 2_000;
/** Time for which a lease is kept for the next call. The next check of a chunk makes its call in this time. */
const spareWaitMs = 20;
/** Random pause between polls while all leases are taken. */
const pollPauseMs = [40, 160] as const;

/**
 * Limits the calls to providers over all processes. Leases in Postgres limit the calls in flight, and a count in
 * Postgres limits the calls per day. Within a process, accounts share the calls fairly. Calls of single checks and of
 * batches have separate queues.
 */
export class ProviderLeases {
  readonly #db: Db;
  readonly #options: LeaseOptions;
  readonly #usage: UsageCounter;
  readonly #limits = new Map<string, CallLimits>();
  readonly #createdAtMs = new Map<string, number>();

  constructor(db: Db, options: LeaseOptions) {
    this.#db = db;
    this.#options = options;
    this.#usage = new UsageCounter(db);
  }

  /**
   * Waits for a lease for one call. Also waits while the database is unavailable, because the check must not fail for
   * this reason. `release` never fails. Throws the signal's reason when the signal is aborted.
   */
  async acquire(
    provider: string,
    { accountId, isUrgent }: ProviderCall,
    signal: AbortSignal,
  ): Promise<{ release(): void }> {
    const { limit, polling, leasesMax, spare } = this.#limitsFor(provider, isUrgent);
    const slot = await limit.acquire(accountId, { signal });
    try {
      const waitForLease = () => this.#waitForLease(provider, leasesMax, signal);
      const lease = spare.pop() ?? (await polling.run(accountId, waitForLease, { signal }));
      return { release: () => this.#release(provider, lease, slot, spare) };
    } catch (error) {
      slot.release();
      throw error;
    }
  }

  /** Passes the lease to the next call of this process, which saves two statements. */
  #release(provider: string, lease: Lease, slot: Slot, spare: Lease[]): void {
    if (Date.now() - lease.takenAtMs > spareMaxMs)
      return void this.#releaseLease(provider, lease).finally(slot.release);
    spare.push(lease);
    slot.release();
    setTimeout(() => {
      const index = spare.indexOf(lease);
      if (index < 0) return;
      spare.splice(index, 1);
      void this.#releaseLease(provider, lease);
    }, spareWaitMs);
  }

  /**
   * Counts a call before it is made. If the daily limit is reached, returns false and counts nothing. Waits while the
   * database is unavailable. Throws the signal's reason when the signal is aborted.
   */
  async countCall(provider: string, signal: AbortSignal): Promise<boolean> {
    const { dailyLimit } = this.#options;
    if (dailyLimit > 0)
      return retryWhileUnavailable(() => countDailyCall(this.#db, provider, dailyLimit), signal);
    this.#usage.add(provider, { calls: 1 });
    return true;
  }

  countPages(provider: string, pages: number): void {
    if (pages > 0) this.#usage.add(provider, { pages });
  }

  countAnswer(provider: string): void {
    this.#usage.add(provider, { answers: 1 });
  }

  /** Writes the counts to the database. Call this after the last call to a provider. */
  close(): Promise<void> {
    return this.#usage.flush();
  }

  #limitsFor(provider: string, isUrgent: boolean): CallLimits {
    const key = `${provider} ${isUrgent}`;
    const existing = this.#limits.get(key);
    if (existing) return existing;
    const { concurrency } = this.#options;
    const total = isUrgent ? concurrency : Math.max(1, Math.floor(concurrency * batchShare));
    const limits = {
      limit: new FairLimit({
        total,
        perAccount: isUrgent ? Math.max(1, Math.floor(concurrency * urgentShareMax)) : total,
        reserved: Math.floor(concurrency * reservedShare),
      }),
      polling: new FairLimit({ total: 1 }),
      leasesMax: total,
      spare: [],
    };
    this.#limits.set(key, limits);
    return limits;
  }

  async #waitForLease(provider: string, leasesMax: number, signal: AbortSignal): Promise<Lease> {
    const holder = randomUUID();
    const takeLease = () => this.#takeLease(provider, leasesMax, holder);
    while (true) {
      const slot = await retryWhileUnavailable(async () => {
        return (await takeLease()) ?? ((await this.#createLeases(provider)) ? takeLease() : null);
      }, signal);
      if (slot !== null) return { slot, holder, takenAtMs: Date.now() };
      const [least, most] = pollPauseMs;
      await pause(least + Math.random() * (most - least), signal);
    }
  }

  async #takeLease(provider: string, leasesMax: number, holder: string): Promise<number | null> {
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

  async #releaseLease(provider: string, { slot, holder }: Lease): Promise<void> {
    await sql`
      update provider_leases set holder = null, expires_at = '-infinity'
      where provider = ${provider} and slot = ${slot} and holder = ${holder}`
      .execute(this.#db)
      // If this fails, the lease expires.
      .catch(() => {});
  }

  /** Creates missing leases for a new provider, and after a crash of the database. A crash empties unlogged tables. */
  async #createLeases(provider: string): Promise<boolean> {
    const now = Date.now();
    if (now - (this.#createdAtMs.get(provider) ?? 0) < createEveryMs) return false;
    this.#createdAtMs.set(provider, now);
    const { numAffectedRows = 0n } = await sql`
      insert into provider_leases (provider, slot)
      select ${provider}, generate_series(1, ${this.#options.concurrency}::int)
      on conflict do nothing`.execute(this.#db);
    return numAffectedRows > 0n;
  }
}

/** Retries while the database is unavailable. Throws the signal's reason when the signal is aborted. */
async function retryWhileUnavailable<T>(query: () => Promise<T>, signal: AbortSignal): Promise<T> {
  while (true) {
    signal.throwIfAborted();
    try {
      return await query();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await pause(retryPauseMs, signal);
    }
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
}
