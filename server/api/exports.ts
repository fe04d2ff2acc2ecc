import type { Request, RequestHandler } from 'express';
import { batchNotFound } from '../../batches/errors.ts';
import * as batches from '../../db/batches/batches.ts';
import { ApiError } from '../../process/api-error.ts';
import type { Context } from '../context.ts';
import { getBatchRef } from './batch-ref.ts';
import { readEnum, readInclude, readSelection } from './parameters.ts';
import { type ExportFormat, readLocale, sendExport } from './results/export.ts';

export function exportRoutes(context: Context) {
  const exportAs =
    (ending: ExportFormat): RequestHandler =>
    async (req, res) => {
      const include = readInclude(req);
      const batch = await findExportable(req);
      const selection = readSelection(req, batch.type);
      await sendExport(context, res, batch, { ending, include, selection, locale: readLocale(req) });
    };

  async function findExportable(req: Request): Promise<batches.BatchRow> {
    const mode = readEnum(req, 'results', ['partial']);
    const batch = await batches.find(context.db, getBatchRef(req));
    if (!batch) throw batchNotFound();
    if (!batch.completedAt && mode !== 'partial') throw notFinished();
    return batch;
  }

  return {
    getResultsCsv: exportAs('csv'),
    getResultsNdjson: exportAs('ndjson'),
    getResultsXlsx: exportAs('xlsx'),
  };
}

function notFinished(): ApiError {
  const message = 'This batch is still running. Add ?results=partial to export the results so far.';
  return new ApiError('batch_not_finished', message, { retryAfterSeconds: 2 });
}
