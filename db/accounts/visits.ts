import { sql } from 'kysely';
import type { Db } from '../postgres/connect.ts';

/** Whose visit it is: each member of an account has their own visits. */
interface Visitor {
  accountId: number;
  userId: number;
}

/**
 * Notes that a member looks, at most every five minutes; an hour without a look ends a visit. Answers when the visit
 * before this one ended; null before there was one.
 */
export async function note(db: Db, { accountId, userId }: Visitor): Promise<Date | null> {
  const { rows } = await sql<{ lastVisitAt: Date | null }>`
    update memberships set visited_at = clock(),
      last_visit_at = case when visited_at < clock() - interval '1 hour' then visited_at else last_visit_at end
    where account_id = ${accountId} and user_id = ${userId}
      and (visited_at is null or visited_at < clock() - interval '5 minutes')
    returning last_visit_at`.execute(db);
  if (rows[0]) return rows[0].lastVisitAt;
  const row = await db
    .selectFrom('memberships')
    .select('lastVisitAt')
    .where('accountId', '=', accountId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row?.lastVisitAt ?? null;
}
