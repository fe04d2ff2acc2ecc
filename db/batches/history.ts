import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { AnswerOf, AskedOf, HistoryType } from '../../schemas/check-types.ts';
import type { ItemError } from '../../schemas/failures.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { countUpTo, newestFirst, type Window } from '../postgres/keyset.ts';
import { storableJson } from '../postgres/text.ts';
import { isKept } from '../retention/kept.ts';
import type { ItemResult } from '../tables.ts';

/** A verdict or a rank that outlives its item; inserted with that and never changed. */
export interface HistoryRow {
  /** Of the item that it came with, or of the single check; outlives both. */
  requestId: number;
  /** Null for a single check. The batch may be purged by now. */
  batchId: string | null;
  /** What was asked, and so what of the rest can be there. */
  type: HistoryType;
  /** Whether the check brought an answer. */
  state: 'success' | 'failed';
  /** Null exactly when `state` is success. */
  error: ItemError | null;
  /** What was asked, as it was sent: with everything that tells one series of checks from another. */
  input: AskedOf<HistoryType>;
  /** Null but for index checks with an answer. */
  isIndexed: boolean | null;
  /** Null but for rank checks that found something. */
  rank: number | null;
  /** When the outcome was recorded. */
  checkedAt: Date;
}

/** Which points are meant: all of a type where no more is said, else those of which all of it is true. */
export interface HistoryFilter {
  type: HistoryType;
  /** None that is older, though it may still be waiting to go. */
  days: number;
  /** Exactly this URL, as it was sent; for index checks. */
  url?: string;
  /** Index checks with this answer; those without any are neither. */
  isIndexed?: boolean;
  /** Checked at this moment or later. */
  from?: Date;
  /** Checked before this moment. */
  to?: Date;
}

type HistoryWindow = Window<{ checkedAt: Date; requestId: number }>;

/** What a point is made of. */
interface HistoryItem {
  requestId: number;
  input: object;
  result: ItemResult;
}

/** Keeps verdicts and rank points beyond the items they come with, in the transaction that records those. */
export async function keep(
  trx: Trx,
  { accountId, batchId, type }: { accountId: number; batchId: string | null; type: HistoryType },
  items: HistoryItem[],
): Promise<void> {
  const rows = items.map(({ requestId, input, result }) => ({
    request_id: requestId,
    input,
    series: seriesOf(type, input).toString('hex'),
    ...('error' in result
      ? { state: 'failed', error: result.error }
      : { state: 'success', ...columnsOf[type](result.outcome as never) }),
  }));
  if (rows.length === 0) return;
  // Beside the account's row, so that a cluster hands the whole statement to the node which has that.
  await sql`
    insert into history (account_id, request_id, batch_id, type, state, error, input, series, is_indexed, rank)
    select accounts.account_id, request_id, ${batchId}::uuid, ${type}, state, error, input, decode(series, 'hex'),
      is_indexed, rank
    from accounts cross join json_to_recordset(${storableJson(rows)}::json) as point
      (request_id bigint, input json, series text, state text, error text, is_indexed boolean, rank int)
    where accounts.account_id = ${accountId}
    on conflict do nothing`.execute(trx);
}

/** The columns that tell the point of an answer from others. */
export function pointOf(
  type: HistoryType,
  input: object,
  outcome: object,
): { series: Buffer; isIndexed: boolean | null; rank: number | null } {
  const { is_indexed: isIndexed = null, rank = null } = columnsOf[type](outcome as never);
  return { series: seriesOf(type, input), isIndexed, rank };
}

/** Newest first. */
export function list(
  db: Db,
  accountId: number,
  filter: HistoryFilter & HistoryWindow,
): Promise<HistoryRow[]> {
  return filtered(db, accountId, filter)
    .select(['requestId', 'batchId', 'type', 'state', 'error', 'input', 'isIndexed', 'rank', 'checkedAt'])
    .limit(filter.limit)
    .offset(filter.offset ?? 0)
    .execute();
}

/** How many there are, counted up to `max`. */
export function count(db: Db, accountId: number, filter: HistoryFilter, max: number): Promise<number> {
  return countUpTo(db, filtered(db, accountId, filter), max);
}

function filtered(db: Db, accountId: number, filter: HistoryFilter & Pick<HistoryWindow, 'after'>) {
  const { type, days, url, isIndexed, from, to, after } = filter;
  const rows = db
    .selectFrom('history')
    .where('accountId', '=', accountId)
    .where('type', '=', type)
    .where(isKept(days))
    .$if(url !== undefined, (query) => query.where('series', '=', seriesOf('index', { url })))
    // That false is not null has to be said, or the index of verdicts, which has no nulls, is not used for
    // it.
    .$if(isIndexed !== undefined, (query) =>
      query.where('isIndexed', '=', isIndexed === true).where('isIndexed', 'is not', null),
    )
    .$if(from !== undefined, (query) => query.where('checkedAt', '>=', from as Date))
    .$if(to !== undefined, (query) => query.where('checkedAt', '<', to as Date));
  return newestFirst(rows, ['checkedAt', 'requestId'], after && [after.checkedAt, after.requestId]);
}

/** What must be equal for two checks to be points of one line. */
function seriesOf(type: HistoryType, input: object): Buffer {
  const asked = input as Record<string, unknown>;
  return createHash('sha256')
    .update(JSON.stringify(seriesParts[type](asked)))
    .digest();
}

const seriesParts: Record<HistoryType, (asked: Record<string, unknown>) => unknown[]> = {
  index: ({ url }) => [String(url).trim()],
  keyword: ({ keyword, target_url, country, language, device, match }) => [
    keyword,
    target_url,
    country,
    language,
    device,
    match,
  ],
};

/** The column of a type that an answer fills. */
const columnsOf: {
  [T in HistoryType]: (answer: AnswerOf<T>) => { is_indexed?: boolean; rank?: number | null };
} = {
  index: ({ is_indexed }) => ({ is_indexed }),
  keyword: ({ rank }) => ({ rank }),
};
