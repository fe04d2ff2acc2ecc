import type { BatchSearch } from '../../db/batches/batch-lists.ts';
import * as batchLists from '../../db/batches/batch-lists.ts';
import type { Context } from '../context.ts';
import { limitSearch } from '../limits/slots.ts';

/**
 * Calls `list` with the batches that have a text in their name or inputs. If there is no text, calls it with undefined.
 * A search of 200,000 URLs takes a few tenths of a second. An account therefore runs one search at a time. `signal`
 * ends the wait for an earlier search.
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
