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
