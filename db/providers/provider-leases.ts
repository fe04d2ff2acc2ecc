import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../postgres/connect.ts';
import { isDatabaseTrouble } from '../postgres/trouble.ts';
import { ProviderLine } from './provider-line.ts';
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
  /** Until then another call of this process may begin under it. */
  freshUntilMs: number;
}

// Checks that somebody waits for always find some places that no batch may take.
const batchShare = 0.75;
// Of all places, so many are for accounts that have no call out in this process.
const newcomersShare = 0.1;
// Of all places, so many at most are one account's while it waits.
const urgentShareMax = 0.5;
const databaseAgainMs = 500;
const prepareEveryMs = 1000;
const leaseMarginSeconds = 10;
// A place that is free goes to the next who waits here without being given back, for so long.
const freshMs = 2000;

/**
 * Leases and a daily count in Postgres, so that any number of processes together keep to what a provider allows. Of the
 * calls of one process that wait for a provider one at a time asks the database, in turn over accounts; those somebody
 * waits for stand in a line of their own.
 */
export class ProviderLeases {
  readonly #db: Db;
  readonly #options: LeaseOptions;
  readonly #usage: UsageCount;
  readonly #lines = new Map<string, ProviderLine<Lease>>();
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
    const line = this.#lineOf(provider, isUrgent);
    const lease = await line.wait(accountId, signal);
    const release = () => {
      const isFresh = performance.now() < lease.freshUntilMs;
      if (line.leave(accountId, isFresh ? lease : null)) return;
      void this.#giveBack(provider, lease).finally(() => line.freed());
    };
    return { release };
  }

  /**
   * Counts a call that goes out. Returns false, and counts nothing, when the day's calls are used up. Waits while the
   * database is away. Errors: the signal's reason.
   */
  async countCall(provider: string, signal: AbortSignal): Promise<boolean> {
    const { dailyLimit } = this.#options;
    if (dailyLimit > 0) return patiently(() => countCallOfDay(this.#db, provider, dailyLimit), signal);
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

  /** Tells what is counted and untold, once no call will come any more. */
  close(): Promise<void> {
    return this.#usage.tell();
  }

  #lineOf(provider: string, isUrgent: boolean): ProviderLine<Lease> {
    const key = `${provider} ${isUrgent}`;
    const known = this.#lines.get(key);
    if (known) return known;
    const { concurrency } = this.#options;
    const places = isUrgent ? concurrency : Math.max(1, Math.floor(concurrency * batchShare));
    const line = new ProviderLine<Lease>({
      take: (slotMax) => this.#lease(provider, slotMax),
      giveBack: (lease) => void this.#giveBack(provider, lease),
      isWithin: ({ slot }, placeMax) => slot <= placeMax,
      placeMaxForNewcomers: places,
      placeMax: Math.max(1, places - Math.floor(concurrency * newcomersShare)),
      perAccount: isUrgent ? Math.max(1, Math.floor(concurrency * urgentShareMax)) : Number.POSITIVE_INFINITY,
    });
    this.#lines.set(key, line);
    return line;
  }

  get #leaseSeconds(): number {
    return Math.ceil((freshMs + this.#options.timeoutMs) / 1000) + leaseMarginSeconds;
  }

  /** Null also when the database is away, so that whoever waits goes on waiting. */
  async #lease(provider: string, slotMax: number): Promise<Lease | null> {
    const holder = randomUUID();
    const freshUntilMs = performance.now() + freshMs;
    try {
      const slot =
        (await this.#take(provider, slotMax, holder)) ??
        ((await this.#prepare(provider)) ? await this.#take(provider, slotMax, holder) : null);
      return slot === null ? null : { slot, holder, freshUntilMs };
    } catch (error) {
      if (!isDatabaseTrouble(error)) throw error;
      await sleep(databaseAgainMs);
      return null;
    }
  }

  async #take(provider: string, slotMax: number, holder: string): Promise<number | null> {
    const { rows } = await sql<{ slot: number }>`
      update provider_leases
      set holder = ${holder}, expires_at = now() + ${this.#leaseSeconds} * interval '1 second'
      where (provider, slot) = (
        select provider, slot from provider_leases
        where provider = ${provider} and slot <= ${slotMax} and expires_at < now()
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

/** Asks the database until it can be asked; rejects with the signal's reason when the caller gives up. */
async function patiently<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  while (true) {
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
