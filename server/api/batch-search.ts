import type { BatchSearch } from '../../db/batches/batch-lists.ts';
import * as batchLists from '../../db/batches/batch-lists.ts';
import type { Context } from '../context.ts';
import { limitSearch } from '../limits/slots.ts';

/**
 * Calls `list` with the batches whose name or inputs contain a text, or with undefined if there is no text. Searching
 * 200,000 URLs takes Postgres some tenths of a second, so an account runs one search at a time. `signal` ends the wait
 * for an earlier search.
 */
export async function searchBatches<T>(
  context: Pick<Context, 'db' | 'longQueries'>,
  accountId: number,
  { text, isTest = false, signal }: { text?: string; isTest?: boolean; signal: AbortSignal },
  list: (search: BatchSearch | undefined) => Promise<T>,
): Promise<T> {
  return limitSearch(context, { accountId, text, signal }, async (db) => {
    if (!text) return list(undefined);
    const batchIds = await batchLists.findByInput(db, accountId, { text, isTest });
    return list({ text, batchIds });
  });
}
