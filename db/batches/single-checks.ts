import { sql } from 'kysely';
import { deadlines } from '../../config/deadlines.ts';
import { type CheckType, checkTypeNames, type InputOf, isHistoryType } from '../../schemas/check-types.ts';
import type { TokenCharge } from '../ledger/token-spending.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { countUpTo, newestFirst, type PageParams } from '../postgres/keyset.ts';
import { toStorableJson } from '../postgres/text.ts';
import { isKept } from '../retention/partitions.ts';
import type { ItemAnswer } from '../tables.ts';
import * as history from './history.ts';
import { type ItemRow, matchesLiveCheck } from './items.ts';
import * as resultPages from './result-pages.ts';

/** Reference to a single check. It contains the account, so that no caller finds a check of another account. */
interface SingleCheckRef {
  accountId: number;
  /** This is also the id of the check's chunk. */
  requestId: number;
}

export interface SingleCheck extends SingleCheckRef {
  type: CheckType;
  input: InputOf;
  /** True for a check of a test token. Such a check costs nothing. */
  isTest?: boolean;
}

interface NewSingleCheck extends SingleCheck {
  /** Token whose monthly limit the charge counts against; null or missing without such a token. */
  tokenId?: number | null;
}

// After this time no process handles a check any more.
const orphanedAfterSeconds = deadlines.singleCheckOrphanedMs / 1000;

/**
 * Stores a single check as a chunk with one input. Charges the check if it is not a test. Returns the number of the
 * account's unsettled single checks, including this check. Test checks and other checks are counted separately. The
 * number is exact until the transaction ends. If the account has too few credits or is closed, returns null and writes
 * nothing. Locks the account row until the transaction ends.
 */
export async function begin(trx: Trx, check: NewSingleCheck): Promise<number | null> {
  const { accountId, requestId, type, input, isTest = false, tokenId = null } = check;
  const inputs = JSON.stringify([{ request_id: requestId, position: null, input }]);
  const stored = sql`${accountId}, ${requestId}, ${type}, ${inputs}::json`;
  const { rows } = await sql<{ balance: number | null; inFlight: number }>`
    select balance, in_flight
    from ${isTest ? sql`begin_test_check(${stored})` : sql`charge_single_check(${stored}, ${tokenId})`}`.execute(
    trx,
  );
  return rows[0] && rows[0].balance !== null ? rows[0].inFlight : null;
}

/** Returns whether a check was started and is not settled. */
export async function isInFlight(
  db: Db,
  { accountId, requestId, isTest = false }: Pick<SingleCheck, 'accountId' | 'requestId' | 'isTest'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('chunks')
    .select('chunkId')
    .where('accountId', '=', accountId)
    .where('chunkId', '=', requestId)
    .where('batchId', 'is', null)
    .where('isTest', '=', isTest)
    .whereRef('settled', '<', 'size')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Settles a single check with its answer. Returns the balance and the time of the answer. If the check is already
 * settled, throws (`isAlreadySettled`) and the transaction fails.
 */
export async function answer(
  db: Db,
  { accountId, requestId, type, input, isTest = false }: SingleCheck,
  { outcome, results }: ItemAnswer,
): Promise<{ credits: number; now: Date }> {
  const point = isHistoryType(type) && !isTest ? history.toPoint(type, input, outcome) : null;
  const found = results ? toStorableJson(resultPages.truncate(results)) : null;
  const { rows } = await sql<{ credits: number; now: Date }>`
    select balance as credits, moment as now
    from answer_single_check(${accountId}, ${requestId}, ${type}, ${toStorableJson(input)}::json,
      ${toStorableJson(outcome)}::json, ${point?.series ?? null}::bytea, ${point?.isIndexed ?? null}::boolean,
      ${point?.rank ?? null}::integer, ${found}::json)`.execute(db);
  return rows[0] as { credits: number; now: Date };
}

export function isAlreadySettled(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'SE001';
}

/**
 * Marks a single check as settled. Returns the token and month that the charge counted against. Returns null if the
 * check was already settled. The caller must then drop the check's result.
 */
export async function settle(
  trx: Trx,
  { accountId, requestId }: SingleCheckRef,
): Promise<TokenCharge | null> {
  const closed = await trx
    .updateTable('chunks')
    .set({ settled: 1 })
    .where('accountId', '=', accountId)
    .where('chunkId', '=', requestId)
    .where('settled', '=', 0)
    .returning(['tokenId', 'createdAt'])
    .executeTakeFirst();
  return closed ? toCharge(closed) : null;
}

/** Returns the token and month that the charge of a check counted against. */
export async function findTokenCharge(
  trx: Trx,
  { accountId, requestId }: SingleCheckRef,
): Promise<TokenCharge> {
  const chunk = await trx
    .selectFrom('chunks')
    .select(['tokenId', 'createdAt'])
    .where('accountId', '=', accountId)
    .where('chunkId', '=', requestId)
    .executeTakeFirstOrThrow();
  return toCharge(chunk);
}

function toCharge({ tokenId, createdAt }: { tokenId: number | null; createdAt: Date }): TokenCharge {
  return { tokenId, month: `${createdAt.toISOString().slice(0, 7)}-01` };
}

/** Returns at most `limit` single checks whose process crashed or hung, oldest first. */
export async function findOrphans(db: Db, limit: number): Promise<SingleCheck[]> {
  const rows = await db
    .selectFrom('chunks')
    .select(['accountId', 'chunkId', 'type', 'inputs', 'isTest'])
    .where('batchId', 'is', null)
    // Processes that know other types refund the checks of those types.
    .where('type', 'in', checkTypeNames)
    .whereRef('settled', '<', 'size')
    .where('createdAt', '<', sql<Date>`now() - ${orphanedAfterSeconds} * interval '1 second'`)
    .orderBy('createdAt')
    .limit(limit)
    .execute();
  return rows.flatMap(({ accountId, chunkId: requestId, type, isTest, inputs: [only] }) =>
    only ? [{ accountId, requestId, type, isTest, input: only.input }] : [],
  );
}

/** Returns an account's settled single checks of the last `days`, newest first, without test checks. */
export async function list(
  db: Db,
  accountId: number,
  days: number,
  { limit, offset = 0 }: Pick<PageParams<never>, 'limit' | 'offset'>,
): Promise<ItemRow[]> {
  const rows = await selectSingles(db, accountId, days).selectAll().limit(limit).offset(offset).execute();
  return rows as ItemRow[];
}

/** Returns the account's settled single checks with these request ids, including test checks. */
export async function listByIds(db: Db, accountId: number, requestIds: number[]): Promise<ItemRow[]> {
  if (requestIds.length === 0) return [];
  const rows = await db
    .selectFrom('items')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('requestId', 'in', requestIds)
    .where('batchId', 'is', null)
    .execute();
  return rows as ItemRow[];
}

export function count(db: Db, accountId: number, days: number, max: number): Promise<number> {
  return countUpTo(db, selectSingles(db, accountId, days), max);
}

function selectSingles(db: Db, accountId: number, days: number) {
  const rows = db
    .selectFrom('items')
    .where('accountId', '=', accountId)
    .where('batchId', 'is', null)
    .where(isKept(days))
    .where(matchesLiveCheck(accountId));
  return newestFirst(rows, ['checkedAt', 'requestId'], undefined);
}
