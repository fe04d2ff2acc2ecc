import { sql } from 'kysely';
import type { Role } from '../../schemas/members.ts';
import type { RightHolder } from '../../schemas/operations/rights.ts';
import { deleteAll } from '../notifications/mail-links.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { toStorableText } from '../postgres/text.ts';
import { isOpen } from './accounts.ts';
import { hashKey, isKey, randomKey } from './random-key.ts';
import { endAll as endSteps } from './sign-in-steps.ts';

/** A user who is signed in to an account. */
export interface Session {
  userId: number;
  /** The account that the user selected last. */
  accountId: number;
  email: string;
  /** Current role in the account. */
  role: Role;
}

interface SessionStart {
  /** Null for the user's first account. */
  accountId?: number | null;
  /** IP address; null if unknown. */
  address?: string | null;
  /** User-Agent header; cut at 200 characters. */
  agent?: string | null;
}

/** A session in the list of its user. */
interface SessionSummary {
  /** Id for lists and forms. It is not the secret in the cookie. */
  sessionId: number;
  accountId: number;
  /** IP address when the session began; null if unknown. */
  address: string | null;
  /** User-Agent header when the session began, cut at 200 characters; null if the header was missing. */
  agent: string | null;
  createdAt: Date;
  /** Updated at most every five minutes. */
  lastUsedAt: Date;
  /** True for the session of the request. */
  isThis: boolean;
}

declare const plain: unique symbol;
/** Secret in the session cookie. Only a hash of it is stored. */
export type SessionId = string & { readonly [plain]: true };

/** The session of a request, and its user. */
export interface SessionRef {
  sessionId: SessionId;
  userId: number;
}

/** A session ends after `idleHours` without use, or `absoluteDays` after it began. */
export const sessionLife = { idleHours: 12, absoluteDays: 7 };

/** Creates a session. Deletes expired sessions of all users. */
export async function begin(
  db: Db,
  userId: number,
  { accountId = null, address = null, agent = null }: SessionStart = {},
): Promise<SessionId> {
  await db.deleteFrom('sessions').where(sql<boolean>`not ${isAlive}`).execute();
  const sessionId = randomKey() as SessionId;
  await db
    .insertInto('sessions')
    .values({ hash: hashKey(sessionId), userId, accountId, address, agent: cutAgent(agent) })
    .execute();
  return sessionId;
}

/**
 * Finds a session. Returns null if the session is unknown or has ended. Also returns null if the account is disabled or
 * the user has left the account. With `isUse`, records the use, at most every five minutes.
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
    .select(sql<boolean>`last_used_at < now() - interval '5 minutes'`.as('isUseToRecord'))
    .where('sessions.hash', '=', hash)
    .where(isAlive)
    .executeTakeFirst();
  if (!row || !(await isOpen(db, row.accountId))) return null;
  const { isUseToRecord, ...session } = row;
  if (isUse && isUseToRecord) {
    await db.updateTable('sessions').set({ lastUsedAt: sql`now()` }).where('hash', '=', hash).execute();
  }
  return session;
}

/**
 * Returns the rights of a session in an account. Returns null if the session has ended or the user is not a member.
 * Locks the account like `lockOpenAccount`. `isOpen` is true if the account is open.
 */
export async function findHolder(
  trx: Trx,
  accountId: number,
  { sessionId, userId }: SessionRef,
): Promise<(RightHolder & { isOpen: boolean }) | null> {
  const { rows } = await sql<{ role: Role; isOpen: boolean }>`
    select role, keep_account_open(${accountId}) as is_open from memberships join sessions using (user_id)
    where hash = ${hashKey(sessionId)} and user_id = ${userId} and memberships.account_id = ${accountId}
      and ${isAlive}`.execute(trx);
  return rows[0] ? { ...rows[0], token: null } : null;
}

/** Returns the sessions of a user that have not ended, last used first. `current` marks the session of the request. */
export function list(db: Db, userId: number, current: SessionId): Promise<SessionSummary[]> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.userId', 'sessions.userId')
    .select(['sessions.sessionId', 'sessions.address', 'sessions.agent'])
    .select(['sessions.createdAt', 'sessions.lastUsedAt', accountOfSession.as('accountId')])
    .select(sql<boolean>`hash = ${hashKey(current)}`.as('isThis'))
    .where('sessions.userId', '=', userId)
    .where(isAlive)
    .orderBy('sessions.lastUsedAt', 'desc')
    .orderBy('sessions.sessionId', 'desc')
    .limit(listMax)
    .execute();
}

/** Switches a session to another account. The next call of `find` checks the membership. */
export async function switchAccount(db: Db, sessionId: SessionId, accountId: number): Promise<void> {
  await db.updateTable('sessions').set({ accountId }).where('hash', '=', hashKey(sessionId)).execute();
}

/**
 * Ends a session of a user. Deletes the user's link that confirms a new email address. Returns false if the user has no
 * such session.
 */
export async function endOne(trx: Trx, userId: number, sessionId: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where('sessionId', '=', sessionId)
    .executeTakeFirst();
  if (numDeletedRows > 0n) await deleteAll(trx, userId, 'new_email');
  return numDeletedRows > 0n;
}

/** Ends the sessions of a user in one account. Deletes the user's link that confirms a new email address. */
export async function endInAccount(trx: Trx, userId: number, accountId: number): Promise<void> {
  await deleteAll(trx, userId, 'new_email');
  await trx
    .deleteFrom('sessions')
    .using('users')
    .whereRef('users.userId', '=', 'sessions.userId')
    .where('sessions.userId', '=', userId)
    .where(accountOfSession, '=', accountId)
    .execute();
}

/**
 * Ends a session. Deletes the user's link that confirms a new email address, because this session may have requested
 * the link.
 */
export async function end(trx: Trx, { sessionId, userId }: SessionRef): Promise<void> {
  await deleteAll(trx, userId, 'new_email');
  await trx.deleteFrom('sessions').where('hash', '=', hashKey(sessionId)).execute();
}

/** Ends all sessions of a user. Deletes unused links, and sign-ins that wait for a second factor. */
export async function endAll(db: Db, userId: number): Promise<void> {
  for (const purpose of ['reset', 'sign_in', 'new_email'] as const) await deleteAll(db, userId, purpose);
  await endSteps(db, userId);
  await db.deleteFrom('signInLinks').where('userId', '=', userId).execute();
  await db.deleteFrom('sessions').where('userId', '=', userId).execute();
}

/** Returns null for a text that cannot be a session's id. */
export function parseSessionId(text: string): SessionId | null {
  return isKey(text) ? (text as SessionId) : null;
}

/** Creates a key for one sign-in within a day. Deletes the user's earlier keys. */
export async function createLink(db: Db, userId: number): Promise<string> {
  const key = randomKey();
  await db.deleteFrom('signInLinks').where('userId', '=', userId).execute();
  await db
    .insertInto('signInLinks')
    .values({ hash: hashKey(key), userId })
    .execute();
  return key;
}

/** Returns the user of a sign-in key, which may have expired. Returns null if the key is unknown or was used. */
export async function findLink(db: Db, key: string): Promise<number | null> {
  const row = await db
    .selectFrom('signInLinks')
    .select('userId')
    .where('hash', '=', hashKey(key))
    .executeTakeFirst();
  return row?.userId ?? null;
}

/** Deletes a sign-in key. Returns the user; null if the key is unknown, was used or has expired. */
export async function useLink(db: Db, key: string): Promise<number | null> {
  const row = await db
    .deleteFrom('signInLinks')
    .where('hash', '=', hashKey(key))
    .returning(['userId', sql<boolean>`created_at > now() - interval '1 day'`.as('isFresh')])
    .executeTakeFirst();
  return row?.isFresh ? row.userId : null;
}

const listMax = 100;
const agentLengthMax = 200;

const accountOfSession = sql<number>`coalesce(sessions.account_id, users.account_id)`;

const isAlive = sql<boolean>`(sessions.last_used_at > now() - ${sessionLife.idleHours} * interval '1 hour'
  and sessions.created_at > now() - ${sessionLife.absoluteDays} * interval '1 day')`;

function cutAgent(agent: string | null): string | null {
  return agent && toStorableText(agent).slice(0, agentLengthMax).toWellFormed();
}
