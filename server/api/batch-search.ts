import type { BatchSearch } from '../../db/batches/batch-lists.ts';
import * as batchSearch from '../../db/batches/batch-lists.ts';
import type { Context } from '../context.ts';

/**
 * Searches the batches of an account: by what their names and inputs contain; undefined for no text. A look at 200,000
 * URLs takes Postgres some tenths of a second, so an account has one search at a time.
 */
export async function searchBatches<T>(
  { db, longQueries }: Pick<Context, 'db' | 'longQueries'>,
  accountId: number,
  { text, isTest = false }: { text?: string; isTest?: boolean },
  look: (search: BatchSearch | undefined) => Promise<T>,
): Promise<T> {
  if (!text) return look(undefined);
  return longQueries.run(accountId, async () => {
    const batchIds = await batchSearch.withInput(db, accountId, { text, isTest });
    return look({ text, batchIds });
  });
}
