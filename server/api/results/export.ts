import type { Response } from 'express';
import type { BatchRow } from '../../../db/batches.ts';
import type { Selection } from '../../../db/results.ts';
import type { Context } from '../../context.ts';
import { ApiError } from '../../http/errors.ts';
import type { Include } from '../include.ts';
import { csvOf } from './csv.ts';
import { fileNameOf } from './file-name.ts';
import { ndjson, streamResults } from './stream.ts';

export type ExportEnding = 'csv' | 'ndjson';

const mediaTypes = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' };

export interface ExportChoice {
  ending: ExportEnding;
  include?: Include;
  /** Some of the results; all of them where nothing is said. */
  selection?: Selection;
}

/** Sends what is settled of a batch as a file, page by page. Throws a 410 when it is no longer kept. */
export async function sendExport(
  context: Context,
  res: Response,
  batch: BatchRow,
  { ending, include, selection = {} }: ExportChoice,
): Promise<void> {
  if (batch.purgedAt) {
    throw new ApiError(410, 'results_expired', 'The results of this batch are no longer kept.');
  }
  res.set('Cache-Control', 'private, no-store');
  res.attachment(fileNameOf(batch, selection, ending)).set('Content-Type', mediaTypes[ending]);
  const format = ending === 'csv' ? csvOf(batch, include) : ndjson;
  await streamResults(context, batch, res, format, { include, selection });
}
