import type { Db } from '../postgres/connect.ts';
import { countUpTo, newestFirst, type Window } from '../postgres/keyset.ts';
import { isKept } from '../retention/kept.ts';
import { type ItemRow, isOfLiveCheck, itemColumns } from './items.ts';

/** An account's live single checks that are settled and were made in the last `days`, newest first. */
export async function list(
  db: Db,
  accountId: number,
  days: number,
  { limit, offset = 0 }: Pick<Window<never>, 'limit' | 'offset'>,
): Promise<ItemRow[]> {
  const rows = await singles(db, accountId, days).select(itemColumns).limit(limit).offset(offset).execute();
  return rows as ItemRow[];
}

/** Of these request ids, the account's single checks, live ones or tests, that are settled and still kept. */
export async function listByIds(db: Db, accountId: number, requestIds: number[]): Promise<ItemRow[]> {
  if (requestIds.length === 0) return [];
  const rows = await db
    .selectFrom('items')
    .select(itemColumns)
    .where('accountId', '=', accountId)
    .where('requestId', 'in', requestIds)
    .where('batchId', 'is', null)
    .execute();
  return rows as ItemRow[];
}

/** How many there are, counted up to `max`. */
export function count(db: Db, accountId: number, days: number, max: number): Promise<number> {
  return countUpTo(db, singles(db, accountId, days), max);
}

function singles(db: Db, accountId: number, days: number) {
  const rows = db
    .selectFrom('items')
    .where('accountId', '=', accountId)
    .where('batchId', 'is', null)
    .where(isKept(days))
    .where(isOfLiveCheck(accountId));
  return newestFirst(rows, ['checkedAt', 'requestId'], undefined);
}
