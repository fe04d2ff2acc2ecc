import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from './connect.ts';
import { AnswerCount } from './provider-usage.ts';
import { isDatabaseTrouble } from './trouble.ts';

export interface LeaseOptions {
  /** Calls in flight per provider over all processes. */
  concurrency: number;
  /** Calls per provider and day (UTC); 0 for no limit. */
  dailyLimit: number;
  /** The longest that one call takes; a lease whose holder died lasts some seconds more. */
  timeoutMs: number;
}

/** What one call held, given back, with the pages it cost; safe to call when the database is away. */
export type Leave = (pages: number) => void;

// Checks that somebody waits for always find some places that no batch may take.
const batchShare = 0.75;
const lookAgainMs = [40, 160] as const;
const databaseAgainMs = 500;
const prepareEveryMs = 1000;
const leaseMarginSeconds = 10;

/**
 * Leases and a daily count in Postgres, so that any number of processes together keep to what a provider
 * allows. Of the calls of one process that wait for a provider only the first asks the database, those
 * somebody waits for before the others.
 */
export class ProviderLeases {
  readonly #db: Db;
  readonly #options: LeaseOptions;
  readonly #answers: AnswerCount;
  readonly #lines = new Map<string, Promise<unknown>>();
  readonly #preparedAtMs = new Map<string, number>();

  constructor(db: Db, options: LeaseOptions) {
    this.#db = db;
    this.#options = options;
    this.#answers = new AnswerCount(db);
  }

  /** Counts a check that a provider's pages have answered. */
  answered(provider: string): void {
    this.#answers.add(provider);
  }

  /**
   * Waits for a lease and counts the call. `daily_limit` when the day's calls are used up; rejects with the
   * signal's reason when the caller gives up. While the database is away it waits, too: a check is not to
   * fail for that.
   */
  async enter(provider: string, isUrgent: boolean, signal: AbortSignal): Promise<Leave | 'daily_limit'> {
    const slotMax = isUrgent
      ? this.#options.concurrency
      : Math.max(1, Math.floor(this.#options.concurrency * batchShare));
    const leave = await this.#inLine(`${provider} ${isUrgent}`, () =>
      this.#waitForLease(provider, slotMax, signal),
    );
    try {
      if (await patiently(() => this.#count(provider), signal)) return leave;
    } catch (error) {
      leave(0);
      throw error;
    }
    leave(0);
    return 'daily_limit';
  }

  /** One after the other, each when the one before has its lease or has given up. */
  async #inLine<T>(line: string, act: () => Promise<T>): Promise<T> {
    const before = this.#lines.get(line) ?? Promise.resolve();
    const mine = before.then(act, act);
    const settled = mine.catch(() => {});
    this.#lines.set(line, settled);
    try {
      return await mine;
    } finally {
      if (this.#lines.get(line) === settled) this.#lines.delete(line);
    }
  }

  get #leaseSeconds(): number {
    return Math.ceil(this.#options.timeoutMs / 1000) + leaseMarginSeconds;
  }

  async #waitForLease(provider: string, slotMax: number, signal: AbortSignal): Promise<Leave> {
    const holder = randomUUID();
    while (true) {
      signal.throwIfAborted();
      const slot = await patiently(() => this.#take(provider, slotMax, holder), signal);
      if (slot !== null) return (pages) => void this.#giveBack(provider, slot, holder, pages);
      if (await patiently(() => this.#prepare(provider), signal)) continue;
      const [least, most] = lookAgainMs;
      await pause(least + Math.random() * (most - least), signal);
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

  async #giveBack(provider: string, slot: number, holder: string, pages: number): Promise<void> {
    await sql`
      with paid as (
        insert into provider_usage (provider, day, calls, pages)
        select ${provider}, (now() at time zone 'utc')::date, 0, ${pages}::int where ${pages}::int > 0
        on conflict (provider, day) do update set pages = provider_usage.pages + excluded.pages)
      update provider_leases set holder = null, expires_at = '-infinity'
      where provider = ${provider} and slot = ${slot} and holder = ${holder}`
      .execute(this.#db)
      // The lease ends by itself then.
      .catch(() => {});
  }

  async #count(provider: string): Promise<boolean> {
    const { dailyLimit } = this.#options;
    const { rows } = await sql`
      insert into provider_usage (provider, day, calls) values (${provider}, (now() at time zone 'utc')::date, 1)
      on conflict (provider, day) do update set calls = provider_usage.calls + 1
      where ${dailyLimit} = 0 or provider_usage.calls < ${dailyLimit}
      returning calls`.execute(this.#db);
    return rows.length > 0;
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
