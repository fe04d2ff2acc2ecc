import { addUsedUnits, findUsedUnits, sumPaidForAnswers } from '../db/ledger/ledger.ts';
import type { Db } from '../db/postgres/connect.ts';
import { ApiError } from '../process/api-error.ts';
import { formatWait } from '../process/counted.ts';

/** Amounts of work that the service does without charging credits, by kind. */
export type UnbilledWork = Partial<Record<keyof typeof unitCosts, number>>;

/** Cost of each kind of work, in units of the allowance. */
export const unitCosts = {
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

interface AllowanceState {
  /** Units that may be used in an hour. */
  perHour: number;
  /** Used units that are not refilled yet. */
  used: number;
  /** Credits paid for answers in the last 30 days. The allowance grows with them. */
  paidCredits: number;
  unitCosts: Readonly<Record<string, number>>;
}

/**
 * Limits the unbilled work of an account, such as refunded checks. All processes share the allowance. The allowance
 * refills with time and grows with the credits that the account has paid for answers. Most work is added to the used
 * units when it is done, so running work can exceed the allowance. New work is then refused while the excess lasts.
 */
export interface Allowance {
  /** Throws ApiError `allowance_exhausted` when nothing is left. */
  requireRemaining(accountId: number): Promise<void>;
  /** Adds work to the used units. The sum can exceed the allowance. */
  recordUnbilled(db: Db, accountId: number, work: UnbilledWork): Promise<void>;
  state(accountId: number): Promise<AllowanceState>;
}

/** Allowance that counts nothing, for work that the account did not cause. */
export const uncountedAllowance: Pick<Allowance, 'recordUnbilled'> = { recordUnbilled: async () => {} };

/** With `isOff`, nothing is counted or refused. */
export function createAllowance(db: Db, { isOff }: { isOff: boolean }): Allowance {
  const known = new Map<number, { paid: number; untilMs: number }>();
  const getPaidCredits = async (accountId: number, from: Db = db): Promise<number> => {
    const kept = known.get(accountId);
    if (kept && kept.untilMs > performance.now()) return kept.paid;
    const paid = await sumPaidForAnswers(from, accountId, paidDays);
    if (known.size >= 10_000) known.clear();
    known.set(accountId, { paid, untilMs: performance.now() + knownForMs });
    return paid;
  };
  const getUnitsPerHour = async (accountId: number, from?: Db) =>
    basePerHour + perPaidCredit * (await getPaidCredits(accountId, from));
  return {
    requireRemaining: async (accountId) => {
      if (isOff) return;
      // Most accounts stay below the base allowance, and need no query for their paid credits.
      if ((await findUsedUnits(db, accountId, basePerHour)) < basePerHour) return;
      const perHour = await getUnitsPerHour(accountId);
      const used = await findUsedUnits(db, accountId, perHour);
      if (used >= perHour) throw exhausted(used, perHour);
    },
    recordUnbilled: async (from, accountId, work) => {
      const cost = toUnits(work);
      if (isOff || cost === 0) return;
      await addUsedUnits(from, accountId, cost, await getUnitsPerHour(accountId, from));
    },
    state: async (accountId) => {
      const perHour = await getUnitsPerHour(accountId);
      const used = await findUsedUnits(db, accountId, perHour);
      return {
        perHour,
        used: Math.ceil(used),
        paidCredits: await getPaidCredits(accountId),
        unitCosts,
      };
    },
  };
}

export function toUnits(work: UnbilledWork): number {
  return Object.entries(work).reduce(
    (sum, [kind, count]) => sum + unitCosts[kind as keyof typeof unitCosts] * count,
    0,
  );
}

function exhausted(used: number, perHour: number): ApiError {
  const retryAfterSeconds = Math.max(1, Math.ceil(((used - perHour) * 3600) / perHour));
  const message =
    'Too many unbilled operations in the last hour, such as refunded checks and webhook tests. ' +
    `You were not charged. Try again in ${formatWait(retryAfterSeconds)}.`;
  return new ApiError('allowance_exhausted', message, { retryAfterSeconds });
}
