import type { Search } from '../../db/batch-lists.ts';
import * as batchSearch from '../../db/batch-search.ts';
import type { Context } from '../context.ts';

/** A look at 200,000 addresses takes Postgres some tenths of a second; it counts as so many rows that are read. */
const rowsCounted = 2_000;

/** What a text of a search means for an account; undefined for no text. One search of an account is done at once. */
export async function searchFor(
  { db, readers }: Pick<Context, 'db' | 'readers'>,
  accountId: number,
  text: string | undefined,
): Promise<Search | undefined> {
  if (!text) return undefined;
  const batchIds = await readers.pageInTurn(accountId, () => batchSearch.withInput(db, accountId, text));
  await readers.sent(accountId, rowsCounted);
  return { text, batchIds };
}
