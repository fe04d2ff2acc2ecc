import { sql } from 'kysely';
import type { Db } from '../postgres/connect.ts';

/** One call that is about to go out, and the calls that a provider allows a day; 0: no limit, nothing to count. */
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
 * is the only one has no share to keep to. The day's limit is exact; what others count in the same moment is not yet
 * taken from the share.
 */
export async function countCall(db: Db, call: DayCall): Promise<boolean> {
  const { accountId } = call;
  if (accountId === null) return countForAll(db, call);
  const own = { ...call, accountId };
  return (await count(db, own, true)) || (!(await hasOthers(db, accountId)) && count(db, own, false));
}

/** Whether a call would be counted now; counts nothing. */
export async function mayCall(db: Db, call: DayCall): Promise<boolean> {
  const { accountId, dailyLimit } = call;
  if (dailyLimit === 0) return true;
  const { rows } = await sql<{ isAnyLeft: boolean; isShareLeft: boolean }>`
    with known as (${known(call)})
    select total < ${dailyLimit} as is_any_left, own = 0 or own < (${shareOf(call)}) as is_share_left
    from known`.execute(db);
  const { isAnyLeft = false, isShareLeft = false } = rows[0] ?? {};
  return isAnyLeft && (accountId === null || isShareLeft || !(await hasOthers(db, accountId)));
}

async function countForAll(db: Db, { provider, dailyLimit }: DayCall): Promise<boolean> {
  const { rows } = await sql`
    insert into provider_usage (provider, day, calls) values (${provider}, ${today}, 1)
    on conflict (provider, day) do update set calls = provider_usage.calls + 1
    where provider_usage.calls < ${dailyLimit}
    returning calls`.execute(db);
  return rows.length > 0;
}

/**
 * One statement, so that no process that stops half-way holds the row that all others count in; that row comes last.
 * A share counted for a call that then was one too many for the day takes nothing from anybody: the day is over.
 */
async function count(db: Db, call: DayCall & { accountId: number }, isHeld: boolean): Promise<boolean> {
  const { provider, accountId, dailyLimit } = call;
  const { rows } = await sql`
    with known as (${known(call)}),
    share as (
      insert into provider_shares (account_id, provider, day, calls)
      select ${accountId}::bigint, ${provider}, ${today}, 1 from known where total < ${dailyLimit}
      on conflict (account_id, provider) do update
      set day = excluded.day,
        calls = case when provider_shares.day = excluded.day then provider_shares.calls + 1 else 1 end
      where provider_shares.day <> excluded.day or not ${isHeld}::boolean
        or provider_shares.calls < (select ${shareOf(call)} from known)
      returning calls)
    insert into provider_usage (provider, day, calls)
    select ${provider}, ${today}, 1 from share
    on conflict (provider, day) do update set calls = provider_usage.calls + 1
    where provider_usage.calls < ${dailyLimit}
    returning calls`.execute(db);
  return rows.length > 0;
}

/** The calls of the day so far: the provider's in all, and of them the account's. */
function known({ provider, accountId }: DayCall) {
  return sql`
    select coalesce((select calls from provider_usage where provider = ${provider} and day = ${today}), 0) as total,
      coalesce((select calls from provider_shares
        where account_id = ${accountId}::bigint and provider = ${provider} and day = ${today}), 0) as own`;
}

/** How many calls an account may have made in all, of what is `known`. */
function shareOf({ dailyLimit, dayPassed }: DayCall) {
  const shared = dailyLimit - Math.floor(dailyLimit * newcomersShare * (1 - dayPassed));
  return sql`${Math.max(ownShare, dayPassed)}::float8 * (${shared}::bigint - (total - own))`;
}

async function hasOthers(db: Db, accountId: number): Promise<boolean> {
  const other = await db
    .selectFrom('accounts')
    .select('accountId')
    .where('accountId', '<>', accountId)
    .where('disabledAt', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}
