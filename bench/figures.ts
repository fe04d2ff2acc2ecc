/**
 * One line of the bench's report: a ratio of medians from one run. A bare time has a bar only where it is the
 * event loop's.
 */
export interface Figure {
  what: string;
  value: string;
  /** What is asked of it (docs/figures.md); null when the figure only informs. */
  bar: string | null;
  isMet: boolean;
}

export function median(values: number[]): number {
  return quantile(values, 0.5);
}

/** By nearest rank. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** `42 ms (39–61)`: median and spread. */
export function spread(values: number[], unit = 'ms'): string {
  const round = (value: number) => (value < 10 ? value.toFixed(1) : String(Math.round(value)));
  return `${round(median(values))} ${unit} (${round(Math.min(...values))}–${round(Math.max(...values))})`;
}

/** A ratio with its bar, which it must stay below or reach. */
export function ratio(
  what: string,
  [over, under]: [number, number],
  { atMost, atLeast, note }: { atMost?: number; atLeast?: number; note: string },
): Figure {
  const value = over / under;
  const isMet = (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast);
  const bar = atMost === undefined ? (atLeast === undefined ? null : `≥ ${atLeast}`) : `≤ ${atMost}`;
  return { what, value: `${value.toFixed(2)} × — ${note}`, bar, isMet };
}
