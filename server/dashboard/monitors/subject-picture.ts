import type { CheckType } from '../../../schemas/check-types.ts';
import type { AnswerPeriod, MonitorChange, SubjectEntry } from '../../../schemas/monitor-history.ts';
import {
  chartSizes,
  createLineChart,
  type LineChart,
  type LineChartInput,
  type Mark,
  notChecked,
} from '../charts.ts';
import type { Tone } from '../evidence/shares.ts';
import { shortUrl } from '../format.ts';
import { toAnswer, toOverview } from './subject-view.ts';

/** Draws the ranks of a keyword and of its competitors over time; null without answers. */
export function createKeywordChart(
  { points, subject }: SubjectEntry,
  events: Pick<LineChartInput, 'marks' | 'gaps'>,
): LineChart | null {
  if (points.every(({ unconfirmed }) => unconfirmed)) return null;
  const last = points.findLast(({ competitors }) => competitors !== undefined);
  const competitors = (last?.competitors ?? []).map(({ url }) => url);
  const own = typeof subject === 'string' ? subject : subject.target_url;
  const hasOverviews = points.some(({ ai_overview: overview }) => overview);
  return createLineChart({
    title: 'Rank',
    scale: 'rank',
    lines: [own, ...competitors].map((url) => ({ label: shortUrl(url) })),
    rows: points.map((period) => ({
      at: [new Date(period.from), new Date(period.until)],
      isUnconfirmed: period.unconfirmed,
      values: [
        period.rank ?? null,
        ...competitors.map((url) => {
          const competitor = period.competitors?.find((one) => one.url === url);
          return competitor ? competitor.rank : notChecked;
        }),
      ],
      extra: hasOverviews ? [toOverview(period)?.text ?? 'Unknown'] : [],
    })),
    ...events,
    extraHeads: hasOverviews ? ['AI Overview'] : [],
    timeHeads: ['From', 'Until'],
    missing: 'not ranked',
  });
}

/** Draws the answers of a URL over time as parts of a bar; null without answers. */
export function createStateChart(type: CheckType, { points }: SubjectEntry, marks: Mark[]) {
  // Unconfirmed losses are left out, because they are neither states nor gaps.
  const periods = points.filter(({ unconfirmed }) => !unconfirmed);
  const first = periods[0];
  if (!first) return null;
  const shown = marks
    .filter(({ at }) => at >= new Date(first.from))
    .sort((a, b) => a.at.getTime() - b.at.getTime());
  return { ...drawStates(type, periods, shown), marks: shown };
}

/** Returns a mark for each change of the ranked page. */
export function findRankedPageMarks(changes: MonitorChange[]): Mark[] {
  return changes.flatMap(({ before, after, at }) => {
    const [was, is] = [before, after].map((fields) => (fields as { ranked_url?: unknown }).ranked_url);
    const isAnother = typeof was === 'string' && typeof is === 'string';
    return isAnother ? [{ at: new Date(at), words: `Another page ranks: ${was} → ${is}` }] : [];
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

/** Each part lasts until the next answer. */
function drawStates(
  type: CheckType,
  periods: AnswerPeriod[],
  marks: Mark[],
): { charts: StateChart[]; states: Array<{ answer: string; tone: Tone }> } {
  const answers = periods.map((period) => ({ at: new Date(period.from), ...toAnswer(type, period) }));
  const from = answers[0]?.at.getTime() ?? 0;
  const to = Math.max(from + 1, Date.parse(periods.at(-1)?.until ?? ''));
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

/** Puts an answer such as `Not indexed` into a sentence. */
function toWords(answer: string): string {
  return answer === 'Soft 404' ? 'a soft 404' : answer.charAt(0).toLowerCase() + answer.slice(1);
}

/** Summarises the answers in one or two sentences. */
export function describeAnswers(type: CheckType, { points }: SubjectEntry): string {
  const periods = points.filter(({ unconfirmed }) => !unconfirmed);
  const answers = periods.map((period) => toWords(toAnswer(type, period).answer));
  const [first, last] = [answers[0] ?? '', answers.at(-1) ?? ''];
  if (new Set(answers).size === 1) return `Always ${last}.`;
  const turns = answers.filter((answer, place) => place > 0 && answer !== answers[place - 1]).length;
  const ranks = periods.flatMap(({ rank }) => (rank ? [rank] : []));
  const between =
    ranks.length > 0 && type === 'keyword'
      ? `, between #${Math.min(...ranks)} and #${Math.max(...ranks)}`
      : '';
  const gone = type === 'keyword' && answers.includes('not ranked') ? ', at times not ranked' : '';
  return `First ${first}, now ${last}${between}${gone}. Changed ${turns === 1 ? 'once' : `${turns} times`}.`;
}
