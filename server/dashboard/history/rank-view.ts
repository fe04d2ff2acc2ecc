import * as rankSeries from '../../../db/batches/rank-series.ts';
import type { DashboardContext } from '../context.ts';
import { type RankMove, toRankMove } from '../evidence/rank-move.ts';

/** The change of a rank in the last `days` days, as a cell of a table. */
type MoveView = RankMove & { days: number };

interface RankRow extends rankSeries.RankSeries {
  best: number | null;
  moves: MoveView[];
}

export async function findRankRows(
  { db, config }: Pick<DashboardContext, 'db' | 'config'>,
  accountId: number,
  rows: rankSeries.RankSeries[],
): Promise<RankRow[]> {
  const changes = await rankSeries.findChanges(
    db,
    accountId,
    rows.map(({ series }) => series),
    config.retention.historyDays,
  );
  return rows.map((row) => {
    const { best = null, earlier = [] } = changes.get(row.series) ?? {};
    return { ...row, best, moves: earlier.map((before) => toMove(row.rank, before)) };
  });
}

function toMove(now: number | null, { days, rank, wasChecked }: rankSeries.EarlierRank): MoveView {
  if (!wasChecked) return { days, text: '–', meaning: 'not checked then', tone: 'mute' };
  return { days, ...toRankMove(rank, now) };
}

/** A competitor's ranks in the checks that included it. */
export interface CompetitorLine {
  url: string;
  points: Array<rankSeries.RankPoint & { rankOrReason: rankSeries.CompetitorRank['rankOrReason'] }>;
}

/** Lists up to 10 competitors of the given checks, beginning with those of the latest check. */
export async function findCompetitorRanks(
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
