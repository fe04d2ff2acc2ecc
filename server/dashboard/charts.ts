/** A column of a chart. Numbers other than `value` are in units of the SVG's viewBox. */
export interface ChartColumn {
  x: number;
  y: number;
  width: number;
  height: number;
  label: string;
  value: number;
}

export interface ColumnChart {
  width: number;
  height: number;
  columns: ChartColumn[];
  /** Grid lines with their labels. */
  lines: Array<{ y: number; label: string }>;
}

/** Widths for desktop and phone. Text in an SVG shrinks with the picture, so each size has its own chart. */
export const chartSizes = [
  { name: 'wide-chart', width: 1040 },
  { name: 'narrow-chart', width: 340 },
] as const;

/** Draws values as columns. Negative values, from days with more refunds than charges, have no height. */
export function columnChart(values: Array<{ label: string; value: number }>, width: number): ColumnChart {
  const height = 160;
  const top = niceTop(Math.max(1, ...values.map(({ value }) => value)));
  const step = width / values.length;
  const scale = (value: number) => (Math.max(0, value) / top) * (height - 20);
  return {
    width,
    height,
    columns: values.map(({ label, value }, index) => ({
      x: round(index * step + step * 0.15),
      y: round(height - Math.max(scale(value), value > 0 ? 2 : 0)),
      width: round(step * 0.7),
      height: round(Math.max(scale(value), value > 0 ? 2 : 0)),
      label,
      value,
    })),
    // The values are credits, so fractions get no grid line.
    lines: [top / 2, top].filter(Number.isInteger).map((value) => ({
      y: round(height - scale(value)),
      label: value.toLocaleString('en'),
    })),
  };
}

/** Points of one line; a null rank means not found. */
export type RankPoints = Array<{ checkedAt: Date; rank: number | null }>;

export interface RankChart {
  width: number;
  height: number;
  /** Path data of the `others` on the same scale, in the same order. */
  others: string[][];
  /** Path data of the line, which is interrupted where the site was not found. */
  paths: string[];
  dots: Array<{ x: number; y: number; rank: number | null; at: Date }>;
  /** x positions of the numbered marks. */
  marks: number[];
  lines: Array<{ y: number; label: string }>;
}

/** Draws ranks over time on a logarithmic scale: rank 1 at the top, "not found" at the bottom. */
export function rankChart(
  points: RankPoints,
  width: number,
  { others = [], marks = [] }: { others?: RankPoints[]; marks?: Date[] } = {},
): RankChart {
  const height = 240;
  const [left, right, top, bottom] = [44, width - 12, 14, height - 26];
  const times = points.map(({ checkedAt }) => checkedAt.getTime());
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const x = (time: number) => round(left + ((time - from) / Math.max(1, to - from)) * (right - left));
  const worst = Math.max(10, ...[points, ...others].flat().map(({ rank }) => rank ?? 0));
  const y = (rank: number | null) =>
    rank === null ? height - 8 : round(top + (Math.log(rank) / Math.log(worst)) * (bottom - top));
  const toDots = (some: RankPoints) =>
    some.map(({ checkedAt, rank }) => ({ x: x(checkedAt.getTime()), y: y(rank), rank, at: checkedAt }));
  const dots = toDots(points);
  const lines = rankTicks(worst).map((rank) => ({ y: y(rank), label: `#${rank}` }));
  if (points.some(({ rank }) => rank === null)) lines.push({ y: y(null), label: 'none' });
  return {
    width,
    height,
    paths: toPaths(dots),
    dots,
    lines,
    marks: marks.map((at) => Math.min(right, Math.max(left, x(at.getTime())))),
    others: others.map((some) => toPaths(toDots(some))),
  };
}

/** Returns the ranks that label a logarithmic scale: both ends, and ranks in between that leave space for the last. */
export function rankTicks(worst: number): number[] {
  const hasSpace = (rank: number) => Math.log(worst / rank) / Math.log(worst) > 0.08;
  return [...[1, 3, 10, 20, 50].filter((rank) => rank < worst && hasSpace(rank)), worst];
}

function toPaths(dots: RankChart['dots']): string[] {
  const runs: Array<RankChart['dots']> = [[]];
  for (const dot of dots) {
    if (dot.rank === null) runs.push([]);
    else runs.at(-1)?.push(dot);
  }
  return runs
    .filter((run) => run.length > 1)
    .map((run) => run.map((dot, index) => `${index === 0 ? 'M' : 'L'}${dot.x} ${dot.y}`).join(' '));
}

/** Returns the smallest product of 1, 2 or 5 and a power of ten that is at least the value. */
function niceTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
