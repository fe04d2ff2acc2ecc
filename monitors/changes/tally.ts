import { toSite } from '../../checks/search/target.ts';
import type { PointRow } from '../../db/monitors/points.ts';
import type { ChangeKind } from '../../schemas/change-kinds.ts';
import type { AnswerOf, CheckType, InputOf } from '../../schemas/check-types.ts';
import type { GroupTally, RankDistribution, RunTally, SubjectCounts } from '../../schemas/run-tally.ts';

interface SubjectResult<T extends CheckType = CheckType> {
  input: InputOf<T>;
  /** Null if the subject got no answer. */
  answer: AnswerOf<T> | null;
  isUnconfirmed: boolean;
  /** True if the overview no longer cites the target, but no second check has confirmed this. */
  isOverviewUnconfirmed?: boolean;
  /** Earlier ranks of the subject and its competitors, by days ago. Days without an answer are missing. */
  earlier: Array<{ days: number; value: number | null; rivals: PointRow['rivals'] }>;
}

/** Maximum number of groups in a stored tally. The tags of 10,000 queries could otherwise create 10,000 groups. */
const groupsMax = 200;

/** Counts the results of a run for its stored tally. */
export class TallyBuilder {
  readonly tally: RunTally;
  readonly #groups: Map<string, GroupTally>;

  /** `kept` is the stored tally of a run to continue; null for a new run. */
  constructor(kept: { tally: RunTally; groups: GroupTally[] | null } | null = null) {
    this.tally = kept?.tally ?? { ...emptyCounts(), kinds: {} };
    this.#groups = new Map((kept?.groups ?? []).map((group) => [toKey(group), group]));
  }

  get groups(): GroupTally[] | null {
    return this.#groups.size === 0 ? null : [...this.#groups.values()];
  }

  add<T extends CheckType>(type: T, found: SubjectResult<T>): void {
    const counters = this.#findCounters(type, found);
    for (const each of counters) {
      each.subjects += 1;
      each[toState(found)] += 1;
    }
    if (found.answer && !found.isUnconfirmed) this.#count(type, found, found.answer, counters);
    if (!found.isOverviewUnconfirmed) countOverview(counters, found.answer);
  }

  /**
   * Counts the overview of a subject. The run did not count this overview, because the loss of the citation was
   * unconfirmed.
   */
  confirmOverview<T extends CheckType>(type: T, found: SubjectResult<T>): void {
    countOverview(this.#findCounters(type, found), found.answer);
  }

  /** Moves a subject from the unconfirmed to the answered subjects. */
  confirm<T extends CheckType>(type: T, found: SubjectResult<T>): void {
    const counters = this.#findCounters(type, found);
    for (const each of counters) {
      each.unconfirmed -= 1;
      each.answered += 1;
    }
    if (found.answer) this.#count(type, found, found.answer, counters);
  }

  /** Counts a change that this run found first. */
  countChange(kind: ChangeKind): void {
    this.tally.kinds[kind] = (this.tally.kinds[kind] ?? 0) + 1;
  }

  #findCounters<T extends CheckType>(type: T, { input }: SubjectResult<T>): SubjectCounts[] {
    if (type !== 'keyword') return [this.tally];
    const { device, country, location, tag, target_url } = input as InputOf<'keyword'>;
    const group = { site: toSite(target_url), device, country, ...(location && { location }), tag };
    const key = toKey(group);
    const known = this.#groups.get(key);
    if (known) return [this.tally, known];
    if (this.#groups.size >= groupsMax) return [this.tally];
    const counts = { ...group, ...emptyCounts() };
    this.#groups.set(key, counts);
    return [this.tally, counts];
  }

  #count<T extends CheckType>(
    type: T,
    found: SubjectResult<T>,
    answer: AnswerOf<T>,
    counters: SubjectCounts[],
  ): void {
    if (type === 'keyword') {
      for (const each of counters)
        countRank(each, found as unknown as SubjectResult<'keyword'>, answer as AnswerOf<'keyword'>);
      return;
    }
    const counts = this.tally.counts ?? {};
    this.tally.counts = counts;
    for (const word of toCountedWords(type, answer)) counts[word] = (counts[word] ?? 0) + 1;
  }
}

function emptyCounts(): SubjectCounts {
  return { subjects: 0, answered: 0, failed: 0, unconfirmed: 0 };
}

function toState({ answer, isUnconfirmed }: SubjectResult): 'answered' | 'failed' | 'unconfirmed' {
  if (!answer) return 'failed';
  return isUnconfirmed ? 'unconfirmed' : 'answered';
}

function toKey({ site, device, country, location, tag }: Omit<GroupTally, keyof SubjectCounts>): string {
  return JSON.stringify([site, device, country, location, tag]);
}

function toCountedWords(type: CheckType, answer: AnswerOf): string[] {
  if (type === 'index') return (answer as AnswerOf<'index'>).is_indexed ? ['indexed'] : [];
  const { status, is_soft404, bot_wall } = answer as AnswerOf<'http'>;
  // Bot protection hides whether the page is alive.
  if (bot_wall) return ['bot_wall'];
  if (status === 0 || status >= 400) return ['dead'];
  return is_soft404 ? ['soft404'] : [];
}

function countRank(
  counts: SubjectCounts,
  { earlier }: SubjectResult<'keyword'>,
  answer: AnswerOf<'keyword'>,
): void {
  counts.own ??= emptyDistribution();
  const own = earlier.map(({ days, value }) => ({ days, rank: value }));
  countInto(counts.own, answer.rank, own);
  for (const { url, rank } of answer.competitors ?? []) {
    counts.rivals ??= {};
    const distribution = counts.rivals[url] ?? emptyDistribution();
    counts.rivals[url] = distribution;
    const then = earlier.map(({ days, rivals }) => ({ days, rank: rivals?.[url] ?? null }));
    countInto(distribution, rank, then);
  }
}

function countOverview(counters: SubjectCounts[], answer: AnswerOf | null): void {
  const { ai_overview: overview } = (answer ?? {}) as Pick<AnswerOf<'keyword'>, 'ai_overview'>;
  if (!overview) return;
  const { state, cited } = overview;
  for (const each of counters) {
    each.overviews ??= { known: 0, shown: 0, read: 0, cited: 0 };
    each.overviews.known += Number(state !== 'unknown');
    each.overviews.shown += Number(state === 'shown' || state === 'unread');
    each.overviews.read += Number(cited !== null);
    each.overviews.cited += Number(cited === true);
  }
}

function emptyDistribution(): RankDistribution {
  return { ranks: {}, moved: {} };
}

function countInto(
  { ranks, moved }: RankDistribution,
  rank: number | null,
  earlier: Array<{ days: number; rank: number | null }>,
): void {
  ranks[rank ?? 0] = (ranks[rank ?? 0] ?? 0) + 1;
  for (const then of earlier) {
    if (rank === null || then.rank === null) continue;
    const [queries, before, now] = moved[then.days] ?? [0, 0, 0];
    moved[then.days] = [queries + 1, before + then.rank, now + rank];
  }
}
