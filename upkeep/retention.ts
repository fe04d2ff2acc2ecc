import { type Db, inTransaction } from '../db/connect.ts';
import * as expired from '../db/expired.ts';

/** Days that results, and verdicts with rank points, are kept. */
export interface Retention {
  days: number;
  historyDays: number;
}

export interface Purged {
  batches: number;
  singleChecks: number;
  idempotencyKeys: number;
  historyPoints: number;
  resultPages: number;
  rateLimits: number;
  revokedTokens: number;
}

// Long enough to tell which token it was that somebody still uses.
const revokedDays = 90;

/**
 * Deletes what has been kept long enough, in small steps, so that it never holds locks for long: inputs,
 * outcomes, deliveries and attempts after `days`, index verdicts and rank points after `historyDays`,
 * idempotency keys after a day, rate-limit windows soon after their end, tokens 90 days after they were
 * revoked. Batch rows with their counters, and the ledger, stay. Answers what this step removed; call it
 * again while it removes something.
 */
export async function purge(db: Db, { days, historyDays }: Retention, stepMax = 20): Promise<Purged> {
  const manyMax = stepMax * 50;
  return {
    batches: await inTransaction(db, (trx) => expired.purgeBatches(trx, days, stepMax)),
    singleChecks: await inTransaction(db, (trx) => expired.purgeSingleChecks(trx, days, manyMax)),
    idempotencyKeys: await expired.purgeKeys(db, manyMax),
    historyPoints: await expired.purgeHistory(db, historyDays, manyMax),
    resultPages: await expired.purgeResultPages(db, days, manyMax),
    rateLimits: await expired.purgeRateLimits(db, manyMax),
    revokedTokens: await expired.purgeTokens(db, revokedDays, manyMax),
  };
}
