import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sql } from 'kysely';
import { isOpen } from './accounts.ts';
import type { Db, Trx } from './connect.ts';
import { atOnce, sideBySide } from './prompt-transaction.ts';

declare const plain: unique symbol;
/** A token as its holder knows it: shown once, never stored. */
export type PlainToken = string & { readonly [plain]: true };

declare const hashed: unique symbol;
/** A token as it is stored and looked for: its SHA-256. */
type HashedToken = Buffer & { readonly [hashed]: true };

/** Who is calling, by which token. */
export interface Caller {
  accountId: number;
  tokenId: number;
}

/** A token as lists show it: nothing of it lets anybody in. */
export interface TokenSummary {
  tokenId: number;
  /** Its maker's own words. */
  name: string;
  lastFour: string;
  createdAt: Date;
  /** To the minute; null until its first use. */
  lastUsedAt: Date | null;
  /** From when on it is not valid; null while it is. Moved once. */
  revokedAt: Date | null;
}

// An account may have 100 that are valid; the rest of the room is for revoked ones.
const listMax = 300;
const prefix = 'sonde_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 30;
const checksumLength = 6;

/** Makes a token and answers it in plain, for the only time. */
export async function issue(db: Db | Trx, accountId: number, name: string): Promise<PlainToken> {
  const token = randomToken();
  await db
    .insertInto('apiTokens')
    .values({ accountId, name, hash: hashToken(token), lastFour: token.slice(-4) })
    .execute();
  return token;
}

/** A string that could be a token of ours, or null: a mistyped one is dropped without a query. */
export function parseToken(text: string): PlainToken | null {
  const body = text.slice(prefix.length, -checksumLength);
  const isWellFormed =
    text.startsWith(prefix) && body.length === randomLength && text.endsWith(checksum(prefix + body));
  return isWellFormed ? (text as PlainToken) : null;
}

/**
 * Finds whom a token belongs to and notes its use, at most once a minute, as one act. Null when it is unknown
 * or revoked or its account is disabled. Where writing fails (a read-only replica, a full disk) finding still
 * works.
 */
export async function findCaller(db: Db, token: PlainToken): Promise<Caller | null> {
  const hash = hashToken(token);
  const row = await findOpen(db, hash);
  if (!row) return null;
  if (row.isUseToNote) await noteUse(db, row.tokenId).catch(() => {});
  return { accountId: row.accountId, tokenId: row.tokenId };
}

/** Whose a token is, which never changes: where that is known, its account is asked for beside it. */
const owners = new Map<string, number>();
const ownersMax = 10_000;

async function findOpen(db: Db, hash: HashedToken) {
  const name = hash.toString('base64');
  const owner = owners.get(name);
  if (owner === undefined) {
    const row = await findValid(db, hash);
    if (!row || !(await isOpen(db, row.accountId))) return null;
    if (owners.size >= ownersMax) owners.clear();
    owners.set(name, row.accountId);
    return row;
  }
  return atOnce(db, async (connection) => {
    const [row, isOwnerOpen] = await sideBySide([findValid(connection, hash), isOpen(connection, owner)]);
    return row?.accountId === owner && isOwnerOpen ? row : null;
  });
}

function findValid(db: Db, hash: HashedToken) {
  return db
    .selectFrom('apiTokens')
    .select(['accountId', 'tokenId'])
    .select(sql<boolean>`coalesce(last_used_at < now() - interval '1 minute', true)`.as('isUseToNote'))
    .where('hash', '=', hash)
    .where('revokedAt', 'is', null)
    .executeTakeFirst();
}

/**
 * An account's tokens: those that are valid, newest first, and then as many revoked ones as there is room
 * for.
 */
export function list(db: Db, accountId: number): Promise<TokenSummary[]> {
  return db
    .selectFrom('apiTokens')
    .select(['tokenId', 'name', 'lastFour', 'createdAt', 'lastUsedAt', 'revokedAt'])
    .where('accountId', '=', accountId)
    .orderBy(sql`revoked_at is null`, 'desc')
    .orderBy('tokenId', 'desc')
    .limit(listMax)
    .execute();
}

/** From the next request on it is not valid. False when the account has none with this id. */
export async function revoke(db: Db, accountId: number, tokenId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('apiTokens')
    .set(revokedNow)
    .where('accountId', '=', accountId)
    .where('tokenId', '=', tokenId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The same for an operator who has the token itself, or its id alone. */
export async function revokeAny(db: Db, which: PlainToken | number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('apiTokens')
    .set(revokedNow)
    .$if(typeof which === 'number', (query) => query.where('tokenId', '=', Number(which)))
    .$if(typeof which === 'string', (query) => query.where('hash', '=', hashToken(String(which))))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const revokedNow = { revokedAt: sql<Date>`coalesce(revoked_at, now())` };

async function noteUse(db: Db, tokenId: number): Promise<void> {
  await db.updateTable('apiTokens').set({ lastUsedAt: sql`now()` }).where('tokenId', '=', tokenId).execute();
}

function randomToken(): PlainToken {
  const body = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${prefix}${body}${checksum(prefix + body)}` as PlainToken;
}

/** CRC32 in base 62, as GitHub's tokens end (github.blog, 5 April 2021). */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < checksumLength; place++) {
    digits = `${alphabet[rest % alphabet.length]}${digits}`;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}

/** No salt and no slow hash: 178 random bits need neither. */
function hashToken(token: string): HashedToken {
  return createHash('sha256').update(token).digest() as HashedToken;
}
