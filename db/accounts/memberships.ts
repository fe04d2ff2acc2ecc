import { sql } from 'kysely';
import type { Role } from '../../schemas/members.ts';
import type { Db, Trx } from '../postgres/connect.ts';

export interface Member {
  userId: number;
  email: string;
  role: Role;
  createdAt: Date;
}

/** Returns the members of an account, in the order in which they joined. */
export function list(db: Db, accountId: number): Promise<Member[]> {
  return selectMembers(db).where('memberships.accountId', '=', accountId).execute();
}

/** Returns the owners of an account, in the order in which they joined. A closed account has no owners. */
export function listOwners(db: Db, accountId: number): Promise<Member[]> {
  return selectMembers(db)
    .where('memberships.accountId', '=', accountId)
    .where('role', '=', 'owner')
    .execute();
}

export async function find(db: Db, accountId: number, userId: number): Promise<Member | null> {
  const members = selectMembers(db).where('memberships.accountId', '=', accountId);
  return (await members.where('memberships.userId', '=', userId).executeTakeFirst()) ?? null;
}

/** Returns the accounts of a person, in the order in which the person joined them. */
export function listAccounts(db: Db, userId: number): Promise<{ accountId: number; role: Role }[]> {
  return db
    .selectFrom('memberships')
    .select(['accountId', 'role'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('accountId')
    .execute();
}

/** Adds a person to an account. If the person is already a member, keeps the role and returns false. */
export async function add(trx: Trx, accountId: number, userId: number, role: Role): Promise<boolean> {
  const added = await trx
    .insertInto('memberships')
    .values({ accountId, userId, role })
    .onConflict((conflict) => conflict.doNothing())
    .returning('userId')
    .executeTakeFirst();
  return added !== undefined;
}

/** Changes the role of a member. Call `lockOwners` first if the member is an owner. */
export async function setRole(db: Db, accountId: number, userId: number, role: Role): Promise<void> {
  await db
    .updateTable('memberships')
    .set({ role })
    .where('accountId', '=', accountId)
    .where('userId', '=', userId)
    .execute();
}

/** Removes a person from an account. Call `lockOwners` first if the person is an owner. */
export async function remove(trx: Trx, accountId: number, userId: number): Promise<void> {
  await trx
    .deleteFrom('memberships')
    .where('accountId', '=', accountId)
    .where('userId', '=', userId)
    .execute();
}

/** Locks and returns the owners of an account. No owner can be removed before this transaction ends. */
export async function lockOwners(trx: Trx, accountId: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('memberships')
    .select('userId')
    .where('accountId', '=', accountId)
    .where('role', '=', 'owner')
    .orderBy('userId')
    .forUpdate()
    .execute();
  return rows.map(({ userId }) => userId);
}

function selectMembers(db: Db) {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.userId', 'memberships.userId')
    .select(['memberships.userId', 'users.email', 'memberships.role', 'memberships.createdAt'])
    .orderBy('memberships.createdAt')
    .orderBy('memberships.userId');
}

interface Visitor {
  accountId: number;
  userId: number;
}

/**
 * Records a page view of a member, at most every five minutes. A visit ends after an hour without a page view. Returns
 * the end of the previous visit; null for the first visit.
 */
export async function recordVisit(db: Db, { accountId, userId }: Visitor): Promise<Date | null> {
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
