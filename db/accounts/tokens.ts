import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type CompiledQuery, type InferResult, sql } from 'kysely';
import type { Role } from '../../schemas/members.ts';
import type { Holder } from '../../schemas/operations/rights.ts';
import type { Scope } from '../../schemas/scopes.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { isOpen } from './accounts.ts';

declare const plain: unique symbol;
/** A token as its holder knows it: shown once, never stored. */
export type PlainToken = string & { readonly [plain]: true };

/** Who is calling, by which token. */
export interface Caller {
  accountId: number;
  tokenId: number;
  /** The token's name. */
  name: string;
  scope: Scope;
  /** From when on it is not valid; null when it has no end. */
  expiresAt: Date | null;
  /** What may be charged by it in a month; null without a limit. */
  creditsPerMonth: number | null;
  isTest: boolean;
  /** Who made it; null for the operator and for tokens of processes that noted no maker. */
  userId: number | null;
  /** Of the maker, as it is now; null when there is none. */
  email: string | null;
  /** What the maker may do in the account at this moment; a token of nobody acts for its owners. */
  role: Role;
}

/** Names a token and its maker, neither of which changes. */
export type TokenRef = Pick<Caller, 'tokenId' | 'userId'>;

/** A token as lists show it: nothing of it lets anybody in. */
export interface TokenSummary {
  tokenId: number;
  /** Its maker's own words. */
  name: string;
  scope: Scope;
  /** Whether what it asks for is invented and costs nothing; never changes. */
  isTest: boolean;
  /** What may be charged by it in a month; null without a limit. */
  creditsPerMonth: number | null;
  /** Its maker; null for the operator. */
  userId: number | null;
  /** Of its maker, as it is now; null when there is none. */
  email: string | null;
  /** The end of the token, by which its holder knows it. */
  lastFour: string;
  createdAt: Date;
  /** To the minute; null until its first use. */
  lastUsedAt: Date | null;
  /** From when on it is not valid; null when it has no end. Never moved. */
  expiresAt: Date | null;
  /** From when on it is not valid; null while it is not revoked. Moved once. */
  revokedAt: Date | null;
}

// An account may have 100 that are valid; the rest of the room is for revoked ones.
const listMax = 300;

/** What a token is to be, besides its name; by default it is the operator's, does everything and never ends. */
export interface TokenRights {
  /** Who makes it; null for the operator. */
  userId?: number | null;
  scope?: Scope;
  /** From when on it is not valid; null for never. */
  expiresAt?: Date | null;
  /** What may be charged by it in a calendar month of UTC; null for no limit. */
  creditsPerMonth?: number | null;
  /** Whether its answers are invented. */
  isTest?: boolean;
}

/** Creates a token with a name of 1 to 100 characters and returns it in plain text, which is not stored. */
export async function issue(
  db: Db | Trx,
  accountId: number,
  name: string,
  rights: TokenRights = {},
): Promise<PlainToken> {
  const token = randomToken(rights.isTest ?? false) as PlainToken;
  await db
    .insertInto('apiTokens')
    .values({ ...rights, accountId, name, hash: hashToken(token), lastFour: token.slice(-4) })
    .execute();
  return token;
}

/** A string that could be a token of ours, or null: a mistyped one is dropped without a query. */
export function parseToken(text: string): PlainToken | null {
  return isWellFormed(text) ? (text as PlainToken) : null;
}

/**
 * Finds whom a token belongs to and notes its use, at most once a minute, as one act. Null when it is unknown, revoked
 * or past its end, its account is disabled, or its maker is not in the account any more. Where writing fails (a
 * read-only replica, a full disk) finding still works.
 */
export async function findCaller(db: Db, token: PlainToken): Promise<Caller | null> {
  const hash = hashToken(token);
  const row = await findValid(db, hash);
  // A statement of its own: on a cluster, tokens and accounts are on different machines.
  if (!row || !(await isOpen(db, row.accountId))) return null;
  const { isUseToNote, role, ...caller } = row;
  if (isUseToNote) await noteUse(db, caller.tokenId).catch(() => {});
  return { ...caller, role: role ?? 'owner' };
}

type ValidToken = InferResult<ReturnType<typeof selectValid>>[number];

/** What every request asks first: making its text anew took as long as sending it. */
let finding: CompiledQuery<ValidToken> | null = null;

async function findValid(db: Db, hash: HashedToken): Promise<ValidToken | undefined> {
  finding ??= selectValid(db, hash).compile();
  const { rows } = await db.executeQuery<ValidToken>({ ...finding, parameters: [hash] });
  return rows[0];
}

function selectValid(db: Db, hash: HashedToken) {
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
    .select(sql<boolean>`coalesce(last_used_at < now() - interval '1 minute', true)`.as('isUseToNote'))
    .where('hash', '=', hash)
    .where(isValid)
    .where(sql<boolean>`(api_tokens.user_id is null or memberships.role is not null)`);
}

/**
 * An account's tokens, or those that one person made there: those that are not revoked, newest first, and then as many
 * revoked ones as there is room for.
 */
export function list(db: Db | Trx, accountId: number, userId?: number): Promise<TokenSummary[]> {
  return selectTokens(db)
    .where('apiTokens.accountId', '=', accountId)
    .$if(userId !== undefined, (query) => query.where('apiTokens.userId', '=', Number(userId)))
    .orderBy(sql`revoked_at is null`, 'desc')
    .orderBy('tokenId', 'desc')
    .limit(listMax)
    .execute();
}

/** How many tokens of an account are valid. */
export async function countValid(db: Db | Trx, accountId: number): Promise<number> {
  const { rows } = await db
    .selectFrom('apiTokens')
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .where('accountId', '=', accountId)
    .where(isValid)
    .executeTakeFirstOrThrow();
  return rows;
}

/**
 * What a token may do in an account now; null when it has ended or its maker has left. Holds the account (`hold`) and
 * tells whether it is open.
 */
export async function findHolder(
  trx: Trx,
  accountId: number,
  { tokenId, userId }: TokenRef,
): Promise<(Holder & { isOpen: boolean }) | null> {
  const isOpen = sql<boolean>`hold_account(${accountId}) as is_open`;
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

type HolderRow = { role: Role; isOpen: boolean } & NonNullable<Holder['token']>;

/** From the next request on it is not valid. False when the account has none with this id. */
export async function revoke(db: Db | Trx, accountId: number, tokenId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('apiTokens')
    .set(revokedNow)
    .where('accountId', '=', accountId)
    .where('tokenId', '=', tokenId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Finds a token of any account by its id or the token itself. Returns null if there is none. */
export async function find(
  db: Db | Trx,
  which: PlainToken | number,
): Promise<Pick<Caller, 'accountId' | 'tokenId' | 'name'> | null> {
  const found = await db
    .selectFrom('apiTokens')
    .select(['accountId', 'tokenId', 'name'])
    .$if(typeof which === 'number', (query) => query.where('tokenId', '=', Number(which)))
    .$if(typeof which === 'string', (query) => query.where('hash', '=', hashToken(String(which))))
    .executeTakeFirst();
  return found ?? null;
}

/** Revokes the tokens that a person made in an account, or those of one scope. Returns how many were revoked now. */
export async function revokeOf(
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

/** Deletes every token of an account. */
export async function forgetAll(trx: Trx, accountId: number): Promise<void> {
  await trx.deleteFrom('apiTokens').where('accountId', '=', accountId).execute();
}

const isValid = sql<boolean>`(revoked_at is null and coalesce(expires_at > now(), true))`;

function selectTokens(db: Db | Trx) {
  return db
    .selectFrom('apiTokens')
    .leftJoin('users', 'users.userId', 'apiTokens.userId')
    .select(['tokenId', 'name', 'scope', 'isTest', 'creditsPerMonth', 'apiTokens.userId', 'users.email'])
    .select(['lastFour', 'apiTokens.createdAt', 'lastUsedAt', 'expiresAt', 'revokedAt']);
}

const revokedNow = { revokedAt: sql<Date>`coalesce(revoked_at, now())` };

async function noteUse(db: Db, tokenId: number): Promise<void> {
  await db.updateTable('apiTokens').set({ lastUsedAt: sql`now()` }).where('tokenId', '=', tokenId).execute();
}

declare const hashed: unique symbol;
/** A token as it is stored and looked for: its SHA-256. */
type HashedToken = Buffer & { readonly [hashed]: true };

const prefix = 'sonde_';
const testPrefix = 'sonde_test_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 30;
const checksumLength = 6;

/** Returns whether a text could be a token, so that a mistyped one is refused without a query. */
function isWellFormed(text: string): boolean {
  const begins = text.startsWith(testPrefix) ? testPrefix : prefix;
  const body = text.slice(begins.length, -checksumLength);
  return text.startsWith(begins) && body.length === randomLength && text.endsWith(checksum(begins + body));
}

/** A token that nobody has had: 178 random bits between what it is known by and a checksum. */
function randomToken(isTest: boolean): string {
  const begins = isTest ? testPrefix : prefix;
  const body = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${begins}${body}${checksum(begins + body)}`;
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
