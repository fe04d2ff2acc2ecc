import type { Request, RequestHandler, Response } from 'express';
import * as batches from '../../db/batches.ts';
import { batchRefOf, noBatch } from '../batch-ref.ts';
import type { Context } from '../context.ts';
import { ApiError } from '../errors.ts';
import { readWord } from '../pages.ts';
import { csvOf } from '../results-csv.ts';
import { type Format, ndjson, streamResults } from '../stream-results.ts';

/** The results of a batch as a file. */
export function exportRoutes(context: Context) {
  const csv: RequestHandler = async (req, res) => {
    const batch = await findExportable(req);
    await send(res, batch, { ending: 'csv', mediaType: 'text/csv; charset=utf-8', format: csvOf(batch) });
  };

  const lines: RequestHandler = async (req, res) => {
    const batch = await findExportable(req);
    await send(res, batch, { ending: 'ndjson', mediaType: 'application/x-ndjson', format: ndjson });
  };

  async function findExportable(req: Request): Promise<batches.BatchRow> {
    const mode = readWord(req, 'results', ['partial']);
    const batch = await batches.find(context.db, batchRefOf(req));
    if (!batch) throw noBatch();
    if (batch.purgedAt) throw resultsExpired();
    if (!batch.completedAt && mode !== 'partial') throw notFinished();
    return batch;
  }

  async function send(
    res: Response,
    batch: batches.BatchRow,
    { ending, mediaType, format }: { ending: string; mediaType: string; format: Format },
  ): Promise<void> {
    res.attachment(`sonde-${batch.type}-${batch.batchId}.${ending}`).set('Content-Type', mediaType);
    await streamResults(context, batch, res, format);
  }

  return { csv, ndjson: lines };
}

function notFinished(): ApiError {
  const message = 'This batch is still running. Add ?results=partial for what is settled so far.';
  return new ApiError(409, 'batch_not_finished', message, { headers: { 'Retry-After': '2' } });
}

function resultsExpired(): ApiError {
  return new ApiError(410, 'results_expired', 'The results of this batch are no longer kept.');
}
