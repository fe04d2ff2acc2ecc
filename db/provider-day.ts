import { sql } from 'kysely';
import { type Db, inTransaction, type Trx } from './connect.ts';

/** One call that is about to go out, and the calls that a provider allows a day; 0 for no limit. */
export interface DayCall {
  provider: string;
  /** Null for nobody's, which takes no account's share. */
  accountId: number | null;
  dailyLimit: number;
  /** How much of the day (UTC) is over, 0 to 1. */
  dayPassed: number;
}

// Of the calls of a day, so many are for accounts that have made none; and an account is held to this part of what
// the others have left. Both are given up as the day passes: what nobody came for by its end would be lost.
const newcomersShare = 0.1;
const ownShare = 0.5;
const today = sql`(now() at time zone 'utc')::date`;

/**
 * Counts a call, whatever will come of it. False, and nothing is counted, when the day's calls are used up, or the
 * account's share of them: half of what the others have left beyond a tenth, which is for first calls. An account that
 * is the only one has no share to keep to.
 */
export async function countCall(db: Db, call: DayCall): Promise<boolean> {
  const { accountId, dailyLimit } = call;
  if (dailyLimit === 0 || accountId === null) return (await countOfAll(db, call)) !== null;
  try {
    return await inTransaction(db, async (trx) => {
      // Its row is locked from here on, so that one call is counted after the other.
      const calls = await countOfAll(trx, call);
      if (calls === null) return false;
      if (await countOfAccount(trx, { ...call, accountId }, calls - 1)) return true;
      throw new OverShare();
    });
  } catch (error) {
    if (error instanceof OverShare) return false;
    throw error;
  }
}

/** Undoes the count of a call that was one too many. */
class OverShare extends Error {}

async function countOfAll(db: Db | Trx, { provider, dailyLimit }: DayCall): Promise<number | null> {
  const { rows } = await sql<{ calls: number }>`
    insert into provider_usage (provider, day, calls) values (${provider}, ${today}, 1)
    on conflict (provider, day) do update set calls = provider_usage.calls + 1
    where ${dailyLimit} = 0 or provider_usage.calls < ${dailyLimit}
    returning calls`.execute(db);
  return rows[0]?.calls ?? null;
}

async function countOfAccount(
  trx: Trx,
  { provider, accountId, dailyLimit, dayPassed }: DayCall & { accountId: number },
  callsBefore: number,
): Promise<boolean> {
  const shared = dailyLimit - Math.floor(dailyLimit * newcomersShare * (1 - dayPassed));
  const share = Math.max(ownShare, dayPassed);
  const ofOthers = sql`(${callsBefore}::bigint - provider_shares.calls)`;
  const count = (isHeld: boolean) => sql`
    insert into provider_shares (account_id, provider, day, calls) values (${accountId}, ${provider}, ${today}, 1)
    on conflict (account_id, provider) do update
    set day = excluded.day,
      calls = case when provider_shares.day = excluded.day then provider_shares.calls + 1 else 1 end
    where provider_shares.day <> excluded.day or not ${isHeld}::boolean
      or provider_shares.calls < ${share}::float8 * (${shared}::bigint - ${ofOthers})
    returning calls`;
  const { rows } = await count(true).execute(trx);
  if (rows.length > 0) return true;
  if (await hasOthers(trx, accountId)) return false;
  await count(false).execute(trx);
  return true;
}

async function hasOthers(trx: Trx, accountId: number): Promise<boolean> {
  const other = await trx
    .selectFrom('accounts')
    .select('accountId')
    .where('accountId', '<>', accountId)
    .where('disabledAt', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}
