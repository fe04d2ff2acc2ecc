import type { Db } from './connect.ts';
import { type ItemRow, itemColumns } from './items.ts';
import { countUpTo, newestFirst, type Window } from './keyset.ts';

/** An account's single checks that are settled, newest first. */
export async function list(
  db: Db,
  accountId: number,
  { limit, offset = 0 }: Pick<Window<never>, 'limit' | 'offset'>,
): Promise<ItemRow[]> {
  const rows = await singles(db, accountId).select(itemColumns).limit(limit).offset(offset).execute();
  return rows as ItemRow[];
}

/** How many there are, counted up to `max`. */
export function count(db: Db, accountId: number, max: number): Promise<number> {
  return countUpTo(db, singles(db, accountId), max);
}

function singles(db: Db, accountId: number) {
  const rows = db.selectFrom('items').where('accountId', '=', accountId).where('batchId', 'is', null);
  return newestFirst(rows, ['checkedAt', 'requestId'], undefined);
}
