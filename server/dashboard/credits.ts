import type { RequestHandler } from 'express';
import * as batchLists from '../../db/batch-lists.ts';
import * as usage from '../../db/credit-use.ts';
import * as ledger from '../../db/ledger.ts';
import { viewOf } from './batch-view.ts';
import { chartSizes, columnChart } from './charts.ts';
import type { DashboardContext } from './context.ts';
import { pageOf, pagerOf } from './paging.ts';
import { showPage, showPart } from './render.ts';
import { sessionOf } from './visitors.ts';

const perPage = 25;
const days = 30;

export function creditPages(context: DashboardContext) {
  const { db } = context;

  const show: RequestHandler = async (req, res) => {
    const { accountId } = sessionOf(req);
    const page = pageOf(req);
    const [use, total, entries] = await Promise.all([
      usage.byDay(db, accountId, days),
      ledger.count(db, accountId),
      ledger.list(db, accountId, { limit: perPage, offset: (page - 1) * perPage }),
    ]);
    const ids = new Set(entries.flatMap(({ batchId }) => batchId ?? []));
    const named = new Map(
      (await batchLists.listByIds(db, accountId, [...ids])).map((row) => [row.batchId, viewOf(row)]),
    );
    const columns = use.map(({ day, used }) => ({ label: day, value: used }));
    const data = {
      use,
      used: use.reduce((sum, { used }) => sum + used, 0),
      days,
      charts: chartSizes.map(({ name, width }) => ({ name, ...columnChart(columns, width) })),
      entries: entries.map((entry) => ({
        ...entry,
        batch: named.get(entry.batchId ?? ''),
        reason: reasonOf(entry),
      })),
      pager: pagerOf(req, { page, perPage, shown: entries.length, total }),
    };
    await showPage(context, req, res, { view: 'credits', title: 'Credits', data });
  };

  /** The balance as the head of each page shows it: another tab may have spent some. */
  const balance: RequestHandler = async (req, res) => {
    const credits = await ledger.balance(db, sessionOf(req).accountId);
    showPart(context, req, res, { view: 'balance', data: { credits } });
  };

  return { show, balance };
}

const kinds = { grant: 'Granted', charge: 'Charged', refund: 'Refunded', adjustment: 'Adjusted' };

/** What an entry was for, where it is not a batch. */
function reasonOf({ kind, note, requestId }: ledger.Entry): string {
  const what = requestId === null ? (note ?? '') : `single check ${requestId}`;
  return [kinds[kind], what].filter(Boolean).join(': ');
}
