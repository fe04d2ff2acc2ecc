import * as rankSeries from '../../../db/batches/rank-series.ts';
import type { DashboardContext } from '../context.ts';
import type { Tone } from '../evidence/shares.ts';

/** How a rank moved, as a table shows it. */
interface MoveView {
  days: number;
  text: string;
  /** The same for those who do not see the arrow. */
  meaning: string;
  tone: Tone;
}

export interface RankRow extends rankSeries.RankSeries {
  best: number | null;
  moves: MoveView[];
}

/** Queries with what became of their ranks. */
export async function rankRows(
  { db, config }: Pick<DashboardContext, 'db' | 'config'>,
  accountId: number,
  rows: rankSeries.RankSeries[],
): Promise<RankRow[]> {
  const changes = await rankSeries.changesOf(
    db,
    accountId,
    rows.map(({ series }) => series),
    config.retention.historyDays,
  );
  return rows.map((row) => {
    const { best = null, earlier = [] } = changes.get(row.series) ?? {};
    return { ...row, best, moves: earlier.map((before) => moveOf(row.rank, before)) };
  });
}

function moveOf(now: number | null, { days, rank: before, wasChecked }: rankSeries.EarlierRank): MoveView {
  const move = (text: string, meaning: string, tone: Tone) => ({ days, text, meaning, tone });
  if (!wasChecked) return move('–', 'not checked about then', 'mute');
  if (before === now) return move('=', 'as then', 'mute');
  if (before === null) return move('new', 'not found then', 'good');
  if (now === null) return move('lost', `#${before} then`, 'bad');
  return before > now
    ? move(`▲ ${before - now}`, `up from #${before}`, 'good')
    : move(`▼ ${now - before}`, `down from #${before}`, 'bad');
}

/** A competitor's ranks at the checks of a query; those it was not asked with are left out. */
interface CompetitorLine {
  url: string;
  points: Array<rankSeries.RankPoint & { standing: rankSeries.CompetitorRank['standing'] }>;
}

/** The competitors that some checks were asked with, in the order of the last of them. */
export async function competitorLines(
  { db }: Pick<DashboardContext, 'db'>,
  accountId: number,
  points: rankSeries.RankPoint[],
): Promise<CompetitorLine[]> {
  const known = await rankSeries.competitorsOf(
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
      return found ? [{ ...point, rank: found.rank, standing: found.standing }] : [];
    }),
  }));
}
