import type { Request, RequestHandler, Response } from 'express';
import * as history from '../../db/batches/history.ts';
import * as rankSeries from '../../db/batches/rank-series.ts';
import { type HistoryType, historyTypes } from '../../schemas/check-types.ts';
import { historyBody } from '../../wire/bodies.ts';
import type { Context } from '../context.ts';
import { getCaller } from '../http/authenticate.ts';
import { checkCursor } from '../http/cursors.ts';
import { closeSignal } from '../limits/slots.ts';
import { sendPage } from './lists.ts';
import { readDateTime, readEnum, readSearch, readText } from './parameters.ts';
import { joinFileName, readLocale, sendTable, type TableChoice, type TableFormat } from './results/export.ts';
import {
  type Column,
  type CompetitorCell,
  competitorColumnsMax,
  createColumns,
  createCompetitorColumns,
  createRankColumn,
  mapColumns,
} from './results/table.ts';

const exportedAtOnce = 100;

export function historyRoutes(context: Context) {
  const { db, config } = context;

  const listHistory: RequestHandler = async (req, res) => {
    const { accountId } = getCaller(req);
    const filter = readFilter(context, req);
    await sendPage(config, req, res, {
      cursor: checkCursor,
      count: (max) => history.count(db, accountId, filter, max),
      list: (window) => history.list(db, accountId, { ...filter, ...window }),
      toBody: historyBody,
    });
  };

  const exportAs =
    (ending: TableFormat): RequestHandler =>
    (req, res) =>
      sendHistory(context, req, res, getCaller(req).accountId, { ending, locale: readLocale(req) });

  return { listHistory, exportHistoryCsv: exportAs('csv'), exportHistoryXlsx: exportAs('xlsx') };
}

function readFilter({ config }: Pick<Context, 'config'>, req: Request): history.HistoryFilter {
  const isIndexed = readEnum(req, 'is_indexed', ['true', 'false']);
  return {
    type: readEnum(req, 'type', historyTypes) ?? 'index',
    days: config.retention.historyDays,
    url: readText(req, 'url'),
    isIndexed: isIndexed === undefined ? undefined : isIndexed === 'true',
    from: readDateTime(req, 'from'),
    to: readDateTime(req, 'to'),
  };
}

/** A check in the history. `competitors` is empty if the answer is no longer stored. */
interface HistoryEntry {
  body: Record<string, unknown>;
  competitors: CompetitorCell[];
}

/** Sends a file of the index checks or ranks that the query parameters select, newest first. */
export async function sendHistory(
  context: Context,
  req: Request,
  res: Response,
  accountId: number,
  choice: TableChoice,
): Promise<void> {
  const { db } = context;
  const filter = { ...readFilter(context, req), search: readSearch(req) };
  const isKeyword = filter.type === 'keyword';
  const limit = competitorColumnsMax + 1;
  const list = () => history.listCompetitorUrls(db, accountId, filter, limit);
  const signal = closeSignal(res);
  const competitors = isKeyword ? await context.longQueries.run(accountId, list, { signal }) : [];
  const fileName = joinFileName([isKeyword ? 'ranks' : 'index'], new Date());
  const columns = historyColumns(filter.type, competitors);
  await sendTable(context, res, { accountId, fileName, columns, pages: readPages() }, choice);

  async function* readPages(): AsyncGenerator<HistoryEntry[]> {
    let after: history.HistoryRow | undefined;
    do {
      const rows = await history.list(db, accountId, { ...filter, limit: exportedAtOnce, after });
      const ids = rows.map(({ requestId }) => requestId);
      const ranks = isKeyword ? await rankSeries.findCompetitors(db, accountId, ids) : noRanks;
      yield rows.map((row) => ({ body: historyBody(row), competitors: toCells(ranks.get(row.requestId)) }));
      after = rows.length === exportedAtOnce ? rows.at(-1) : undefined;
    } while (after);
  }
}

const noRanks: Map<number, rankSeries.CompetitorRank[]> = new Map();

function toCells(ranks: rankSeries.CompetitorRank[] = []): CompetitorCell[] {
  return ranks.map(({ url, rankOrReason }) => ({ url, rank: rankOrReason }));
}

const askedFields: Record<HistoryType, string[]> = {
  index: ['url'],
  keyword: ['keyword', 'target_url', 'country', 'language', 'location', 'device', 'match', 'tag'],
};

function historyColumns(type: HistoryType, competitors: string[]): Column<HistoryEntry>[] {
  const columns = (names: string[]) =>
    mapColumns(createColumns<object>(...names), ({ body }: HistoryEntry) => body);
  const rank = mapColumns([createRankColumn<object>()], ({ body }: HistoryEntry) =>
    body.state === 'success' ? body : null,
  );
  return [
    ...columns(['checked_at', ...askedFields[type]]),
    ...(type === 'keyword' ? rank : columns(['is_indexed'])),
    ...createCompetitorColumns(competitors, (entry: HistoryEntry) => entry.competitors),
    ...columns(['state', 'error', 'batch_id', 'request_id']),
  ];
}
