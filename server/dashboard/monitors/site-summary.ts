import { comparedDays } from '../../../db/batches/rank-series.ts';
import type { RankDistributionBody, SeriesEntry } from '../../../schemas/monitor-series.ts';
import { dayMs } from '../../api/date-times.ts';
import { type RankMove, toRankMove } from '../evidence/rank-move.ts';
import { counted, day } from '../format.ts';
import { type RankMetric, rankMetrics } from './monitor-picture.ts';

export const citedMetric = 'ai_citation_rate';
type SiteMetric = RankMetric | typeof citedMetric;
export const metrics = [...Object.keys(rankMetrics), citedMetric] as SiteMetric[];

/**
 * Returns a metric now, and its changes since 1, 7 and 30 days ago or since the first entry. With `hasEarlierRuns`, the
 * differences of average ranks can be from before this entry.
 */
export function toSummary(metric: SiteMetric, series: SeriesEntry[], hasEarlierRuns: boolean) {
  const { title, scale, read } = metric === citedMetric ? citedSummary : fromRanks(rankMetrics[metric]);
  const last = series.at(-1);
  const now = last ? read(last) : null;
  if (!last || now === null) return { title, now: 'none', changes: [] };
  const changes = comparedDays.flatMap((days) => {
    const then = findEntryBefore(series, days);
    if (!then) return [];
    const when = then.isFirst ? `since ${day(new Date(then.entry.at))}` : `in ${counted(days, 'day')}`;
    if (metric === 'average_rank' && !(then.isFirst && hasEarlierRuns)) {
      const average = toAverageMove(last.ranks, days);
      if (average)
        return { ...average, entry: then.entry, when: [when, average.of].filter(Boolean).join(' ') };
      if (!then.isFirst) return [];
    }
    const before = read(then.entry);
    if (before === null || (scale === 'rank' && !haveSameRanked(then.entry, last))) return [];
    const move = scale === 'rank' ? toRankMove(before, now) : toShareMove(before, now);
    return { ...move, entry: then.entry, when };
  });
  // All periods that begin before the first run have the same change. It is listed once.
  const distinct = new Map(changes.toReversed().map((change) => [change.entry, change]));
  return {
    title,
    now: scale === 'rank' ? `#${now.toFixed(1)}` : toPoints(now, '%'),
    changes: [...distinct.values()].reverse(),
  };
}

interface Summary {
  title: string;
  scale: 'rank' | 'share';
  read: (entry: SeriesEntry) => number | null;
}

const citedSummary: Summary = {
  title: 'AI citations',
  scale: 'share',
  read: ({ ai_citation_rate: rate }) => rate ?? null,
};

function fromRanks({ title, scale, read }: (typeof rankMetrics)[RankMetric]): Summary {
  return { title, scale, read: ({ ranks }) => (ranks ? read(ranks) : null) };
}

/**
 * Finds the entry nearest to `days` before the last entry, at most half of `days` away. Returns the first entry if it
 * is later than that time.
 */
function findEntryBefore(
  series: SeriesEntry[],
  days: number,
): { entry: SeriesEntry; isFirst: boolean } | null {
  const lastAt = Date.parse(series.at(-1)?.at ?? '');
  const moment = lastAt - days * dayMs;
  const halfMs = (days * dayMs) / 2;
  const first = series[0];
  if (first && series.length > 1 && Date.parse(first.at) - moment > Math.min(dayMs, halfMs))
    return { entry: first, isFirst: true };
  const distance = ({ at }: SeriesEntry) => Math.abs(Date.parse(at) - moment);
  const near = series
    .slice(0, -1)
    .filter((entry) => distance(entry) <= halfMs)
    .sort((a, b) => distance(a) - distance(b))[0];
  return near ? { entry: near, isFirst: false } : null;
}

/** Averages of different keywords would differ without any change of a rank. */
function haveSameRanked(before: SeriesEntry, now: SeriesEntry): boolean {
  return (
    before.subjects === now.subjects && [before, now].every((one) => one.ranks?.top_100 === one.subjects)
  );
}

/**
 * Compares the average rank with an earlier day, for the keywords that ranked then and rank now; null without such
 * keywords. `of` says for how many keywords, unless all that rank now are compared.
 */
export function toAverageMove(
  ranks: RankDistributionBody | undefined,
  days: (typeof comparedDays)[number],
): (RankMove & { of: string }) | null {
  const difference = ranks?.differences[`day_${days}`];
  if (!difference) return null;
  const { queries, average_rank_before: before, average_rank_now: now } = difference;
  const move = toRankMove(before, now);
  const averages = [before, now].map((average) => `#${Number(average.toFixed(1))}`).join(' → ');
  const compared = `for ${counted(queries, 'keyword')}${move.text === '=' ? '' : `: ${averages}`}`;
  return { ...move, of: queries === ranks.top_100 ? '' : compared };
}

function toShareMove(before: number, now: number): RankMove {
  const by = toPoints(Math.abs(now - before), ' pts').replace(/^1 pts/, '1 pt');
  if (by === '0 pts') return { text: '=', meaning: 'unchanged', tone: 'mute' };
  const then = toPoints(before, '%');
  return now > before
    ? { text: `▲ ${by}`, meaning: `up from ${then}`, tone: 'good' }
    : { text: `▼ ${by}`, meaning: `down from ${then}`, tone: 'bad' };
}

export function toPoints(share: number, unit: string): string {
  return `${Math.round(share * 1000) / 10}${unit}`;
}
