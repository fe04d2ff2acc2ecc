import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import * as batchLists from '../../../db/batches/batch-lists.ts';
import { searchedBatchesMax } from '../../../db/batches/batch-lists.ts';
import * as history from '../../../db/batches/history.ts';
import { findHttpChecks } from '../../../db/batches/url-checks.ts';
import { notFound } from '../../http/errors.ts';
import { closeSignal, limitSearch } from '../../limits/slots.ts';
import { toBatchView } from '../batches/batch-view.ts';
import type { DashboardContext } from '../context.ts';
import { type ItemView, toDetailedItemView } from '../evidence/evidence.ts';
import type { Tone } from '../evidence/shares.ts';
import { readPage, readQueryText } from '../paging.ts';
import { showPage } from '../render.ts';
import { getSession } from '../visitors.ts';

const perPage = 25;
const httpChecksMax = 50;
const urlLengthMax = 2048;

interface Answer {
  answer: string;
  tone: Tone;
  /** The evidence; '' if none is stored. */
  why: string;
  /** Response time in milliseconds; null without a response, and for checks of Google's index. */
  ms: number | null;
  /** Null for a single check and for a deleted batch. */
  batchId: string | null;
  checkedAt: Date;
}

/** `batchName` is null for a single check and for a deleted batch. */
type NamedAnswer = Answer & { batchName: string | null };

export function addressPages(context: DashboardContext) {
  const { db, config } = context;

  const show: RequestHandler = async (req, res) => {
    const { accountId } = getSession(req);
    const url = readQueryText(req, 'url', urlLengthMax);
    if (!/^https?:\/\/\S/i.test(url))
      throw notFound('Add the URL to look up, such as /address?url=https://example.com/.');
    const filter = { type: 'index' as const, url, days: config.retention.historyDays };
    const { rows: points, pager } = await readPage(req, perPage, {
      count: (max) => history.count(db, accountId, filter, max),
      list: (window) => history.list(db, accountId, { ...filter, ...window }),
    });
    const wanted = { accountId, text: url, signal: closeSignal(res) };
    const items = await limitSearch(context, wanted, (trx) =>
      findHttpChecks(trx, accountId, url, { days: config.retention.days, limit: httpChecksMax }),
    );
    const [index, http] = await withNames(accountId, [
      points.map(toIndexAnswer),
      items.map((item) => toHttpAnswer(toDetailedItemView(item), item.batchId)),
    ]);
    const data = {
      url,
      once: randomUUID(),
      index,
      http,
      httpChecksMax,
      searchedBatchesMax,
      pager,
    };
    await showPage(context, req, res, { view: 'address', title: 'URL history', data });
  };

  async function withNames(accountId: number, lists: Answer[][]): Promise<NamedAnswer[][]> {
    const ids = new Set(lists.flat().flatMap(({ batchId }) => batchId ?? []));
    const rows = await batchLists.listByIds(db, accountId, [...ids]);
    const names = new Map(rows.map((row) => [row.batchId, toBatchView(row).name]));
    return lists.map((list) =>
      list.map((seen) => ({ ...seen, batchName: names.get(seen.batchId ?? '') ?? null })),
    );
  }

  return { show };
}

function toIndexAnswer({ isIndexed, batchId, checkedAt }: history.HistoryRow): Answer {
  if (isIndexed === null)
    return { answer: 'Not checked', tone: 'mute', why: 'Refunded', ms: null, batchId, checkedAt };
  const [answer, tone] = isIndexed ? (['Indexed', 'good'] as const) : (['Not indexed', 'warn'] as const);
  return { answer, tone, why: '', ms: null, batchId, checkedAt };
}

function toHttpAnswer({ answer, tone, evidence, ms, checkedAt }: ItemView, batchId: string | null): Answer {
  return { answer, tone, why: evidence.join(' '), ms, batchId, checkedAt };
}
