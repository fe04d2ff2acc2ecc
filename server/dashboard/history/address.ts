import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { httpChecksOf } from '../../../db/batches/address-checks.ts';
import * as batchLists from '../../../db/batches/batch-lists.ts';
import { searchedBatchesMax } from '../../../db/batches/batch-lists.ts';
import * as history from '../../../db/batches/history.ts';
import { totalMax } from '../../api/lists.ts';
import { notFound } from '../../http/errors.ts';
import { closeSignal } from '../../limits/slots.ts';
import { viewOf } from '../batches/batch-view.ts';
import type { DashboardContext } from '../context.ts';
import { evidenceInFull, type ItemView } from '../evidence/evidence.ts';
import type { Tone } from '../evidence/shares.ts';
import { pageOf, pagerOf, textOf } from '../paging.ts';
import { showPage } from '../render.ts';
import { sessionOf } from '../visitors.ts';

const perPage = 25;
const httpChecksMax = 50;
const urlLengthMax = 2048;

/** One answer about an address, whoever asked. */
interface Seen {
  answer: string;
  tone: Tone;
  /** What says so; empty where nothing more is kept. */
  why: string;
  /** How long the answer took; null where none came, and of Google's index. */
  ms: number | null;
  /** Null for a single check, and for a batch that is no longer there to be seen. */
  batchId: string | null;
  checkedAt: Date;
}

/** The same with what its batch is called; null where `batchId` is, and where the batch is gone. */
type Named = Seen & { batchName: string | null };

/** What all checks of one address came to: Google's index, and its HTTP status. */
export function addressPages(context: DashboardContext) {
  const { db, longQueries, config } = context;

  const show: RequestHandler = async (req, res) => {
    const { accountId } = sessionOf(req);
    const url = textOf(req, 'url', urlLengthMax);
    if (!/^https?:\/\/\S/i.test(url))
      throw notFound('There is no address to look for: this page needs ?url=.');
    const page = pageOf(req);
    const filter = { type: 'index' as const, url, days: config.retention.historyDays };
    const [total, points] = await Promise.all([
      history.count(db, accountId, filter, totalMax + 1),
      history.list(db, accountId, { ...filter, limit: perPage, offset: (page - 1) * perPage }),
    ]);
    const find = () =>
      httpChecksOf(db, accountId, url, { days: config.retention.days, limit: httpChecksMax });
    const items = await longQueries.run(accountId, find, { signal: closeSignal(res) });
    const [index, http] = await withNames(accountId, [
      points.map(seenInIndex),
      items.map((item) => seenByHttp(evidenceInFull(item), item.batchId)),
    ]);
    const data = {
      url,
      once: randomUUID(),
      index,
      http,
      httpChecksMax,
      searchedBatchesMax,
      pager: pagerOf(req, { page, perPage, shown: points.length, total, totalMax }),
    };
    await showPage(context, req, res, { view: 'address', title: 'Address', data });
  };

  async function withNames(accountId: number, lists: Seen[][]): Promise<Named[][]> {
    const ids = new Set(lists.flat().flatMap(({ batchId }) => batchId ?? []));
    const rows = await batchLists.listByIds(db, accountId, [...ids]);
    const names = new Map(rows.map((row) => [row.batchId, viewOf(row).name]));
    return lists.map((list) =>
      list.map((seen) => ({ ...seen, batchName: names.get(seen.batchId ?? '') ?? null })),
    );
  }

  return { show };
}

function seenInIndex({ isIndexed, batchId, checkedAt }: history.HistoryRow): Seen {
  if (isIndexed === null)
    return { answer: 'Not checked', tone: 'mute', why: 'refunded', ms: null, batchId, checkedAt };
  const [answer, tone] = isIndexed ? (['Indexed', 'good'] as const) : (['Not indexed', 'warn'] as const);
  return { answer, tone, why: '', ms: null, batchId, checkedAt };
}

function seenByHttp({ answer, tone, evidence, ms, checkedAt }: ItemView, batchId: string | null): Seen {
  return { answer, tone, why: evidence.join(' '), ms, batchId, checkedAt };
}
