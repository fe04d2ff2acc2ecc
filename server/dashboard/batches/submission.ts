import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { cancelBatch } from '../../../batches/cancel.ts';
import { inOpenAccount } from '../../../db/accounts/open-account.ts';
import * as batchLists from '../../../db/batches/batch-lists.ts';
import type { BatchRow } from '../../../db/batches/batches.ts';
import * as results from '../../../db/batches/results.ts';
import type { Db } from '../../../db/postgres/connect.ts';
import { parseUuid } from '../../../schemas/uuid.ts';
import { getCharges } from '../../../wire/bodies.ts';
import { readSelection } from '../../api/parameters.ts';
import { type ExportFormat, readLocale, sendExport } from '../../api/results/export.ts';
import { notFound } from '../../http/errors.ts';
import type { DashboardContext } from '../context.ts';
import { setFlash } from '../flash.ts';
import { readQueryWord } from '../paging.ts';
import { showFragment, showPage } from '../render.ts';
import { getAuthorization, getSession } from '../visitors.ts';
import { submissionBatchesMax } from './activity.ts';
import { getShareLabel } from './batch-view.ts';
import { getShareCount, mergeBatches, toPartViews, toSubmissionView } from './submission-view.ts';
import { describeWait, estimateTimeLeft } from './waiting.ts';

export function submissionPages(context: DashboardContext) {
  const { db } = context;

  const show: RequestHandler = async (req, res) => {
    const data = await readData(req);
    await showPage(context, req, res, { view: 'submission', title: data.batch.name, data });
  };

  /** Sends the content of the page to htmx; 204 if nothing has changed. */
  const live: RequestHandler = async (req, res) => {
    const data = await readData(req);
    if (data.batch.version === req.query.seen) return void res.status(204).end();
    showFragment(context, req, res, { view: 'submission-head', data });
  };

  const cancel: RequestHandler = async (req, res) => {
    const rows = await requireSubmission(db, req);
    for (const row of rows) {
      if (row.completedAt !== null) continue;
      await inOpenAccount(db, getAuthorization(req), (trx) => cancelBatch(trx, context, row));
    }
    setFlash(context, res, {
      tone: 'good',
      text: 'Batches canceled. Credits for unfinished checks were refunded.',
    });
    res.redirect(303, `/submissions/${rows[0]?.submissionId}`);
  };

  /** Exports the results of all batches as one file. Throws a 404 if the batches have different types. */
  const exportAs =
    (ending: ExportFormat): RequestHandler =>
    async (req, res) => {
      const rows = await requireSubmission(db, req);
      const sum = mergeBatches(rows);
      if (!isOfOneType(rows)) throw notFound('These batches have different types. Export them one by one.');
      const selection = readSelection(req, sum.type);
      await sendExport(context, res, rows, {
        ending,
        selection,
        locale: readLocale(req),
        hasByteOrderMark: true,
      });
    };

  async function readData(req: Request) {
    const rows = await requireSubmission(db, req);
    const view = toSubmissionView(rows, String(rows[0]?.submissionId));
    const sum = mergeBatches(rows);
    const waiting = await describeWait(db, sum);
    const show = readQueryWord(req, 'show', results.getFilters(sum.type));
    return {
      show,
      showLabel: show ? getShareLabel(sum, show) : null,
      shown: show ? getShareCount(view, show) : 0,
      once: randomUUID(),
      row: rows[0],
      isExportable: isOfOneType(rows),
      isKept: rows.every(({ purgedAt }) => purgedAt === null),
      batch: { ...view, version: waiting ? `${view.version}-${waiting.length}` : view.version },
      waiting,
      timeLeft: waiting ? null : estimateTimeLeft(sum),
      batches: toPartViews(rows, show),
      batchCount: rows.length,
      ...getCharges(sum),
      upTo: sum.overviews > 0 ? 'up to ' : '',
      duplicates: sum.duplicates,
    };
  }

  return { show, live, cancel, csv: exportAs('csv'), xlsx: exportAs('xlsx'), ndjson: exportAs('ndjson') };
}

function isOfOneType(rows: BatchRow[]): boolean {
  return new Set(rows.map(({ type }) => type)).size === 1;
}

/** Returns the batches of the submission whose id is in the path, in order. Throws a 404 if it has no batches. */
export async function requireSubmission(db: Db, req: Request): Promise<BatchRow[]> {
  const submissionId = parseUuid(req.params.submission_id);
  const { accountId } = getSession(req);
  const rows = submissionId
    ? await batchLists.listSubmission(db, accountId, submissionId, submissionBatchesMax)
    : [];
  if (rows.length === 0) throw notFound('No submission with this id in your account.');
  return rows;
}
