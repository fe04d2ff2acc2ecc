import { sql } from 'kysely';
import type { Trx } from '../postgres/connect.ts';

/** Deletes windows that have ended. */
export async function purgeRateLimits(trx: Trx, stepMax: number): Promise<number> {
  // A minute late, since a window ends by the clock of the process that began it.
  const { numAffectedRows } = await sql`
    delete from rate_limits where key in (
      select key from rate_limits where expire < extract(epoch from now() - interval '1 minute') * 1000
      limit ${stepMax} for update skip locked)`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Deletes tokens that were revoked `days` ago. */
export async function purgeTokens(trx: Trx, days: number, stepMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from api_tokens where token_id in (
      select token_id from api_tokens where revoked_at < now() - ${days} * interval '1 day'
      limit ${stepMax} for update skip locked)`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Deletes what is noted of acts of `days` ago. */
export async function purgeActivity(trx: Trx, days: number, stepMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from activity where (account_id, activity_id) in (
      select account_id, activity_id from activity where noted_at < now() - ${days} * interval '1 day'
      order by noted_at limit ${stepMax} for update skip locked)`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
