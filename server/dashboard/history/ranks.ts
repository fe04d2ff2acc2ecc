import type { RequestHandler } from 'express';
import * as rankSeries from '../../../db/batches/rank-series.ts';
import { comparedDays } from '../../../db/batches/rank-series.ts';
import type { RankQuery } from '../../../schemas/keyword.ts';
import { notFound } from '../../http/errors.ts';
import { closeSignal, limitSearch } from '../../limits/slots.ts';
import { createLineChart, type LineChart } from '../charts.ts';
import type { DashboardContext } from '../context.ts';
import { type RankMove, toSearchMove } from '../evidence/rank-move.ts';
import { competitorLabel } from '../format.ts';
import { createPager, readPageNumber, readQueryText } from '../paging.ts';
import { showPage } from '../render.ts';
import { getSession } from '../visitors.ts';

const perPage = 50;
const pointsMax = 200;
const variantsMax = 20;

/** Ranks over time of queries that were checked more than once. */
export function rankPages(context: DashboardContext) {
  const { db, config } = context;
  const days = config.retention.historyDays;

  const show: RequestHandler = async (req, res) => {
    const { accountId } = getSession(req);
    const search = readQueryText(req, 'q');
    const page = readPageNumber(req);
    const window = { limit: perPage, offset: (page - 1) * perPage };
    const wanted = { accountId, text: search, signal: closeSignal(res) };
    const { rows, total } = await limitSearch(context, wanted, (trx) =>
      rankSeries.list(trx, accountId, { days, search, ...window }),
    );
    const pager = createPager(req, { page, perPage, shown: rows.length, total });
    const chosen = readQueryText(req, 'series') || (rows[0]?.series ?? '');
    const line = chosen ? await readLine(accountId, chosen) : null;
    const all = await findRankRows(context, accountId, rows);
    const data = { all, pager, search, chosen, line, daysBack: comparedDays };
    await showPage(context, req, res, { view: 'ranks', title: 'Ranks', data });
  };

  async function readLine(accountId: number, series: string) {
    const { input, points } = /^[0-9a-f]{64}$/.test(series)
      ? await rankSeries.listPoints(db, accountId, series, { days, limit: pointsMax })
      : { input: null, points: [] };
    if (!input) throw notFound('No query with this id in your account.');
    const ranked = points.flatMap(({ rank }) => rank ?? []);
    const competitors = await findCompetitorRanks(context, accountId, points);
    const { rows: variants } = await rankSeries.list(db, accountId, {
      days,
      query: input,
      limit: variantsMax,
    });
    return {
      input,
      points,
      competitors,
      /** The same keyword and target in other countries, languages or devices. */
      places: variants.length > 1 ? await findRankRows(context, accountId, variants) : [],
      chart: toChart(input, points, competitors),
      now: points.at(-1)?.rank ?? null,
      best: ranked.length > 0 ? Math.min(...ranked) : null,
    };
  }

  return { show };
}

function toChart(input: RankQuery, points: rankSeries.RankPoint[], competitors: CompetitorLine[]): LineChart {
  const ranks = competitors.map(
    ({ points: known }) =>
      new Map(
        known.map(({ requestId, rank, rankOrReason }) => [requestId, rank ?? competitorLabel(rankOrReason)]),
      ),
  );
  return createLineChart({
    title: 'Rank',
    scale: 'rank',
    lines: [{ label: input.target_url }, ...competitors.map(({ url }) => ({ label: url }))],
    rows: points.map(({ requestId, checkedAt, rank }) => ({
      at: [checkedAt],
      values: [rank, ...ranks.map((known) => known.get(requestId))],
    })),
    timeHeads: ['When'],
    missing: 'not ranked',
  });
}

/** The change of a rank in the last `days` days, as a cell of a table. */
type MoveView = RankMove & { days: number };

async function findRankRows(
  { db, config }: Pick<DashboardContext, 'db' | 'config'>,
  accountId: number,
  rows: rankSeries.RankSeries[],
) {
  const changes = await rankSeries.findChanges(
    db,
    accountId,
    rows.map(({ series }) => series),
    config.retention.historyDays,
  );
  return rows.map((row) => {
    const { best = null, earlier = [] } = changes.get(row.series) ?? {};
    return { ...row, best, moves: earlier.map((before) => toMove(row, before)) };
  });
}

function toMove(
  { rank: now, input }: rankSeries.RankSeries,
  { days, rank, endPage, wasChecked }: rankSeries.EarlierRank,
): MoveView {
  if (!wasChecked) return { days, text: '–', meaning: 'not checked then', tone: 'mute' };
  return { days, ...toSearchMove({ rank, endPage }, { rank: now, endPage: input.end_page }) };
}

/** A competitor's ranks in the checks that included it. */
interface CompetitorLine {
  url: string;
  points: Array<rankSeries.RankPoint & { rankOrReason: rankSeries.CompetitorRank['rankOrReason'] }>;
}

/** Lists up to 10 competitors of the given checks, beginning with those of the latest check. */
async function findCompetitorRanks(
  { db }: Pick<DashboardContext, 'db'>,
  accountId: number,
  points: rankSeries.RankPoint[],
): Promise<CompetitorLine[]> {
  const known = await rankSeries.findCompetitors(
    db,
    accountId,
    points.map(({ requestId }) => requestId),
  );
  const newestFirst = points.toReversed().flatMap(({ requestId }) => known.get(requestId) ?? []);
  const urls = new Set(newestFirst.map(({ url }) => url));
  return [...urls].slice(0, 10).map((url) => ({
    url,
    points: points.flatMap((point) => {
      const found = known.get(point.requestId)?.find((one) => one.url === url);
      return found ? [{ ...point, rank: found.rank, rankOrReason: found.rankOrReason }] : [];
    }),
  }));
}
