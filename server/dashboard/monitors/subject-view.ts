import { comparedDays } from '../../../db/batches/rank-series.ts';
import type { MonitorRow } from '../../../db/monitors/monitors.ts';
import { type EarlierPoint, type PointRow, toEndPage } from '../../../db/monitors/points.ts';
import type { SubjectRow } from '../../../db/monitors/subjects.ts';
import { findHistories } from '../../../monitors/histories.ts';
import type { CheckType } from '../../../schemas/check-types.ts';
import type { AnswerPeriod, SubjectEntry } from '../../../schemas/monitor-history.ts';
import { type SubjectHistory, subjectEntry } from '../../../wire/subjects.ts';
import { dayMs } from '../../api/date-times.ts';
import type { DashboardContext } from '../context.ts';
import { rankTone } from '../evidence/evidence.ts';
import { type RankMove, toSearchMove } from '../evidence/rank-move.ts';
import type { Tone } from '../evidence/shares.ts';
import { toSubjectLabels } from './change-view.ts';

interface SubjectView {
  id: number;
  href: string;
  subject: string;
  where: string;
  answer: string;
  tone: Tone;
  /** Time of the answer, if it is not from the last run or the monitor is not active. */
  oldSince: Date | null;
  /** The AI Overview of the last answer; null if it is unknown. */
  overview: OverviewView | null;
  /** Why the subject is no longer checked; null if it is still checked. */
  left: string | null;
  best: number | null;
  moves: Array<RankMove & { days: number }>;
  /** Path data of a chart of 100 by 20 units. The line is interrupted at unconfirmed losses. */
  sparkline: string[];
  /** Answers over time, newest first. */
  periods: Array<{ from: Date; until: Date; answer: string; tone: Tone }>;
}

export interface Period {
  from: Date;
  to: Date;
}

export function lastDays(days: number, now: Date): Period {
  return { from: new Date(now.getTime() - days * dayMs), to: now };
}

interface FoundSubject {
  entry: SubjectEntry;
  history: SubjectHistory;
}

export async function findSubjectEntries(
  { db }: Pick<DashboardContext, 'db'>,
  monitor: Pick<MonitorRow, 'accountId' | 'monitorId' | 'type'>,
  rows: SubjectRow[],
  { from, to }: Period,
  options?: Parameters<typeof subjectEntry>[3],
): Promise<FoundSubject[]> {
  const histories = await findHistories(db, monitor, rows, { from, to: new Date(to.getTime() + dayMs) });
  return rows.map((row, place) => {
    const history = histories[place] as SubjectHistory;
    return { entry: subjectEntry(monitor.type, row, history, options), history };
  });
}

const removalReasons = {
  removed: 'Removed from the list',
  left_sitemap: 'No longer in the sitemap',
  indexed: 'Indexed, no longer checked',
};

/** `lastRunAt` is undefined before the first run. */
export function toSubjectView(
  { monitorId, type, status }: MonitorRow,
  { entry, history }: FoundSubject,
  span: Period,
  lastRunAt: Date | undefined,
): SubjectView {
  const answeredAt = entry.latest && new Date(entry.latest.until);
  return {
    id: entry.subject_id,
    href: `/monitors/${monitorId}/subjects/${entry.subject_id}`,
    ...toSubjectLabels(entry.subject),
    ...toAnswer(type, entry.latest),
    oldSince: findOldSince(answeredAt, status === 'active' ? lastRunAt : span.to),
    overview: entry.latest && toOverview(entry.latest),
    left: entry.left_reason && removalReasons[entry.left_reason],
    best: entry.best?.rank ?? null,
    moves: toMoves(history),
    sparkline: drawSparkline(type, entry.points, span),
    periods: entry.points.toReversed().map((period) => ({
      from: new Date(period.from),
      until: new Date(period.until),
      ...toAnswer(type, period),
    })),
  };
}

/** Returns the time of an answer, if it is from before the run; else null. */
export function findOldSince(answeredAt: Date | null, runAt: Date | undefined): Date | null {
  return answeredAt && runAt && answeredAt.getTime() + 1000 <= runAt.getTime() ? answeredAt : null;
}

export function toAnswer(type: CheckType, stretch: AnswerPeriod | null): { answer: string; tone: Tone } {
  if (!stretch) return { answer: 'No answer yet', tone: 'mute' };
  if (stretch.unconfirmed) return { answer: 'Lost, not confirmed yet', tone: 'warn' };
  if (type === 'index') {
    return stretch.is_indexed ? { answer: 'Indexed', tone: 'good' } : { answer: 'Not indexed', tone: 'warn' };
  }
  if (type === 'keyword') {
    return stretch.rank
      ? { answer: `#${stretch.rank}`, tone: rankTone(stretch.rank) }
      : { answer: 'Not ranked', tone: 'warn' };
  }
  const { status = 0, is_soft404: isSoft404, bot_wall: isWalled } = stretch;
  if (isWalled) return { answer: 'Blocked by bot protection', tone: 'mute' };
  if (isSoft404) return { answer: 'Soft 404', tone: 'soft' };
  if (status === 0) return { answer: 'Unreachable', tone: 'bad' };
  return { answer: String(status), tone: status >= 400 ? 'bad' : 'good' };
}

export interface OverviewView {
  name: OverviewState;
  text: string;
  tone: Tone;
}

/** States of the AI Overview of a query, as pages name them. `shown`: its sources were not read. */
export const overviewStates = {
  cited: { text: 'Cited', tone: 'good' },
  'not-cited': { text: 'Not cited', tone: 'warn' },
  shown: { text: 'Shown', tone: 'info' },
  none: { text: 'None', tone: 'mute' },
} as const satisfies Record<string, { text: string; tone: Tone }>;
type OverviewState = keyof typeof overviewStates;

/** Returns what is known about the AI Overview of an answer; null if it is unknown or the query did not ask for it. */
export function toOverview({
  ai_overview: state,
  ai_cited: isCited,
}: Pick<AnswerPeriod, 'ai_overview' | 'ai_cited'>): OverviewView | null {
  if (!state) return null;
  const shown = isCited === undefined ? 'shown' : isCited ? 'cited' : 'not-cited';
  const name = state === 'not_shown' ? 'none' : shown;
  return { name, ...overviewStates[name] };
}

function toMoves({ earlier, latest }: SubjectHistory): SubjectView['moves'] {
  const toSearch = ({ value, flags }: EarlierPoint | PointRow) => ({
    rank: value,
    endPage: toEndPage(flags),
  });
  return comparedDays.map((days) => {
    const then = earlier.find((point) => point.days === days);
    if (!then || !latest) return { days, text: '', meaning: 'no data', tone: 'mute' };
    return { days, ...toSearchMove(toSearch(then), toSearch(latest)) };
  });
}

/** Draws answers over a period as lines, interrupted at unconfirmed losses. Good answers are high. */
function drawSparkline(type: CheckType, periods: AnswerPeriod[], span: Period): string[] {
  const timed = periods.map((period) => ({
    period,
    from: Date.parse(period.from),
    until: Date.parse(period.until),
    isUnconfirmed: period.unconfirmed === true,
  }));
  if (type === 'keyword')
    return drawRanks(
      timed.map(({ period, ...one }) => ({ ...one, rank: period.rank ?? null })),
      span,
    );
  return drawSteps(
    timed.map(({ period, isUnconfirmed, ...one }) => {
      const height = toAnswer(type, period).tone === 'good' ? 4 : 16;
      return { ...one, height: isUnconfirmed ? null : height };
    }),
    span,
  );
}

/** Minimum range of ranks in a sparkline. In a smaller range, a move by one rank would look large. */
const rankSpanMin = 5;

/**
 * Draws ranks as path data of a chart of 100 by 20 units, scaled to their own range. `not ranked` is below all ranks.
 * An unconfirmed loss interrupts the line.
 */
export function drawRanks(
  periods: Array<{ from: number; until: number; rank: number | null; isUnconfirmed: boolean }>,
  span: Period,
): string[] {
  const ranks = periods.flatMap(({ rank }) => rank ?? []);
  const [best, worst] = [Math.min(...ranks), Math.max(...ranks)];
  const size = Math.max(rankSpanMin, worst - best);
  const top = (best + worst - size) / 2;
  const toHeight = (rank: number | null) =>
    rank ? Math.round((2 + ((rank - top) / size) * 13) * 10) / 10 : 19;
  return drawSteps(
    periods.map(({ from, until, rank, isUnconfirmed }) => ({
      from,
      until,
      height: isUnconfirmed ? null : toHeight(rank),
    })),
    span,
  );
}

/** Draws periods as path data of a chart of 100 by 20 units. A null height interrupts the line. */
function drawSteps(
  periods: Array<{ from: number; until: number; height: number | null }>,
  { from, to }: Period,
): string[] {
  const x = (at: number) => {
    const share = (at - from.getTime()) / (to.getTime() - from.getTime());
    return Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10;
  };
  const ways = [''];
  for (const { from: start, until, height } of periods) {
    if (height === null) ways.push('');
    else {
      const way = ways.pop();
      const [first, last] = [x(start), Math.max(x(until), x(start) + 1)];
      ways.push(`${way ? `${way}L` : 'M'}${first} ${height}L${last} ${height}`);
    }
  }
  return ways.filter((way) => way !== '');
}
