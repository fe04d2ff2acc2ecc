import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { isOpen } from './accounts.ts';
import type { Db, Trx } from './connect.ts';

/** Who is signed in, and to which account. */
export interface Session {
  userId: number;
  accountId: number;
  email: string;
}

declare const plain: unique symbol;
/** A session's id as the browser keeps it; only its hash is stored. */
export type SessionId = string & { readonly [plain]: true };

/** A session ends so many hours after it was last used, and so many days after it began. */
export const sessionLife = { idleHours: 12, absoluteDays: 7 };

/** Signs a user in under a new id, and forgets whatever sessions have ended by themselves. */
export async function begin(db: Db | Trx, userId: number): Promise<SessionId> {
  await db.deleteFrom('sessions').where(sql<boolean>`not ${isAlive}`).execute();
  const sessionId = randomBytes(32).toString('base64url') as SessionId;
  await db
    .insertInto('sessions')
    .values({ hash: hashOf(sessionId), userId })
    .execute();
  return sessionId;
}

/**
 * Null when it is unknown, has ended, or its account is disabled. Notes its use, at most every five minutes.
 */
export async function find(
  db: Db,
  sessionId: SessionId,
  { isUse }: { isUse: boolean },
): Promise<Session | null> {
  const hash = hashOf(sessionId);
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.userId', 'sessions.userId')
    .select(['users.userId', 'users.accountId', 'users.email'])
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

/** Signs out. */
export async function end(db: Db, sessionId: SessionId): Promise<void> {
  await db.deleteFrom('sessions').where('hash', '=', hashOf(sessionId)).execute();
}

/** Signs a user out everywhere; a link that was made and not used is void, too. */
export async function endAll(db: Db | Trx, userId: number): Promise<void> {
  await db.deleteFrom('signInLinks').where('userId', '=', userId).execute();
  await db.deleteFrom('sessions').where('userId', '=', userId).execute();
}

/** A text that could be a session's id, or null. */
export function parseSessionId(text: string): SessionId | null {
  return /^[\w-]{43}$/.test(text) ? (text as SessionId) : null;
}

/** A key that signs a user in once, within a day. Earlier ones of this user are void. */
export async function makeLink(db: Db, userId: number): Promise<string> {
  const key = randomBytes(32).toString('base64url');
  await db.deleteFrom('signInLinks').where('userId', '=', userId).execute();
  await db
    .insertInto('signInLinks')
    .values({ hash: hashOf(key), userId })
    .execute();
  return key;
}

/** Uses such a key up and answers whose it was; null when it is unknown, used or too old. */
export async function useLink(db: Db, key: string): Promise<number | null> {
  const row = await db
    .deleteFrom('signInLinks')
    .where('hash', '=', hashOf(key))
    .returning(['userId', sql<boolean>`created_at > now() - interval '1 day'`.as('isFresh')])
    .executeTakeFirst();
  return row?.isFresh ? row.userId : null;
}

const isAlive = sql<boolean>`(last_used_at > now() - ${sessionLife.idleHours} * interval '1 hour'
  and sessions.created_at > now() - ${sessionLife.absoluteDays} * interval '1 day')`;

/** No salt and no slow hash: 256 random bits need neither. */
function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
