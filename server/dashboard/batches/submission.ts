import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { cancel as cancelBatch } from '../../../batches/cancel.ts';
import { inOpenAccount } from '../../../db/accounts/open-account.ts';
import * as batchLists from '../../../db/batches/batch-lists.ts';
import type { BatchRow } from '../../../db/batches/batches.ts';
import * as results from '../../../db/batches/results.ts';
import type { Db } from '../../../db/postgres/connect.ts';
import { parseUuid } from '../../../schemas/uuid.ts';
import { type ExportEnding, sendExport } from '../../api/results/export.ts';
import { readSelection } from '../../api/selection.ts';
import { notFound } from '../../http/errors.ts';
import type { DashboardContext } from '../context.ts';
import { setFlash } from '../flash.ts';
import { wordOf } from '../paging.ts';
import { showPage, showPart } from '../render.ts';
import { authorizationOf, sessionOf } from '../visitors.ts';
import { submissionBatchesMax } from './activity.ts';
import { labelOf } from './batch-view.ts';
import { countOf, partsOf, submissionView, together } from './submission-view.ts';
import { timeLeftOf, whyWaiting } from './waiting.ts';

/** What was submitted together: one bar for all, and the batches below. */
export function submissionPages(context: DashboardContext) {
  const { db } = context;

  const show: RequestHandler = async (req, res) => {
    const data = await dataOf(req);
    await showPage(context, req, res, { view: 'submission', title: data.batch.name, data });
  };

  /** The moving part, for htmx; 204 while nothing has changed. */
  const live: RequestHandler = async (req, res) => {
    const data = await dataOf(req);
    if (data.batch.version === req.query.seen) return void res.status(204).end();
    showPart(context, req, res, { view: 'submission-head', data });
  };

  const cancel: RequestHandler = async (req, res) => {
    const rows = await rowsOfSubmission(db, req);
    for (const row of rows) {
      if (row.completedAt !== null) continue;
      await inOpenAccount(db, authorizationOf(req), (trx) => cancelBatch(trx, context, row));
    }
    setFlash(context, res, { tone: 'good', text: 'Canceled. Credits for what was not checked are back.' });
    res.redirect(303, `/submissions/${rows[0]?.submissionId}`);
  };

  /** All of its batches, or what a filter shows of them, as one file; 404 where they are of several types. */
  const exportAs =
    (ending: ExportEnding): RequestHandler =>
    async (req, res) => {
      const rows = await rowsOfSubmission(db, req);
      const sum = together(rows);
      if (!isOfOneType(rows)) throw notFound('These batches are of several types. Export them one by one.');
      const selection = readSelection(req, sum.type);
      await sendExport(context, res, rows, { ending, selection, hasByteOrderMark: true });
    };

  async function dataOf(req: Request) {
    const rows = await rowsOfSubmission(db, req);
    const view = submissionView(rows, String(rows[0]?.submissionId));
    const sum = together(rows);
    const waiting = await whyWaiting(db, sum);
    const show = wordOf(req, 'show', results.filtersOf(sum.type));
    return {
      show,
      showLabel: show ? labelOf(sum, show) : null,
      shown: show ? countOf(view, show) : 0,
      once: randomUUID(),
      row: rows[0],
      isExportable: isOfOneType(rows),
      isKept: rows.every(({ purgedAt }) => purgedAt === null),
      batch: { ...view, version: waiting ? `${view.version}-${waiting.length}` : view.version },
      waiting,
      timeLeft: waiting ? null : timeLeftOf(sum),
      batches: partsOf(rows, show),
      batchCount: rows.length,
      charged: sum.total - sum.skipped,
      refunded: sum.failed - sum.skipped,
      duplicates: sum.duplicates,
    };
  }

  return { show, live, cancel, csv: exportAs('csv'), xlsx: exportAs('xlsx'), ndjson: exportAs('ndjson') };
}

function isOfOneType(rows: BatchRow[]): boolean {
  return new Set(rows.map(({ type }) => type)).size === 1;
}

/** The batches of the submission that a page names, as they were submitted. Throws a 404 when there are none. */
export async function rowsOfSubmission(db: Db, req: Request): Promise<BatchRow[]> {
  const submissionId = parseUuid(req.params.submission_id);
  const { accountId } = sessionOf(req);
  const rows = submissionId
    ? await batchLists.ofSubmission(db, accountId, submissionId, submissionBatchesMax)
    : [];
  if (rows.length === 0) throw notFound('There is no such submission in your account.');
  return rows;
}
