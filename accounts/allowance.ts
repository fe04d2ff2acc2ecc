import * as allowances from '../db/ledger/allowances.ts';
import { paidForAnswers } from '../db/ledger/credit-use.ts';
import type { Db, Trx } from '../db/postgres/connect.ts';
import { ApiError } from '../process/api-error.ts';

/** Work that costs the service something and the caller no credit, each kind in its own number. */
export type UnbilledWork = Partial<Record<keyof typeof weights, number>>;

/**
 * Units that one of each costs. A page that a provider is paid for is the dearest by far; seconds of a check slot add
 * up.
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
interface AllowanceState {
  /** Units that may be used in an hour. */
  perHour: number;
  /** Units used that have not been worked off yet. */
  used: number;
  /** Credits paid for answers in the last 30 days, which it grows with. */
  paidCredits: number;
  /** Units that one of each kind of work costs. */
  weights: Readonly<Record<string, number>>;
}

/**
 * The one allowance for unbilled work: what an account may make the service do without a credit, counted over all
 * processes, refilled with time, and the larger the more it has paid for answers. Work is counted when it was done, so
 * an account can exceed the allowance by what it has in flight. Nothing more begins until the excess is worked off.
 */
export interface Allowance {
  /** Throws ApiError `allowance_exhausted` when nothing is left. */
  requireLeft(accountId: number): Promise<void>;
  /** Adds what was done, beyond the limit too. */
  recordUnbilled(db: Db | Trx, accountId: number, work: UnbilledWork): Promise<void>;
  state(accountId: number): Promise<AllowanceState>;
}

/** For work that the account did not cause. */
export const uncounted: Pick<Allowance, 'recordUnbilled'> = { recordUnbilled: async () => {} };

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
  const perHourOf = async (accountId: number, from?: Db | Trx) =>
    basePerHour + perPaidCredit * (await paidBy(accountId, from));
  return {
    requireLeft: async (accountId) => {
      if (isOff) return;
      // What was paid is only looked up when the part that everybody has is used up.
      if ((await allowances.used(db, accountId, basePerHour)) < basePerHour) return;
      const perHour = await perHourOf(accountId);
      const used = await allowances.used(db, accountId, perHour);
      if (used >= perHour) throw exhausted(used, perHour);
    },
    recordUnbilled: async (from, accountId, work) => {
      const cost = costOf(work);
      if (isOff || cost === 0) return;
      await allowances.add(from, accountId, cost, await perHourOf(accountId, from));
    },
    state: async (accountId) => {
      const perHour = await perHourOf(accountId);
      const used = await allowances.used(db, accountId, perHour);
      return { perHour, used: Math.ceil(used), paidCredits: await paidBy(accountId), weights };
    },
  };
}

/** Converts work to units of the allowance. */
export function costOf(work: UnbilledWork): number {
  return Object.entries(work).reduce(
    (sum, [kind, count]) => sum + weights[kind as keyof typeof weights] * count,
    0,
  );
}

function exhausted(used: number, perHour: number): ApiError {
  const retryAfterSeconds = Math.max(1, Math.ceil(((used - perHour) * 3600) / perHour));
  const message =
    'Too many unbilled operations in the last hour, such as refunded checks, invalid entries and webhook tests. ' +
    `Nothing was charged. Try again in ${retryAfterSeconds} seconds; GET /api/v1/credits/allowance tells more.`;
  return new ApiError('allowance_exhausted', message, { retryAfterSeconds });
}
