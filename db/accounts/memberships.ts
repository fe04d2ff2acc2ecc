import { sql } from 'kysely';
import type { Role } from '../../schemas/members.ts';
import type { Db, Trx } from '../postgres/connect.ts';

/** A person in an account. */
export interface Member {
  userId: number;
  email: string;
  role: Role;
  /** When the member joined this account. */
  createdAt: Date;
}

/** An account that a person is in. */
export interface Membership {
  accountId: number;
  role: Role;
}

/** The members of an account, who came first before the others. */
export function list(db: Db | Trx, accountId: number): Promise<Member[]> {
  return selectMembers(db).where('memberships.accountId', '=', accountId).execute();
}

/** The owners of an account, the first one first; none once it was closed. */
export function ownersOf(db: Db | Trx, accountId: number): Promise<Member[]> {
  return selectMembers(db)
    .where('memberships.accountId', '=', accountId)
    .where('role', '=', 'owner')
    .execute();
}

/** One member; null when the person is not in the account. */
export async function find(db: Db | Trx, accountId: number, userId: number): Promise<Member | null> {
  const members = selectMembers(db).where('memberships.accountId', '=', accountId);
  return (await members.where('memberships.userId', '=', userId).executeTakeFirst()) ?? null;
}

/** The accounts that a person is in, the longest first. */
export function accountsOf(db: Db | Trx, userId: number): Promise<Membership[]> {
  return db
    .selectFrom('memberships')
    .select(['accountId', 'role'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('accountId')
    .execute();
}

/** Adds a person to an account. Returns false, and keeps the role, if they are in it. */
export async function add(trx: Trx, accountId: number, userId: number, role: Role): Promise<boolean> {
  const added = await trx
    .insertInto('memberships')
    .values({ accountId, userId, role })
    .onConflict((conflict) => conflict.doNothing())
    .returning('userId')
    .executeTakeFirst();
  return added !== undefined;
}

/** Gives a member another role. Call `lockOwners` before taking an owner's role. */
export async function setRole(db: Db | Trx, accountId: number, userId: number, role: Role): Promise<void> {
  await db
    .updateTable('memberships')
    .set({ role })
    .where('accountId', '=', accountId)
    .where('userId', '=', userId)
    .execute();
}

/** Takes a person out of an account. Call `lockOwners` before taking an owner out. */
export async function remove(trx: Trx, accountId: number, userId: number): Promise<void> {
  await trx
    .deleteFrom('memberships')
    .where('accountId', '=', accountId)
    .where('userId', '=', userId)
    .execute();
}

/** The owners of an account, none of whom ceases to be one before this transaction ends. */
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

function selectMembers(db: Db | Trx) {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.userId', 'memberships.userId')
    .select(['memberships.userId', 'users.email', 'memberships.role', 'memberships.createdAt'])
    .orderBy('memberships.createdAt')
    .orderBy('memberships.userId');
}

/** Whose visit it is: each member of an account has their own visits. */
interface Visitor {
  accountId: number;
  userId: number;
}

/**
 * Notes that a member looks, at most every five minutes; an hour without a look ends a visit. Answers when the visit
 * before this one ended; null before there was one.
 */
export async function noteVisit(db: Db, { accountId, userId }: Visitor): Promise<Date | null> {
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
