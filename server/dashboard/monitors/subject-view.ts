import { comparedDays } from '../../../db/batches/rank-series.ts';
import type { MonitorRow } from '../../../db/monitors/monitors.ts';
import type { SubjectRow } from '../../../db/monitors/subjects.ts';
import { findHistories } from '../../../monitors/histories.ts';
import type { CheckType } from '../../../schemas/check-types.ts';
import type { AnswerPeriod, SubjectEntry } from '../../../schemas/monitor-history.ts';
import { type SubjectHistory, subjectEntry } from '../../../wire/subjects.ts';
import type { DashboardContext } from '../context.ts';
import type { Tone } from '../evidence/shares.ts';
import { toSubjectLabels } from './change-view.ts';

/** A subject as a table shows it. */
interface SubjectView {
  id: number;
  href: string;
  subject: string;
  where: string;
  /** The site or page of a query; null for a URL. */
  target: string | null;
  answer: string;
  tone: Tone;
  /** Why the subject is no longer checked; null if it still is. */
  left: string | null;
  best: number | null;
  moves: Array<{ days: number; text: string; meaning: string; tone: Tone }>;
  /** Path data of a chart of 100 by 20 units. The line is interrupted at unconfirmed losses. */
  sparkline: string[];
  /** Answers over time, newest first, with the ranks of competitors. */
  stretches: Array<{ from: Date; until: Date; answer: string; tone: Tone; rivals: Array<number | null> }>;
  rivals: string[];
}

const dayMs = 86_400_000;

/** The period that a page shows. */
export interface Period {
  from: Date;
  to: Date;
}

export function lastDays(days: number, now: Date): Period {
  return { from: new Date(now.getTime() - days * dayMs), to: now };
}

/** Reads the history of subjects in a period. */
export async function findSubjectEntries(
  { db }: Pick<DashboardContext, 'db'>,
  monitor: MonitorRow,
  rows: SubjectRow[],
  { from, to }: Period,
): Promise<SubjectEntry[]> {
  const histories = await findHistories(db, monitor, rows, { from, to: new Date(to.getTime() + dayMs) });
  return rows.map((row, place) => subjectEntry(monitor.type, row, histories[place] as SubjectHistory));
}

const removalReasons = {
  removed: 'Removed from the list',
  left_sitemap: 'No longer in the sitemap',
  indexed: 'Indexed, no longer checked',
};

export function toSubjectView(
  { monitorId, type }: MonitorRow,
  entry: SubjectEntry,
  span: Period,
): SubjectView {
  const rivals = (entry.latest?.competitors ?? []).map(({ url }) => url);
  return {
    id: entry.subject_id,
    href: `/monitors/${monitorId}/subjects/${entry.subject_id}`,
    target: typeof entry.subject === 'string' ? null : entry.subject.target_url,
    ...toSubjectLabels(entry.subject),
    ...toAnswer(type, entry.latest),
    left: entry.left_reason && removalReasons[entry.left_reason],
    best: entry.best?.rank ?? null,
    moves: movesOf(entry),
    sparkline: sparklineOf(type, entry.points, span),
    stretches: entry.points.toReversed().map((stretch) => ({
      from: new Date(stretch.from),
      until: new Date(stretch.until),
      ...toAnswer(type, stretch),
      rivals: rivals.map((url) => stretch.competitors?.find((one) => one.url === url)?.rank ?? null),
    })),
    rivals,
  };
}

export function toAnswer(type: CheckType, stretch: AnswerPeriod | null): { answer: string; tone: Tone } {
  if (!stretch) return { answer: 'No answer yet', tone: 'mute' };
  if (stretch.unconfirmed) return { answer: 'Lost, not confirmed yet', tone: 'warn' };
  if (type === 'index') {
    return stretch.is_indexed ? { answer: 'Indexed', tone: 'good' } : { answer: 'Not indexed', tone: 'warn' };
  }
  if (type === 'keyword') {
    return stretch.rank
      ? { answer: `#${stretch.rank}`, tone: toneOfRank(stretch.rank) }
      : { answer: 'Not ranked', tone: 'warn' };
  }
  const { status = 0, is_soft404: isSoft404, bot_wall: isWalled } = stretch;
  if (isWalled) return { answer: 'Blocked by a bot wall', tone: 'mute' };
  if (isSoft404) return { answer: 'Soft 404', tone: 'soft' };
  if (status === 0) return { answer: 'Unreachable', tone: 'bad' };
  return { answer: String(status), tone: status >= 400 ? 'bad' : 'good' };
}

/** Uses the ranges of the chart's areas: 1–3, 4–10, 11–20, and 21 or worse. */
function toneOfRank(rank: number): Tone {
  if (rank <= 3) return 'good';
  if (rank <= 10) return 'soft';
  return rank <= 20 ? 'info' : 'low';
}

function movesOf({ differences, latest }: SubjectEntry): SubjectView['moves'] {
  const now = latest?.rank ?? null;
  return comparedDays.map((days) => {
    const then = differences?.[`day_${days}`] ?? null;
    const move = (text: string, meaning: string, tone: Tone) => ({ days, text, meaning, tone });
    if (!then) return move('', 'no data', 'mute');
    if (then.rank === now) return move('=', 'unchanged', 'mute');
    if (then.rank === null) return move('new', 'not ranked then', 'good');
    if (now === null) return move('lost', `#${then.rank} then`, 'bad');
    return now < then.rank
      ? move(`▲ ${then.rank - now}`, `up from #${then.rank}`, 'good')
      : move(`▼ ${now - then.rank}`, `down from #${then.rank}`, 'bad');
  });
}

/** Draws ranks on a logarithmic scale. Of other answers, draws good ones high and all others low. */
function sparklineOf(type: CheckType, stretches: AnswerPeriod[], { from, to }: Period): string[] {
  const x = (at: string) => {
    const share = (Date.parse(at) - from.getTime()) / (to.getTime() - from.getTime());
    return Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10;
  };
  const ways: string[] = [];
  let way = '';
  for (const stretch of stretches) {
    const height = heightOf(type, stretch);
    if (height === null) {
      if (way) ways.push(way);
      way = '';
      continue;
    }
    way += `${way ? 'L' : 'M'}${x(stretch.from)} ${height}L${Math.max(x(stretch.until), x(stretch.from) + 1)} ${height}`;
  }
  return way ? [...ways, way] : ways;
}

function heightOf(type: CheckType, stretch: AnswerPeriod): number | null {
  if (stretch.unconfirmed) return null;
  if (type === 'keyword') {
    return stretch.rank ? Math.round((2 + (Math.log(stretch.rank) / Math.log(100)) * 13) * 10) / 10 : 19;
  }
  return toAnswer(type, stretch).tone === 'good' ? 4 : 16;
}
