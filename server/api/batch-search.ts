import type { BatchSearch } from '../../db/batches/batch-lists.ts';
import * as batchLists from '../../db/batches/batch-lists.ts';
import type { Context } from '../context.ts';

/**
 * Searches the batches of an account: by what their names and inputs contain; undefined for no text. A look at 200,000
 * URLs takes Postgres some tenths of a second, so an account has one search at a time. The signal ends its wait.
 */
export async function searchBatches<T>(
  { db, longQueries }: Pick<Context, 'db' | 'longQueries'>,
  accountId: number,
  { text, isTest = false, signal }: { text?: string; isTest?: boolean; signal: AbortSignal },
  look: (search: BatchSearch | undefined) => Promise<T>,
): Promise<T> {
  if (!text) return look(undefined);
  const search = async () => {
    const batchIds = await batchLists.withInput(db, accountId, { text, isTest });
    return look({ text, batchIds });
  };
  return longQueries.run(accountId, search, { signal });
}
