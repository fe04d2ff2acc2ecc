import type { BatchSearch } from '../../db/batches/batch-lists.ts';
import * as batchSearch from '../../db/batches/batch-search.ts';
import type { Context } from '../context.ts';
import type { Readers } from '../limits/readers.ts';

/** A look at 200,000 addresses takes Postgres some tenths of a second; it counts as so many rows that are read. */
export const rowsOfSearch = 2_000;

type SearchContext = Pick<Context, 'db'> & { readers: Pick<Readers, 'pageInTurn' | 'sent'> };

/**
 * Looks at batches by what a text of a search means for an account; undefined for no text. One search of an account is
 * done at once, its looks included, and counted before it begins.
 */
export async function searchInTurn<T>(
  { db, readers }: SearchContext,
  accountId: number,
  { text, isTest = false }: { text?: string; isTest?: boolean },
  look: (search: BatchSearch | undefined) => Promise<T>,
): Promise<T> {
  if (!text) return look(undefined);
  await readers.sent(accountId, rowsOfSearch);
  return readers.pageInTurn(accountId, async () => {
    const batchIds = await batchSearch.withInput(db, accountId, { text, isTest });
    return look({ text, batchIds });
  });
}
