import type { Tone } from './shares.ts';

/** A change of a rank, as a text with an arrow. */
export interface RankMove {
  text: string;
  /** The change in words, for screen readers. */
  meaning: string;
  tone: Tone;
}

/** Compares two ranks or average ranks; null means not ranked. */
export function toRankMove(before: number | null, now: number | null): RankMove {
  if (before === now || (before !== null && now !== null && Math.abs(before - now) < 0.05))
    return { text: '=', meaning: 'unchanged', tone: 'mute' };
  if (before === null) return { text: '▲ entered', meaning: 'not ranked then', tone: 'good' };
  const then = Number.isInteger(before) ? before : before.toFixed(1);
  if (now === null) return { text: '▼ dropped out', meaning: `#${then} then`, tone: 'bad' };
  const by = Math.abs(before - now);
  const places = Number.isInteger(by) ? by : by.toFixed(1);
  return now < before
    ? { text: `▲ ${places}`, meaning: `up from #${then}`, tone: 'good' }
    : { text: `▼ ${places}`, meaning: `down from #${then}`, tone: 'bad' };
}

/** The answer of a search. */
export interface Search {
  /** Null if the target is not ranked. */
  rank: number | null;
  /** Last page that the search could read; null if it is unknown. */
  endPage: number | null;
}

const resultsPerPage = 10;
const endPageMax = 10;

/** Returns the lowest rank that a search could find. */
export function toDepth(endPage: number | null): number {
  return (endPage ?? endPageMax) * resultsPerPage;
}

/** True if only one of two searches found a rank, and the other did not reach this rank. The change is then unknown. */
export function isUnreached(before: Search, now: Search): boolean {
  const [found, other] = now.rank === null ? [before, now] : [now, before];
  return found.rank !== null && other.rank === null && found.rank > toDepth(other.endPage);
}

/** Compares two searches. If one of them did not reach the rank of the other, says so instead of the change. */
export function toSearchMove(before: Search, now: Search): RankMove {
  if (!isUnreached(before, now)) return toRankMove(before.rank, now.rank);
  const depth = `searched to #${toDepth(now.endPage)}`;
  return before.rank === null
    ? { text: `first ${depth}`, meaning: 'not ranked then', tone: 'mute' }
    : { text: `only ${depth}`, meaning: `#${before.rank} then`, tone: 'mute' };
}
