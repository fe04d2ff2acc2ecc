import type { SeriesEntry } from '../../../schemas/monitor-series.ts';
import { chartSizes, rankTicks } from '../charts.ts';
import type { Tone } from '../evidence/shares.ts';

/** A line of a chart, with one value per run; null for a run without a value. */
export interface ChartLine {
  label: string;
  values: Array<number | null>;
  /** Colour of the line. Without a tone, the colour depends on the line's position in the list. */
  tone?: Tone;
}

interface TimeChart {
  name: string;
  width: number;
  height: number;
  /** Grid lines. */
  rules: Array<{ y: number; label: string }>;
  /** Path data of each line. A line is interrupted at missing values. */
  lines: string[][];
  /** Values without a neighbour on their line. They are drawn as dots, because a line of one point is invisible. */
  dots: Array<{ x: number; y: number; line: number }>;
  /** Path data of stacked areas, from the bottom up. */
  bands: string[];
}

const height = 200;
const [left, top] = [44, 10];
const bottom = height - 10;

/** Draws shares between 0 and 1 over time, on a scale that includes the highest. */
export function shareCharts(at: Date[], lines: ChartLine[]): TimeChart[] {
  const highest = Math.max(0.01, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const scaleTop = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1].find((step) => step >= highest) ?? 1;
  const rules = [0, scaleTop / 2, scaleTop].map((value) => ({ value, label: `${round(value * 100)}%` }));
  return charts(at, lines, (value) => bottom - (value / scaleTop) * (bottom - top), rules);
}

/** Draws average ranks over time, rank 1 at the top. */
export function averageRankCharts(at: Date[], lines: ChartLine[]): TimeChart[] {
  const worst = Math.ceil(Math.max(10, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const y = (place: number) => top + (Math.log(place) / Math.log(worst)) * (bottom - top);
  const rules = rankTicks(worst).map((value) => ({ value, label: `#${value}` }));
  return charts(at, lines, y, rules);
}

/** Draws shares that add up to 1 as stacked areas. */
export function bandCharts(at: Date[], bands: ChartLine[]): TimeChart[] {
  const rules = [0, 0.5, 1].map((value) => ({ value, label: `${value * 100}%` }));
  const y = (value: number) => bottom - value * (bottom - top);
  return charts(at, [], y, rules).map((chart) => ({ ...chart, bands: layers(at, bands, chart.width, y) }));
}

/** Returns the distribution of ranks per run, as shares of the answered queries. */
export function toRankDistribution(series: SeriesEntry[]): ChartLine[] {
  const parts = (entry: SeriesEntry): number[] => {
    const { top_3: t3 = 0, top_10: t10 = 0, top_20: t20 = 0, top_100: t100 = 0 } = entry.ranks ?? {};
    return [t3, t10 - t3, t20 - t10, t100 - t20, entry.answered - t100];
  };
  return ['1–3', '4–10', '11–20', '21–100', 'Not ranked'].map((label, place) => ({
    label,
    values: series.map((entry) =>
      entry.answered === 0 ? null : (parts(entry)[place] ?? 0) / entry.answered,
    ),
  }));
}

function charts(
  at: Date[],
  lines: ChartLine[],
  y: (value: number) => number,
  rules: Array<{ value: number; label: string }>,
): TimeChart[] {
  return chartSizes.map(({ name, width }) => {
    const x = toXPositions(at, width);
    const runs = lines.map(({ values }) => runsOf(values));
    const point = (place: number, value: number) => `${round(x(place))} ${round(y(value))}`;
    return {
      name,
      width,
      height,
      rules: rules.map(({ value, label }) => ({ y: round(y(value)), label })),
      lines: runs.map((some) =>
        some
          .filter((run) => run.length > 1)
          .map((run) => `M${run.map(({ place, value }) => point(place, value)).join('L')}`),
      ),
      dots: runs.flatMap((some, line) =>
        some.flatMap(([first, ...others]) =>
          first && others.length === 0 ? [{ x: round(x(first.place)), y: round(y(first.value)), line }] : [],
        ),
      ),
      bands: [],
    };
  });
}

/** Returns a closed path per area. Leaves out runs without answers. If only one run is left, it fills the width. */
function layers(at: Date[], bands: ChartLine[], width: number, y: (value: number) => number): string[] {
  const known = at.flatMap((_, place) => (bands[0]?.values[place] === null ? [] : [place]));
  if (known.length === 0) return [];
  const x = toXPositions(at, width);
  const across = known.length === 1 ? [left, width - 2] : known.map(x);
  const stops = known.length === 1 ? [known[0] ?? 0, known[0] ?? 0] : known;
  const below = stops.map(() => 0);
  return bands.map(({ values }) => {
    const floor = stops.map((_, index) => `${round(across[index] ?? 0)} ${round(y(below[index] ?? 0))}`);
    const ceiling = stops.map((place, index) => {
      below[index] = (below[index] ?? 0) + (values[place] ?? 0);
      return `${round(across[index] ?? 0)} ${round(y(below[index] ?? 0))}`;
    });
    return `M${[...ceiling, ...floor.reverse()].join('L')}Z`;
  });
}

/** Returns the x position of a time; times outside the chart are moved to its edge. */
export function xPositionAt(at: Date[], moment: Date, width: number): number {
  const [from, to] = [at[0]?.getTime() ?? 0, at.at(-1)?.getTime() ?? 0];
  const share = Math.min(1, Math.max(0, (moment.getTime() - from) / Math.max(1, to - from)));
  return round(left + share * (width - left - 6));
}

/** Returns a function from the index of a run to the x position of its time. */
function toXPositions(at: Date[], width: number): (place: number) => number {
  return (place) => xPositionAt(at, at[place] ?? new Date(0), width);
}

function runsOf(values: Array<number | null>): Array<Array<{ place: number; value: number }>> {
  const runs: Array<Array<{ place: number; value: number }>> = [[]];
  for (const [place, value] of values.entries()) {
    if (value === null) runs.push([]);
    else runs.at(-1)?.push({ place, value });
  }
  return runs.filter((run) => run.length > 0);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
