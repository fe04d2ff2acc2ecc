import * as rankSeries from '../../../db/batches/rank-series.ts';
import type { DashboardContext } from '../context.ts';
import type { Tone } from '../evidence/shares.ts';

/** The change of a rank since `days` ago, as a cell of a table. */
interface MoveView {
  days: number;
  text: string;
  /** The change in words, for screen readers. */
  meaning: string;
  tone: Tone;
}

export interface RankRow extends rankSeries.RankSeries {
  best: number | null;
  moves: MoveView[];
}

/** Adds to each query its best rank and its rank changes. */
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

function toMove(now: number | null, { days, rank: before, wasChecked }: rankSeries.EarlierRank): MoveView {
  const move = (text: string, meaning: string, tone: Tone) => ({ days, text, meaning, tone });
  if (!wasChecked) return move('–', 'not checked then', 'mute');
  if (before === now) return move('=', 'unchanged', 'mute');
  if (before === null) return move('new', 'not found then', 'good');
  if (now === null) return move('lost', `#${before} then`, 'bad');
  return before > now
    ? move(`▲ ${before - now}`, `up from #${before}`, 'good')
    : move(`▼ ${now - before}`, `down from #${before}`, 'bad');
}

/** A competitor's ranks in the checks that included it. */
export interface CompetitorLine {
  url: string;
  points: Array<rankSeries.RankPoint & { rankOrReason: rankSeries.CompetitorRank['rankOrReason'] }>;
}

/** Lists up to 10 competitors of the given checks, beginning with those of the latest check. */
export async function findCompetitorLines(
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
