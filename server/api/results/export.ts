import type { Response } from 'express';
import type { BatchRow } from '../../../db/batches.ts';
import type { Context } from '../../context.ts';
import { ApiError } from '../../http/errors.ts';
import type { Include } from '../include.ts';
import { csvOf } from './csv.ts';
import { ndjson, streamResults } from './stream.ts';

export type ExportEnding = 'csv' | 'ndjson';

const mediaTypes = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' };

/** Sends what is settled of a batch as a file, page by page. Throws a 410 when it is no longer kept. */
export async function sendExport(
  context: Context,
  res: Response,
  batch: BatchRow,
  ending: ExportEnding,
  include?: Include,
): Promise<void> {
  if (batch.purgedAt) {
    throw new ApiError(410, 'results_expired', 'The results of this batch are no longer kept.');
  }
  res.set('Cache-Control', 'private, no-store');
  res.attachment(`sonde-${batch.type}-${batch.batchId}.${ending}`).set('Content-Type', mediaTypes[ending]);
  await streamResults(context, batch, res, ending === 'csv' ? csvOf(batch, include) : ndjson, include);
}
