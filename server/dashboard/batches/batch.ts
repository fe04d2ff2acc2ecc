import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { cancelBatch } from '../../../batches/cancel.ts';
import { prepareRetry } from '../../../batches/check-again.ts';
import { inOpenAccount } from '../../../db/accounts/open-account.ts';
import type * as batches from '../../../db/batches/batches.ts';
import type { BatchRow } from '../../../db/batches/batches.ts';
import * as comparison from '../../../db/batches/comparison.ts';
import * as reportLinks from '../../../db/batches/report-links.ts';
import * as results from '../../../db/batches/results.ts';
import { InsufficientCreditsError } from '../../../db/ledger/ledger.ts';
import { daysKept } from '../../../db/retention/partitions.ts';
import { ApiError } from '../../../process/api-error.ts';
import { type CheckType, checkTypes, isUrlCheckType } from '../../../schemas/check-types.ts';
import { getCharges } from '../../../wire/bodies.ts';
import { acceptOnce } from '../../api/accepted.ts';
import { readSelection } from '../../api/parameters.ts';
import { type ExportFormat, readLocale, sendExport } from '../../api/results/export.ts';
import { closeSignal, limitSearch } from '../../limits/slots.ts';
import type { DashboardContext } from '../context.ts';
import { toItemViews } from '../evidence/evidence.ts';
import { reviewFilters, toReviewShares } from '../evidence/shares.ts';
import { flashResult, setFlash } from '../flash.ts';
import { createPager, readPageNumber, readQueryText, withQuery } from '../paging.ts';
import { showFragment, showPage } from '../render.ts';
import { getAuthorization } from '../visitors.ts';
import { getShareLabel, toBatchView } from './batch-view.ts';
import { findBatch } from './find-batch.ts';
import { linkDays } from './sharing.ts';
import { describeWait, estimateTimeLeft } from './waiting.ts';

const perPage = 50;
const sorts = ['position', 'asked', 'answer', 'time'] as const;

export function batchPages(context: DashboardContext) {
  const { db, config } = context;

  const show: RequestHandler = async (req, res) => {
    const batch = await findBatch(context, req);
    const links = await reportLinks.list(db, batch);
    const data = { ...(await head(batch)), ...(await table(req, res, batch)), links, linkDays };
    await showPage(context, req, res, { view: 'batch', title: data.batch.name, data });
  };

  /** Sends the head of the page to htmx; 204 if nothing has changed. */
  const live: RequestHandler = async (req, res) => {
    const batch = await findBatch(context, req);
    const data = await head(batch);
    if (data.batch.version === req.query.seen) return void res.status(204).end();
    // htmx reloads the results if the batch has ended, or if the first page was not full at the last update.
    const isTableBehind = data.batch.isOver || Number.parseInt(String(req.query.seen), 10) < perPage;
    if (isTableBehind) res.set('HX-Trigger', 'results-changed');
    showFragment(context, req, res, { view: 'batch-head', data });
  };

  const showResults: RequestHandler = async (req, res) => {
    const batch = await findBatch(context, req);
    const data = { ...(await head(batch)), ...(await table(req, res, batch)) };
    showFragment(context, req, res, { view: 'results', data });
  };

  const exportAs =
    (ending: ExportFormat): RequestHandler =>
    async (req, res) => {
      const batch = await findBatch(context, req);
      const selection = readSelection(req, batch.type);
      await sendExport(context, res, batch, {
        ending,
        selection,
        locale: readLocale(req),
        hasByteOrderMark: true,
      });
    };

  const cancel: RequestHandler = async (req, res) => {
    const { accountId, batchId, completedAt, isTest } = await findBatch(context, req);
    await flashResult(context, res, async () => {
      const ref = { accountId, batchId };
      const batch = await inOpenAccount(db, getAuthorization(req), (trx) => cancelBatch(trx, context, ref));
      const isCanceled = completedAt === null && batch.canceledAt !== null;
      return isCanceled
        ? `Batch canceled. ${isTest ? 'You were not charged.' : 'Credits for unfinished checks were refunded.'}`
        : 'This batch ended before it could be canceled.';
    });
    redirectToBatch(res, batchId);
  };

  const retry: RequestHandler = async (req, res) => {
    const { accountId, batchId } = await findBatch(context, req);
    try {
      const { result } = await acceptOnce(context, context, getAuthorization(req), null, {
        read: async () => [await prepareRetry(db, { accountId, batchId })],
        toReply: () => ({ status: 202, body: {} }),
      });
      redirectToBatch(res, result?.[0]?.batchId ?? batchId);
    } catch (error) {
      if (!(error instanceof ApiError) || error instanceof InsufficientCreditsError) throw error;
      const retriedAs = error.details.retried_as;
      if (typeof retriedAs !== 'string') setFlash(context, res, { tone: 'bad', text: error.message });
      redirectToBatch(res, typeof retriedAs === 'string' ? retriedAs : batchId);
    }
  };

  async function head(batch: batches.BatchRow) {
    const view = toBatchView(batch);
    const { skipped, failed, retriedAs, purgedAt } = batch;
    const waiting = await describeWait(db, batch);
    return {
      // The reason for waiting can change although the batch does not change.
      batch: { ...view, version: waiting ? `${view.version}-${waiting.length}` : view.version },
      row: batch,
      waiting,
      timeLeft: waiting ? null : estimateTimeLeft(batch),
      ...getCharges(batch),
      isRetryable: view.isOver && failed > skipped && retriedAs === null && purgedAt === null,
      retentionDays: daysKept(config.retention.days, batch),
    };
  }

  async function table(req: Request, res: Response, batch: batches.BatchRow) {
    const page = readPageNumber(req);
    const show = results.getFilters(batch.type).find((filter) => filter === req.query.show);
    const search = readQueryText(req, 'q');
    const sort = sorts.find((word) => word === req.query.sort) ?? 'position';
    const isDescending = req.query.order === 'desc';
    const query = { sort, isDescending, limit: perPage, offset: (page - 1) * perPage };
    const selection = { ...(show ? { show } : {}), ...(search ? { search } : {}) };
    const wanted = { accountId: batch.accountId, text: search, signal: closeSignal(res) };
    const [{ rows, total }, again] = await limitSearch(
      context,
      wanted,
      async (trx) =>
        [
          await results.page(trx, batch, { ...query, ...selection }),
          await findAgainView({ ...context, db: trx }, batch, selection),
        ] as const,
    );
    const path = `/batches/${batch.batchId}`;
    const queryString = new URL(req.originalUrl, 'http://page').search;
    const { rows: items, shared } = toItemViews(rows, batch);
    return {
      items,
      shared,
      columns: columnNames[batch.type],
      show,
      showLabel: show ? getShareLabel(batch, show) : null,
      search,
      sort,
      order: isDescending ? 'desc' : 'asc',
      resultsUrl: `${path}/results${queryString}`,
      exported: (ending: ExportFormat, isAll: boolean) =>
        withQuery(req, `${path}/results.${ending}`, {
          ...{ page: null, sort: null, order: null },
          ...(isAll ? { show: null, q: null } : {}),
        }),
      sorted: (by: string) =>
        withQuery(req, path, { sort: by, order: sort === by && !isDescending ? 'desc' : null, page: null }),
      again,
      reviewShares:
        batch.type === 'http' ? toReviewShares(await results.countByFilter(db, batch, reviewFilters)) : [],
      pager: createPager(req, { path, page, perPage, shown: rows.length, total }),
    };
  }

  return {
    show,
    live,
    showResults,
    csv: exportAs('csv'),
    ndjson: exportAs('ndjson'),
    xlsx: exportAs('xlsx'),
    cancel,
    retry,
  };
}

/** Columns of the results. Users can sort by the first two columns. */
const columnNames: Record<CheckType, string[]> = {
  http: ['URL', 'Answer', 'Final URL', 'Redirects', 'Time', 'Why'],
  index: ['URL', 'Answer', 'Shown as', 'Why'],
  keyword: ['Keyword', 'Rank', 'Ranked page', 'Why'],
};

function redirectToBatch(res: Response, batchId: string): void {
  res.redirect(303, `/batches/${batchId}`);
}

/**
 * Returns form data for checking the shown results of a batch again. Returns null while the batch runs, and after its
 * results are deleted.
 */
async function findAgainView(
  { db }: Pick<DashboardContext, 'db'>,
  batch: BatchRow,
  selection: results.Selection,
) {
  const { type, completedAt, purgedAt, batchId } = batch;
  if (!completedAt || purgedAt) return null;
  const [checks, price, last] = await Promise.all([
    results.countInputs(db, batch, selection),
    batch.overviews > 0 ? results.sumPrices(db, batch, selection) : null,
    comparison.findPrevious(db, batch),
  ]);
  const others = (['http', 'index'] as const).filter((other) => isUrlCheckType(type) && other !== type);
  return {
    /** Id of the form: sending the form twice starts only one batch. */
    once: randomUUID(),
    type,
    /** Other check types for the same URLs. */
    others: others.map((other) => ({ type: other, title: checkTypes[other].title })),
    checks,
    /** Credits charged at first. AI Overviews that cannot be read are refunded. */
    price: price ?? checks,
    /** True for a batch of a test token. */
    isFree: batch.isTest,
    isAll: Object.keys(selection).length === 0,
    /** URL of the comparison with the previous batch; null without a previous batch. */
    compareHref: last && `/batches/${batchId}/compare`,
  };
}
