import type { ChangeKind } from '../../schemas/change-kinds.ts';
import type { AnswerOf, CheckType, InputOf } from '../../schemas/check-types.ts';
import type { AskedCounts, GroupTally, RunTally, Standing } from '../../schemas/run-tally.ts';

/** One subject as a run found it. */
export interface FoundSubject<T extends CheckType = CheckType> {
  input: InputOf<T>;
  /** Null where it got no answer. */
  answer: AnswerOf<T> | null;
  isUnconfirmed: boolean;
  /** The ranks of it and its rivals some days ago; those of which nothing is known are not there. */
  earlier: Array<{ days: number; value: number | null; rivals: Array<number | null> | null }>;
}

/** With a tag for each of 10,000 queries, the counts of a run would be as big as its list. */
const groupsMax = 200;

/** Counts what a run found. The counts are stored. */
export class TallySheet {
  readonly tally: RunTally;
  readonly #groups: Map<string, GroupTally>;

  /** Continues the stored counts of a run; null for a new run. */
  constructor(kept: { tally: RunTally; groups: GroupTally[] | null } | null = null) {
    this.tally = kept?.tally ?? { ...noCounts(), kinds: {} };
    this.#groups = new Map((kept?.groups ?? []).map((group) => [keyOf(group), group]));
  }

  /** Null where nothing is in groups. */
  get groups(): GroupTally[] | null {
    return this.#groups.size === 0 ? null : [...this.#groups.values()];
  }

  /** Counts a subject. */
  add<T extends CheckType>(type: T, found: FoundSubject<T>): void {
    const places = this.#placesOf(type, found);
    for (const place of places) {
      place.subjects += 1;
      place[stateOf(found)] += 1;
    }
    if (found.answer && !found.isUnconfirmed) this.#count(type, found, found.answer, places);
  }

  /** Counts a subject as answered of which the run only had a loss to be confirmed. */
  confirm<T extends CheckType>(type: T, found: FoundSubject<T>): void {
    const places = this.#placesOf(type, found);
    for (const place of places) {
      place.unconfirmed -= 1;
      place.answered += 1;
    }
    if (found.answer) this.#count(type, found, found.answer, places);
  }

  /** Counts a change that the run saw first. */
  countChange(kind: ChangeKind): void {
    this.tally.kinds[kind] = (this.tally.kinds[kind] ?? 0) + 1;
  }

  #placesOf<T extends CheckType>(type: T, { input }: FoundSubject<T>): AskedCounts[] {
    if (type !== 'keyword') return [this.tally];
    const { device, country, tag } = input as InputOf<'keyword'>;
    const key = keyOf({ device, country, tag });
    const known = this.#groups.get(key);
    if (known) return [this.tally, known];
    if (this.#groups.size >= groupsMax) return [this.tally];
    const group = { device, country, tag, ...noCounts() };
    this.#groups.set(key, group);
    return [this.tally, group];
  }

  #count<T extends CheckType>(
    type: T,
    found: FoundSubject<T>,
    answer: AnswerOf<T>,
    places: AskedCounts[],
  ): void {
    if (type === 'keyword') {
      for (const place of places)
        countRank(place, found as unknown as FoundSubject<'keyword'>, answer as AnswerOf<'keyword'>);
      return;
    }
    const counts = this.tally.counts ?? {};
    this.tally.counts = counts;
    for (const word of wordsOf(type, answer)) counts[word] = (counts[word] ?? 0) + 1;
  }
}

function noCounts(): AskedCounts {
  return { subjects: 0, answered: 0, failed: 0, unconfirmed: 0 };
}

function stateOf({ answer, isUnconfirmed }: FoundSubject): 'answered' | 'failed' | 'unconfirmed' {
  if (!answer) return 'failed';
  return isUnconfirmed ? 'unconfirmed' : 'answered';
}

function keyOf({ device, country, tag }: Pick<GroupTally, 'device' | 'country' | 'tag'>): string {
  return JSON.stringify([device, country, tag]);
}

function wordsOf(type: CheckType, answer: AnswerOf): string[] {
  if (type === 'index') return (answer as AnswerOf<'index'>).is_indexed ? ['indexed'] : [];
  const { status, is_soft404, bot_wall } = answer as AnswerOf<'http'>;
  // What stands behind a wall is neither alive nor dead.
  if (bot_wall) return ['bot_wall'];
  if (status === 0 || status >= 400) return ['dead'];
  return is_soft404 ? ['soft404'] : [];
}

function countRank(
  place: AskedCounts,
  { input, earlier }: FoundSubject<'keyword'>,
  answer: AnswerOf<'keyword'>,
): void {
  place.own ??= noStanding();
  const own = earlier.map(({ days, value }) => ({ days, rank: value }));
  countStanding(place.own, answer.rank, own);
  for (const [index, { url, rank }] of (answer.competitors ?? []).entries()) {
    place.rivals ??= {};
    const standing = place.rivals[url] ?? noStanding();
    place.rivals[url] = standing;
    // Their order is that of the query.
    const isSame = input.competitor_urls?.[index] === url;
    const then = earlier.map(({ days, rivals }) => ({
      days,
      rank: isSame ? (rivals?.[index] ?? null) : null,
    }));
    countStanding(standing, rank, then);
  }
}

function noStanding(): Standing {
  return { ranks: {}, moved: {} };
}

function countStanding(
  { ranks, moved }: Standing,
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
