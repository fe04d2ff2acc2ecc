import { comparedDays } from '../db/batches/rank-series.ts';
import { type EarlierPoint, type PointRow, pointFlags } from '../db/monitors/points.ts';
import type { SubjectRow } from '../db/monitors/subjects.ts';
import type { CheckType } from '../schemas/check-types.ts';
import type { RankQuery } from '../schemas/keyword.ts';
import type { AnswerPeriod, SubjectEntry } from '../schemas/monitor-history.ts';
import { timestamp } from './bodies.ts';
import { subjectBody } from './changes.ts';

/** Results of a subject over time. */
export interface SubjectHistory {
  latest: PointRow | null;
  /** Results from earlier days, at most one for each number of days in `comparedDays`. */
  earlier: EarlierPoint[];
  points: PointRow[];
}

/** With `hasFormerCompetitors`, periods also have the ranks of competitors that the query no longer has. */
export function subjectEntry(
  type: CheckType,
  row: SubjectRow,
  { latest, earlier, points }: SubjectHistory,
  { hasFormerCompetitors = false } = {},
): SubjectEntry {
  const urls = hasFormerCompetitors ? null : ((row.input as Partial<RankQuery>).competitor_urls ?? []);
  const stretch = (point: PointRow) => stretchBody(type, point, urls);
  return {
    subject_id: row.subjectId,
    subject: subjectBody(row.input),
    joined_at: timestamp(row.joinedAt),
    left_at: row.leftAt && timestamp(row.leftAt),
    left_reason: row.leftReason,
    latest: latest && stretch(latest),
    ...(type === 'keyword'
      ? {
          ranked_url: row.rankedUrl,
          best: row.best === null || !row.bestAt ? null : { rank: row.best, at: timestamp(row.bestAt) },
          differences: toDifferences(latest, earlier),
        }
      : {}),
    points: points.map(stretch),
  };
}

/** Returns a period of equal answers. If `competitorUrls` is null, it has all competitors of the answers. */
function stretchBody(type: CheckType, point: PointRow, competitorUrls: string[] | null): AnswerPeriod {
  return {
    from: cachedTimestamp(point.firstAt),
    until: cachedTimestamp(point.lastAt),
    ...answerFields[type](point, competitorUrls),
    unconfirmed: (point.flags & pointFlags.unconfirmed) !== 0,
  };
}

type ToFields = (point: PointRow, competitorUrls: string[] | null) => Partial<AnswerPeriod>;

const answerFields: { [T in CheckType]: ToFields } = {
  http: ({ value, flags }) => ({
    status: value ?? 0,
    is_soft404: (flags & pointFlags.soft404) !== 0,
    soft404_checked: (flags & pointFlags.unjudged) === 0,
    bot_wall: (flags & pointFlags.walled) !== 0,
  }),
  index: ({ value }) => ({ is_indexed: value === 1 }),
  keyword: ({ value, flags, rivals }, competitorUrls) => {
    const answer = { rank: value, ...overviewFields(flags) };
    if (!rivals) return answer;
    const urls = competitorUrls ?? Object.keys(rivals);
    const competitors = urls.flatMap((url) => {
      const rank = rivals[url];
      return rank === undefined ? [] : [{ url, rank }];
    });
    return { ...answer, competitors };
  },
};

/** Returns what is known about the AI Overview of an answer. */
export function overviewFields(flags: number): Pick<AnswerPeriod, 'ai_overview' | 'ai_cited'> {
  const has = (flag: keyof typeof pointFlags) => (flags & pointFlags[flag]) !== 0;
  return {
    ...(has('overviewShown') ? { ai_overview: 'shown' } : {}),
    ...(has('overviewNotShown') ? { ai_overview: 'not_shown' } : {}),
    ...(has('cited') || has('uncited') ? { ai_cited: has('cited') } : {}),
  };
}

/** Caches formatted times. A page has thousands of periods, but only one distinct time per run. */
const timestampCache = new WeakMap<Date, string>();

function cachedTimestamp(date: Date): string {
  const text = timestampCache.get(date) ?? timestamp(date);
  timestampCache.set(date, text);
  return text;
}

function toDifferences(latest: PointRow | null, earlier: EarlierPoint[]): SubjectEntry['differences'] {
  const now = latest?.value ?? null;
  const all = comparedDays.map((days) => {
    const then = earlier.find((point) => point.days === days);
    if (!then) return [`day_${days}`, null];
    const difference = then.value === null || now === null ? null : now - then.value;
    return [`day_${days}`, { rank: then.value, difference }];
  });
  return Object.fromEntries(all);
}
