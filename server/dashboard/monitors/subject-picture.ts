import type { CheckType } from '../../../schemas/check-types.ts';
import type { AnswerPeriod, MonitorChange, SubjectEntry } from '../../../schemas/monitor-history.ts';
import { chartSizes, type RankPoints, rankChart } from '../charts.ts';
import type { Tone } from '../evidence/shares.ts';
import { toAnswer } from './subject-view.ts';

/** An event, numbered in the chart and described below it. */
export interface Mark {
  at: Date;
  words: string;
}

const rivalsMax = 5;

/** Draws the answers of a subject over time; null without answers. */
export function createSubjectPicture(type: CheckType, { points }: SubjectEntry, marks: Mark[]) {
  // Unconfirmed losses are left out, because they are neither ranks nor gaps.
  const stretches = points.filter(({ unconfirmed }) => !unconfirmed);
  const [first, last] = [stretches[0], stretches.at(-1)];
  if (!first || !last) return null;
  const span = { from: new Date(first.from), to: new Date(last.until) };
  const shown = marks.filter(({ at }) => at >= span.from).sort((a, b) => a.at.getTime() - b.at.getTime());
  const words = courseOf(type, stretches);
  return type === 'keyword'
    ? { ...ranksOf(stretches, shown), states: [], marks: shown, words }
    : { ...statesOf(type, stretches, shown), points: null, rivals: [], marks: shown, words };
}

/** Returns a mark for each change of the ranked page. */
export function findRankedPageMarks(changes: MonitorChange[]): Mark[] {
  return changes.flatMap(({ before, after, at }) => {
    const [was, is] = [before, after].map((fields) => (fields as { ranked_url?: unknown }).ranked_url);
    const isAnother = typeof was === 'string' && typeof is === 'string';
    return isAnother ? [{ at: new Date(at), words: `Another page ranks: ${was} → ${is}` }] : [];
  });
}

export function toMark({ at, text }: { at: Date; text: string }): Mark {
  return { at, words: text };
}

function ranksOf(stretches: AnswerPeriod[], marks: Mark[]) {
  const last = stretches.findLast(({ competitors }) => competitors !== undefined);
  const rivals = (last?.competitors ?? []).slice(0, rivalsMax).map(({ url }) => url);
  const points = pointsOf(stretches, ({ rank }) => rank);
  const others = rivals.map((url) =>
    pointsOf(stretches, ({ competitors }) => competitors?.find((one) => one.url === url)?.rank),
  );
  const beside = { others, marks: marks.map(({ at }) => at) };
  const charts = chartSizes.map(({ name, width }) => ({ name, ...rankChart(points, width, beside) }));
  return { charts, points, rivals };
}

/** Returns the points at the start and end of each stretch, a period with the same answer. */
function pointsOf(
  stretches: AnswerPeriod[],
  rankOf: (stretch: AnswerPeriod) => number | null | undefined,
): RankPoints {
  return stretches.flatMap((stretch) => {
    const rank = rankOf(stretch) ?? null;
    const moments = [...new Set([stretch.from, stretch.until])];
    return moments.map((at) => ({ checkedAt: new Date(at), rank }));
  });
}

interface StateChart {
  name: string;
  width: number;
  height: number;
  parts: Array<{ x: number; width: number; tone: Tone; answer: string; at: Date }>;
  marks: number[];
}

const stateHeight = 36;

/** Draws answers as parts of a bar; each part lasts until the next answer. */
function statesOf(
  type: CheckType,
  stretches: AnswerPeriod[],
  marks: Mark[],
): { charts: StateChart[]; states: Array<{ answer: string; tone: Tone }> } {
  const answers = stretches.map((stretch) => ({ at: new Date(stretch.from), ...toAnswer(type, stretch) }));
  const from = answers[0]?.at.getTime() ?? 0;
  const to = Math.max(from + 1, Date.parse(stretches.at(-1)?.until ?? ''));
  const charts = chartSizes.map(({ name, width }) => {
    const x = (at: number) => Math.round(((at - from) / (to - from)) * width * 10) / 10;
    const parts = answers.map(({ at, answer, tone }, place) => {
      const left = Math.min(x(at.getTime()), width - 2);
      const right = Math.max(left + 2, x(answers[place + 1]?.at.getTime() ?? to));
      return { x: left, width: Math.round((right - left) * 10) / 10, tone, answer, at };
    });
    const placed = marks.map(({ at }) => Math.min(width, Math.max(0, x(at.getTime()))));
    return { name, width, height: stateHeight, parts, marks: placed };
  });
  const states = [...new Map(answers.map(({ answer, tone }) => [answer, { answer, tone }])).values()];
  return { charts, states };
}

/** Summarises the answers in one or two sentences. */
function courseOf(type: CheckType, stretches: AnswerPeriod[]): string {
  const answers = stretches.map((stretch) => toAnswer(type, stretch).answer);
  const [first, last] = [answers[0] ?? '', answers.at(-1) ?? ''];
  if (new Set(answers).size === 1) return `Always ${last}.`;
  const turns = answers.filter((answer, place) => place > 0 && answer !== answers[place - 1]).length;
  const ranks = stretches.flatMap(({ rank }) => (rank ? [rank] : []));
  const between =
    ranks.length > 0 && type === 'keyword'
      ? `, between #${Math.min(...ranks)} and #${Math.max(...ranks)}`
      : '';
  const gone = type === 'keyword' && answers.includes('Not ranked') ? ', at times not ranked' : '';
  return `First ${first}, now ${last}${between}${gone}. Changed ${turns === 1 ? 'once' : `${turns} times`}.`;
}
