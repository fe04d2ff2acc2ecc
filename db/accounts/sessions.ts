import { sql } from 'kysely';
import type { Role } from '../../schemas/members.ts';
import type { Holder } from '../../schemas/operations/rights.ts';
import { dropAll } from '../notifications/mail-links.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { storableText } from '../postgres/text.ts';
import { isOpen } from './accounts.ts';
import { hashKey, isKey, randomKey } from './random-key.ts';
import { endAll as endSteps } from './sign-in-steps.ts';

/** Who is signed in, and to which account. */
export interface Session {
  userId: number;
  /** The one that was chosen last, of those that the person is in. */
  accountId: number;
  email: string;
  /** What the person may do in that account at this moment. */
  role: Role;
}

/** Where a session begins. */
export interface SessionStart {
  /** Null for the account that the person began with. */
  accountId?: number | null;
  /** The network address; null when none is known. */
  address?: string | null;
  /** What the browser calls itself; cut at 200 characters. */
  agent?: string | null;
}

/** A session as its person sees it among the others: nothing of it lets anybody in. */
export interface SessionSummary {
  /** Names it in lists and forms; it opens nothing, as the id that the browser keeps does. */
  sessionId: number;
  /** The account that the session is in now. */
  accountId: number;
  /** Of the network, when it began; null when none was known. */
  address: string | null;
  /** What the browser called itself when it began, cut at 200 characters; null when it said nothing. */
  agent: string | null;
  /** When it began, which bounds its life. */
  createdAt: Date;
  /** To five minutes. */
  lastUsedAt: Date;
  /** Whether it is the one that asks. */
  isThis: boolean;
}

declare const plain: unique symbol;
/** A session's id as the browser keeps it; only its hash is stored. */
export type SessionId = string & { readonly [plain]: true };

/** Names the session that a request came with, and whose it is. */
export interface SessionRef {
  sessionId: SessionId;
  userId: number;
}

/** A session ends so many hours after it was last used, and so many days after it began. */
export const sessionLife = { idleHours: 12, absoluteDays: 7 };

/** Signs a user in under a new id, and forgets whatever sessions have ended by themselves. */
export async function begin(
  db: Db | Trx,
  userId: number,
  { accountId = null, address = null, agent = null }: SessionStart = {},
): Promise<SessionId> {
  await db.deleteFrom('sessions').where(sql<boolean>`not ${isAlive}`).execute();
  const sessionId = randomKey() as SessionId;
  await db
    .insertInto('sessions')
    .values({ hash: hashKey(sessionId), userId, accountId, address, agent: agentOf(agent) })
    .execute();
  return sessionId;
}

/**
 * Null when it is unknown, has ended, its account is disabled, or the person is no longer in it. Notes its use, at
 * most every five minutes.
 */
export async function find(
  db: Db,
  sessionId: SessionId,
  { isUse }: { isUse: boolean },
): Promise<Session | null> {
  const hash = hashKey(sessionId);
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.userId', 'sessions.userId')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.userId', '=', 'users.userId')
        .on('memberships.accountId', '=', accountOfSession),
    )
    .select(['users.userId', 'memberships.accountId', 'users.email', 'memberships.role'])
    .select(sql<boolean>`last_used_at < now() - interval '5 minutes'`.as('isUseToNote'))
    .where('sessions.hash', '=', hash)
    .where(isAlive)
    .executeTakeFirst();
  if (!row || !(await isOpen(db, row.accountId))) return null;
  const { isUseToNote, ...session } = row;
  if (isUse && isUseToNote) {
    await db.updateTable('sessions').set({ lastUsedAt: sql`now()` }).where('hash', '=', hash).execute();
  }
  return session;
}

/**
 * What a session may do in an account now; null when it has ended or its person is not in the account. Holds the
 * account (`hold`) and tells whether it is open.
 */
export async function findHolder(
  trx: Trx,
  accountId: number,
  { sessionId, userId }: SessionRef,
): Promise<(Holder & { isOpen: boolean }) | null> {
  const { rows } = await sql<{ role: Role; isOpen: boolean }>`
    select role, hold_account(${accountId}) as is_open from memberships join sessions using (user_id)
    where hash = ${hashKey(sessionId)} and user_id = ${userId} and memberships.account_id = ${accountId}
      and ${isAlive}`.execute(trx);
  return rows[0] ? { ...rows[0], token: null } : null;
}

/** The sessions of a user that have not ended, last used first; `now` is the one that asks. */
export function list(db: Db, userId: number, now: SessionId): Promise<SessionSummary[]> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.userId', 'sessions.userId')
    .select(['sessions.sessionId', 'sessions.address', 'sessions.agent'])
    .select(['sessions.createdAt', 'sessions.lastUsedAt', accountOfSession.as('accountId')])
    .select(sql<boolean>`hash = ${hashKey(now)}`.as('isThis'))
    .where('sessions.userId', '=', userId)
    .where(isAlive)
    .orderBy('sessions.lastUsedAt', 'desc')
    .orderBy('sessions.sessionId', 'desc')
    .limit(listMax)
    .execute();
}

/** Switches a session to another account. `find` checks the membership each time. */
export async function enterAccount(db: Db | Trx, sessionId: SessionId, accountId: number): Promise<void> {
  await db.updateTable('sessions').set({ accountId }).where('hash', '=', hashKey(sessionId)).execute();
}

/** Ends one session of a user and drops their new-address link; false when they have none with this id. */
export async function endOne(trx: Trx, userId: number, sessionId: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where('sessionId', '=', sessionId)
    .executeTakeFirst();
  if (numDeletedRows > 0n) await dropAll(trx, userId, 'new_email');
  return numDeletedRows > 0n;
}

/** Ends the sessions of a user that are in one account, and drops the user's new-address link. */
export async function endIn(trx: Trx, userId: number, accountId: number): Promise<void> {
  await dropAll(trx, userId, 'new_email');
  await trx
    .deleteFrom('sessions')
    .using('users')
    .whereRef('users.userId', '=', 'sessions.userId')
    .where('sessions.userId', '=', userId)
    .where(accountOfSession, '=', accountId)
    .execute();
}

/** Signs out, and drops the user's new-address link: that session may have asked for it. */
export async function end(trx: Trx, { sessionId, userId }: SessionRef): Promise<void> {
  await dropAll(trx, userId, 'new_email');
  await trx.deleteFrom('sessions').where('hash', '=', hashKey(sessionId)).execute();
}

/**
 * Signs a user out everywhere; a link that was made and not used is void, too, and so is a sign-in that awaits a
 * second factor.
 */
export async function endAll(db: Db | Trx, userId: number): Promise<void> {
  for (const purpose of ['reset', 'sign_in', 'new_email'] as const) await dropAll(db, userId, purpose);
  await endSteps(db, userId);
  await db.deleteFrom('signInLinks').where('userId', '=', userId).execute();
  await db.deleteFrom('sessions').where('userId', '=', userId).execute();
}

/** A text that could be a session's id, or null. */
export function parseSessionId(text: string): SessionId | null {
  return isKey(text) ? (text as SessionId) : null;
}

/** A key that signs a user in once, within a day. Earlier ones of this user are void. */
export async function makeLink(db: Db, userId: number): Promise<string> {
  const key = randomKey();
  await db.deleteFrom('signInLinks').where('userId', '=', userId).execute();
  await db
    .insertInto('signInLinks')
    .values({ hash: hashKey(key), userId })
    .execute();
  return key;
}

/** The user whose key it is; null when it is unknown or used. */
export async function findLink(db: Db, key: string): Promise<number | null> {
  const row = await db
    .selectFrom('signInLinks')
    .select('userId')
    .where('hash', '=', hashKey(key))
    .executeTakeFirst();
  return row?.userId ?? null;
}

/** Uses such a key up and answers whose it was; null when it is unknown, used or too old. */
export async function useLink(db: Db | Trx, key: string): Promise<number | null> {
  const row = await db
    .deleteFrom('signInLinks')
    .where('hash', '=', hashKey(key))
    .returning(['userId', sql<boolean>`created_at > now() - interval '1 day'`.as('isFresh')])
    .executeTakeFirst();
  return row?.isFresh ? row.userId : null;
}

const listMax = 100;
const agentLengthMax = 200;

/** Of a session that was begun before sessions named one it is the account that its user began with. */
const accountOfSession = sql<number>`coalesce(sessions.account_id, users.account_id)`;

const isAlive = sql<boolean>`(sessions.last_used_at > now() - ${sessionLife.idleHours} * interval '1 hour'
  and sessions.created_at > now() - ${sessionLife.absoluteDays} * interval '1 day')`;

function agentOf(agent: string | null): string | null {
  return agent && storableText(agent).slice(0, agentLengthMax).toWellFormed();
}
