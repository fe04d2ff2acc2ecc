/** One line of the report. */
export interface Figure {
  what: string;
  value: string;
  /** Limit, as in docs/figures.md; null if the figure has no limit. */
  bar: string | null;
  isMet: boolean;
}

export function median(values: number[]): number {
  return quantile(values, 0.5);
}

/** Returns one of the values, without interpolation. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Formats median and range, such as `42 ms (39–61)`. */
export function spread(values: number[], unit = 'ms'): string {
  const round = (value: number) => (value < 10 ? value.toFixed(1) : String(Math.round(value)));
  return `${round(median(values))} ${unit} (${round(Math.min(...values))}–${round(Math.max(...values))})`;
}

/** Creates a figure from a ratio and its limit. */
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
