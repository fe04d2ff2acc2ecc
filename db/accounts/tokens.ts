import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type CompiledQuery, type InferResult, sql } from 'kysely';
import type { Role } from '../../schemas/members.ts';
import type { RightHolder } from '../../schemas/operations/rights.ts';
import type { Scope } from '../../schemas/scopes.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { isOpen } from './accounts.ts';
import { type HashedKey, hashKey } from './random-key.ts';

declare const plain: unique symbol;
/** A token in plain text. It is shown once and never stored. */
export type PlainToken = string & { readonly [plain]: true };

/** The token of a request, with its account and creator. */
export interface Caller {
  accountId: number;
  tokenId: number;
  /** Chosen by the creator. */
  name: string;
  scope: Scope;
  /** Null if the token never expires. The expiry never changes. */
  expiresAt: Date | null;
  /** Maximum credits that the token can charge per calendar month (UTC); null without a limit. */
  creditsPerMonth: number | null;
  /** True if the token's checks return simulated answers and cost nothing. Never changes. */
  isTest: boolean;
  /** User who created the token; null for the operator. */
  userId: number | null;
  /** Current email of the creator; null without a creator. */
  email: string | null;
  /** Current role of the creator; `owner` for tokens of the operator. */
  role: Role;
}

/** Ids of a token and its creator, who never changes. */
export type TokenRef = Pick<Caller, 'tokenId' | 'userId'>;

export interface TokenSummary extends Omit<Caller, 'accountId' | 'role'> {
  lastFour: string;
  createdAt: Date;
  /** Updated at most once a minute; null until the first use. */
  lastUsedAt: Date | null;
  /** Null if the token was not revoked. */
  revokedAt: Date | null;
}

// An account can have 100 valid tokens. The list shows revoked tokens after the valid tokens.
const listMax = 300;

/** Settings of a new token. Defaults: created by the operator, all rights, no expiry, no limit. */
export type TokenSettings = Partial<
  Pick<Caller, 'userId' | 'scope' | 'expiresAt' | 'creditsPerMonth' | 'isTest'>
>;

/** Creates a token. The name must have 1 to 100 characters. Returns the token in plain text, which is not stored. */
export async function issue(
  db: Db,
  accountId: number,
  name: string,
  rights: TokenSettings = {},
): Promise<PlainToken> {
  const token = randomToken(rights.isTest ?? false) as PlainToken;
  await db
    .insertInto('apiTokens')
    .values({ ...rights, accountId, name, hash: hashKey(token), lastFour: token.slice(-4) })
    .execute();
  return token;
}

/** Returns null for a text that cannot be a token. The checksum reveals a mistyped token without a query. */
export function parseToken(text: string): PlainToken | null {
  return isWellFormed(text) ? (text as PlainToken) : null;
}

/**
 * Finds the caller of a token. Returns null if the token is unknown, revoked or expired. Also returns null if its
 * account is disabled or its creator has left the account. Records the use at most once a minute. Ignores errors of
 * this write. Tokens therefore also work if the database is read-only or the disk is full.
 */
export async function findCaller(db: Db, token: PlainToken): Promise<Caller | null> {
  const hash = hashKey(token);
  const row = await findValid(db, hash);
  // This is a separate statement, because tokens and accounts are on different nodes of a cluster.
  if (!row || !(await isOpen(db, row.accountId))) return null;
  const { isUseToRecord, role, ...caller } = row;
  if (isUseToRecord) await recordUse(db, caller.tokenId).catch(() => {});
  return { ...caller, role: role ?? 'owner' };
}

type ValidToken = InferResult<ReturnType<typeof selectValid>>[number];

/** The query is compiled once, because every request runs the query and compiling took as long as running. */
let compiledQuery: CompiledQuery<ValidToken> | null = null;

async function findValid(db: Db, hash: HashedKey): Promise<ValidToken | undefined> {
  compiledQuery ??= selectValid(db, hash).compile();
  const { rows } = await db.executeQuery<ValidToken>({ ...compiledQuery, parameters: [hash] });
  return rows[0];
}

function selectValid(db: Db, hash: HashedKey) {
  return db
    .selectFrom('apiTokens')
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.userId', '=', 'apiTokens.userId')
        .onRef('memberships.accountId', '=', 'apiTokens.accountId'),
    )
    .leftJoin('users', 'users.userId', 'memberships.userId')
    .select(['apiTokens.accountId', 'tokenId', 'name', 'scope', 'expiresAt', 'creditsPerMonth', 'isTest'])
    .select(['apiTokens.userId', 'users.email', 'memberships.role'])
    .select(sql<boolean>`coalesce(last_used_at < now() - interval '1 minute', true)`.as('isUseToRecord'))
    .where('hash', '=', hash)
    .where(isValid)
    .where(sql<boolean>`(api_tokens.user_id is null or memberships.role is not null)`);
}

/** Returns at most 300 tokens of an account, or of one creator. The newest tokens come first, revoked tokens last. */
export function list(db: Db, accountId: number, userId?: number): Promise<TokenSummary[]> {
  return db
    .selectFrom('apiTokens')
    .leftJoin('users', 'users.userId', 'apiTokens.userId')
    .select(['tokenId', 'name', 'scope', 'isTest', 'creditsPerMonth', 'apiTokens.userId', 'users.email'])
    .select(['lastFour', 'apiTokens.createdAt', 'lastUsedAt', 'expiresAt', 'revokedAt'])
    .where('apiTokens.accountId', '=', accountId)
    .$if(userId !== undefined, (query) => query.where('apiTokens.userId', '=', Number(userId)))
    .orderBy(sql`revoked_at is null`, 'desc')
    .orderBy('tokenId', 'desc')
    .limit(listMax)
    .execute();
}

export async function countValid(db: Db, accountId: number): Promise<number> {
  const { rows } = await db
    .selectFrom('apiTokens')
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .where('accountId', '=', accountId)
    .where(isValid)
    .executeTakeFirstOrThrow();
  return rows;
}

/**
 * Returns the rights of a token in an account. Returns null if the token has ended or its creator has left. Locks the
 * account like `lockOpenAccount`. `isOpen` is true if the account is open.
 */
export async function findHolder(
  trx: Trx,
  accountId: number,
  { tokenId, userId }: TokenRef,
): Promise<(RightHolder & { isOpen: boolean }) | null> {
  const isOpen = sql<boolean>`keep_account_open(${accountId}) as is_open`;
  const { rows } = await (userId === null
    ? sql<HolderRow>`
        select 'owner' as role, scope, is_test, expires_at, credits_per_month, ${isOpen} from api_tokens
        where token_id = ${tokenId} and account_id = ${accountId} and user_id is null and ${isValid}`
    : sql<HolderRow>`
        select role, scope, is_test, expires_at, credits_per_month, ${isOpen}
        from memberships join api_tokens using (account_id, user_id)
        where token_id = ${tokenId} and account_id = ${accountId} and user_id = ${userId} and ${isValid}`
  ).execute(trx);
  const [row] = rows;
  if (!row) return null;
  const { role, isOpen: isAccountOpen, ...token } = row;
  return { role, isOpen: isAccountOpen, token };
}

type HolderRow = { role: Role; isOpen: boolean } & NonNullable<RightHolder['token']>;

/** Revokes a token. Returns false if the account has no token with this id. */
export async function revoke(db: Db, accountId: number, tokenId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('apiTokens')
    .set(revokedNow)
    .where('accountId', '=', accountId)
    .where('tokenId', '=', tokenId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Finds a token of any account by its id or its plain text. Returns null for an unknown token. */
export async function find(
  db: Db,
  which: PlainToken | number,
): Promise<Pick<Caller, 'accountId' | 'tokenId' | 'name'> | null> {
  const found = await db
    .selectFrom('apiTokens')
    .select(['accountId', 'tokenId', 'name'])
    .$if(typeof which === 'number', (query) => query.where('tokenId', '=', Number(which)))
    .$if(typeof which === 'string', (query) => query.where('hash', '=', hashKey(String(which))))
    .executeTakeFirst();
  return found ?? null;
}

/**
 * Revokes the tokens that a person created in an account. With `scope`, revokes only the tokens of that scope. Returns
 * the number of revoked tokens.
 */
export async function revokeByUser(
  trx: Trx,
  accountId: number,
  userId: number,
  { scope }: { scope?: Scope } = {},
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('apiTokens')
    .set(revokedNow)
    .where('accountId', '=', accountId)
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .$if(scope !== undefined, (query) => query.where('scope', '=', scope as Scope))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export async function deleteAll(trx: Trx, accountId: number): Promise<void> {
  await trx.deleteFrom('apiTokens').where('accountId', '=', accountId).execute();
}

const isValid = sql<boolean>`(revoked_at is null and coalesce(expires_at > now(), true))`;

const revokedNow = { revokedAt: sql<Date>`coalesce(revoked_at, now())` };

async function recordUse(db: Db, tokenId: number): Promise<void> {
  await db.updateTable('apiTokens').set({ lastUsedAt: sql`now()` }).where('tokenId', '=', tokenId).execute();
}

const prefix = 'sonde_';
const testPrefix = 'sonde_test_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 30;
const checksumLength = 6;

function isWellFormed(text: string): boolean {
  const start = text.startsWith(testPrefix) ? testPrefix : prefix;
  const body = text.slice(start.length, -checksumLength);
  return text.startsWith(start) && body.length === randomLength && text.endsWith(checksum(start + body));
}

/** Returns a new token: the prefix, 178 random bits and a checksum. */
function randomToken(isTest: boolean): string {
  const start = isTest ? testPrefix : prefix;
  const body = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${start}${body}${checksum(start + body)}`;
}

/** Returns the CRC32 in base 62, like GitHub's tokens (github.blog, 5 April 2021). */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < checksumLength; place++) {
    digits = `${alphabet[rest % alphabet.length]}${digits}`;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}
