import * as allowances from '../db/ledger/allowances.ts';
import { paidForAnswers } from '../db/ledger/credit-use.ts';
import type { Db, Trx } from '../db/postgres/connect.ts';
import { ApiError } from '../process/api-error.ts';

/** What costs the service something and the caller no credit, each in its own number. */
export type UnpaidWork = Partial<Record<keyof typeof weights, number>>;

/**
 * What one of each weighs, in units. A page that a provider is paid for is the dearest by far; seconds of a
 * check slot add up.
 */
export const weights = {
  upstreamPages: 100,
  slotSeconds: 10,
  keptRows: 2,
  webhookTests: 300,
  deliveries: 100,
  sitemaps: 500,
};

const basePerHour = 20_000;
const perPaidCredit = 50;
const paidDays = 30;
const knownForMs = 60_000;

/** An account's allowance as it stands. */
export interface AllowanceState {
  /** Units that may be caused in an hour. */
  perHour: number;
  /** Units caused and not yet sunk away. */
  used: number;
  /** Credits paid for answers in the last 30 days, which it grows with. */
  paidCredits: number;
  /** What one of each kind of work weighs. */
  weights: Readonly<Record<string, number>>;
}

/**
 * The one allowance for unpaid work: what an account may make the service do without a credit, counted over all
 * processes, refilled with time, and the larger the more it has paid for answers.
 */
export interface Allowance {
  /**
   * Takes what an act is about to cost. Throws ApiError `allowance_exhausted`, and takes nothing, when it is
   * too much.
   */
  take(accountId: number, work: UnpaidWork): Promise<void>;
  /**
   * Throws ApiError `allowance_exhausted` when nothing is left, or less than what others in flight may come to; takes
   * nothing.
   */
  admit(accountId: number, inFlight?: { mayCost?: UnpaidWork; trx?: Trx }): Promise<void>;
  /**
   * Takes what an act is about to cost, beyond the limit too, for what must be possible however much it weighs. Throws
   * ApiError `allowance_exhausted`, and takes nothing, when nothing is left.
   */
  takeLast(accountId: number, work: UnpaidWork): Promise<void>;
  /**
   * Adds what has been done already, beyond the limit too, or gives back what was taken, as less than nothing; with a
   * transaction, as part of it.
   */
  spend(accountId: number, work: UnpaidWork, trx?: Trx): Promise<void>;
  state(accountId: number): Promise<AllowanceState>;
}

/** For what an account is not to be blamed for. */
export const uncounted: Pick<Allowance, 'spend' | 'takeLast'> = {
  spend: async () => {},
  takeLast: async () => {},
};

/** `isOff`: nothing is counted or refused, where limits are switched off. */
export function createAllowance(db: Db, { isOff }: { isOff: boolean }): Allowance {
  const known = new Map<number, { paid: number; untilMs: number }>();
  const paidBy = async (accountId: number, from: Db | Trx = db): Promise<number> => {
    const kept = known.get(accountId);
    if (kept && kept.untilMs > performance.now()) return kept.paid;
    const paid = await paidForAnswers(from, accountId, paidDays);
    // Accounts that come and go leave nothing behind.
    if (known.size >= 10_000) known.clear();
    known.set(accountId, { paid, untilMs: performance.now() + knownForMs });
    return paid;
  };
  const hourlyOf = async (accountId: number, from?: Trx) => ({
    perHour: basePerHour + perPaidCredit * (await paidBy(accountId, from)),
  });
  return {
    take: async (accountId, work) => {
      const weight = weigh(work);
      if (isOff || weight === 0) return;
      const hourly = await hourlyOf(accountId);
      if (await allowances.take(db, accountId, weight, hourly)) return;
      throw exhausted(weight, await allowances.level(db, accountId, hourly), hourly);
    },
    admit: async (accountId, { mayCost = {}, trx } = {}) => {
      if (isOff) return;
      const weight = Math.max(1, weigh(mayCost));
      const levelAt = (perHour: number) => allowances.level(trx ?? db, accountId, { perHour });
      // What has been paid is asked for only where the part that everybody has is used up.
      if ((await levelAt(basePerHour)) + weight <= basePerHour) return;
      const hourly = await hourlyOf(accountId, trx);
      const level = await levelAt(hourly.perHour);
      if (level + weight > hourly.perHour) throw exhausted(weight, level, hourly);
    },
    takeLast: async (accountId, work) => {
      const weight = weigh(work);
      if (isOff || weight === 0) return;
      const hourly = await hourlyOf(accountId);
      if (await allowances.takeLast(db, accountId, weight, hourly)) return;
      throw exhausted(1, await allowances.level(db, accountId, hourly), hourly);
    },
    spend: async (accountId, work, trx) => {
      const weight = weigh(work);
      if (isOff || weight === 0) return;
      await allowances.spend(trx ?? db, accountId, weight, await hourlyOf(accountId, trx));
    },
    state: async (accountId) => {
      const { perHour } = await hourlyOf(accountId);
      const used = await allowances.level(db, accountId, { perHour });
      return { perHour, used: Math.ceil(used), paidCredits: await paidBy(accountId), weights };
    },
  };
}

/** Work in units of the allowance. */
export function weigh(work: UnpaidWork): number {
  return Object.entries(work).reduce(
    (sum, [kind, count]) => sum + weights[kind as keyof typeof weights] * count,
    0,
  );
}

function exhausted(weight: number, level: number, { perHour }: allowances.HourlyAllowance): ApiError {
  const missing = Math.min(level, level + weight - perHour);
  const retryAfterSeconds = Math.max(1, Math.ceil((missing * 3600) / perHour));
  const message =
    'This account has caused too much work that nobody pays for: checks that were refunded, entries that do not fit, ' +
    `webhooks. Nothing was charged. Try again in ${retryAfterSeconds} seconds; GET /api/v1/credits/allowance tells more.`;
  return new ApiError('allowance_exhausted', message, { retryAfterSeconds });
}
