/** Widths for desktop and phone. Text in an SVG shrinks with the picture, so each size has its own chart. */
export const chartSizes = [
  { name: 'wide-chart', width: 1040 },
  { name: 'narrow-chart', width: 340 },
] as const;

/**
 * Draws values as columns, in units of the SVG's viewBox. Negative values, from days with more refunds than charges,
 * have no height.
 */
export function columnChart(values: Array<{ label: string; value: number }>, width: number) {
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

/** An event, numbered in a chart and described below it. */
export interface Mark {
  at: Date;
  words: string;
  /** True if the event is about the UTC day `at`, without a time. */
  isDay?: boolean;
}

/**
 * A value of a line. Null, or a text that says why there is no value, interrupts the line. An undefined value is
 * skipped.
 */
type ChartValue = number | string | null | undefined;

/** Value of a line while nothing was checked. */
export const notChecked = 'not checked';

/** A row of a chart's table. Its values apply to each of its times. */
interface ChartRow {
  at: Date[];
  /** One value per line. */
  values: ChartValue[];
  /** Texts of the columns that are not drawn. */
  extra?: string[];
  /** A loss that no second check has confirmed. It is in the table, but not drawn. */
  isUnconfirmed?: boolean;
}

/** A time without checks, between two checks. */
export interface Gap {
  from: Date;
  until: Date;
  /** First and last due time without a check. */
  firstMissed: Date;
  lastMissed: Date;
}

export interface LineChartInput {
  title: string;
  /** `rank`: logarithmic, 1 at the top. `share`: values from 0 to 1. */
  scale: 'rank' | 'share';
  /** The line of the reader's own site comes first. */
  lines: Array<{ label: string; tone?: string }>;
  /** Oldest first. */
  rows: ChartRow[];
  marks?: Mark[];
  /** Times that interrupt the lines. */
  gaps?: Gap[];
  timeHeads?: string[];
  extraHeads?: string[];
  /** Text for null. */
  missing?: string;
}

/**
 * Shapes of the markers, as SVG path data relative to the marker's center. Shape, color and dashes together distinguish
 * eleven lines. `public/chart.js` reads shape, color and dashes from the legend.
 */
const markerShapes = [
  'm-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z',
  'm-3-3h6v6h-6z',
  'm0-4l4 7h-8z',
  'm0-4.5l4.5 4.5-4.5 4.5-4.5-4.5z',
  'm0 4l-4-7h8z',
  'm-3-3l6 6m0-6l-6 6',
  'm-4 0h8m-4-4v8',
];
const markersPerLine = 12;

/** Draws lines over time as SVG, with a legend and a table. Scripts replace the SVG with an interactive chart. */
export function createLineChart(input: LineChartInput) {
  const { title, lines, marks = [], missing = 'none' } = input;
  const rows = (input.gaps ?? []).reduce(splitAtGap, input.rows);
  const drawn = rows.filter(({ isUnconfirmed }) => !isUnconfirmed);
  const moments = drawn.flatMap(({ at, values }) => at.map((time) => ({ at: time.getTime(), values })));
  const series = lines.map((_, number) => moments.map(({ values }) => values[number]));
  const scale = createScale(input.scale, series);
  const toWords = (value: ChartValue = '') =>
    typeof value === 'number' ? scale.format(value) : (value ?? missing);
  const from = moments[0]?.at ?? 0;
  const shownMarks = marks
    .filter(({ at }) => at.getTime() >= from)
    .sort((a, b) => a.at.getTime() - b.at.getTime());
  return {
    title,
    scale: scale.name,
    from: new Date(from),
    to: new Date(moments.at(-1)?.at ?? 0),
    lines: lines.map(({ label, tone }, number) => ({
      label,
      className: `line line-${number}${tone ? ` tone-${tone}` : ''}`,
      marker: markerShapes[number % markerShapes.length] ?? '',
      last: toWords(series[number]?.at(-1)),
    })),
    charts: chartSizes.map(({ name, width }) => ({
      name,
      ...drawLines({ moments: moments.map(({ at }) => at), series, marks: shownMarks, scale, width }),
    })),
    marks: shownMarks,
    table: {
      timeHeads: input.timeHeads ?? ['Run'],
      extraHeads: input.extraHeads ?? [],
      rows: rows
        .map(({ at, values, extra = [], isUnconfirmed = false }) => ({
          at,
          isUnconfirmed,
          cells: [
            ...lines.map((_, number) =>
              isUnconfirmed && number === 0 ? 'lost, not confirmed' : toWords(values[number]),
            ),
            ...extra,
          ],
        }))
        .reverse(),
    },
  };
}

/** Adds a row that interrupts all lines in a gap. A row that spans the gap is split. */
function splitAtGap(rows: ChartRow[], { from, until, firstMissed, lastMissed }: Gap): ChartRow[] {
  return rows.flatMap((row, place) => {
    const [first, last, next] = [row.at[0], row.at.at(-1), rows[place + 1]?.at[0]];
    if (!first || !last || row.isUnconfirmed) return [row];
    const empty: ChartRow = {
      // The chart of the script has one value per moment.
      at:
        row.at.length === 1 ? [new Date((from.getTime() + until.getTime()) / 2)] : [firstMissed, lastMissed],
      values: row.values.map(() => notChecked),
      extra: row.extra?.map(() => ''),
    };
    if (first <= from && last >= until)
      return [{ ...row, at: [first, from] }, empty, { ...row, at: [until, last] }];
    return last <= from && next && next >= until ? [row, empty] : [row];
  });
}

export type LineChart = ReturnType<typeof createLineChart>;

const height = 240;
const [left, top] = [44, 14];
const bottom = height - 26;

function drawLines({
  moments,
  series,
  marks,
  scale,
  width,
}: {
  moments: number[];
  series: ChartValue[][];
  marks: Mark[];
  scale: Scale;
  width: number;
}) {
  const [from = 0, to = 0] = [moments[0], moments.at(-1)];
  const right = width - 12;
  const x = (time: number) => round(left + ((time - from) / Math.max(1, to - from)) * (right - left));
  const y = (value: number) => round(top + scale.position(value) * (bottom - top));
  const step = Math.max(1, Math.ceil(moments.length / markersPerLine));
  return {
    width,
    height,
    rules: scale.ticks.map((value) => ({ y: y(value), label: scale.formatTick(value) })),
    marks: spreadLabels(marks.map(({ at }) => Math.min(right, Math.max(left, x(at.getTime()))))),
    ways: series.map((values, number) => {
      const runs = toRuns(values);
      const point = ({ place, value }: DrawnPoint) => `${x(moments[place] ?? 0)} ${y(value)}`;
      const shape = markerShapes[number % markerShapes.length];
      return {
        line: runs.map((run) => `M${run.map(point).join('L')}`).join(''),
        markers: runs
          .flatMap((run) => run.filter(({ place }) => run.length === 1 || (place + number) % step === 0))
          .map((one) => `M${point(one)}${shape}`)
          .join(''),
      };
    }),
  };
}

const labelWidth = 16;

/** Adds to each mark, from left to right, where its number is written without overlap. */
function spreadLabels(marks: number[]): Array<{ x: number; labelX: number }> {
  let end = 0;
  return marks.map((x) => {
    const labelX = Math.max(x, end);
    end = labelX + labelWidth;
    return { x, labelX };
  });
}

interface DrawnPoint {
  place: number;
  value: number;
}

/** Splits a line where it is interrupted. */
function toRuns(values: ChartValue[]): DrawnPoint[][] {
  const runs: DrawnPoint[][] = [[]];
  for (const [place, value] of values.entries()) {
    if (typeof value === 'number') runs.at(-1)?.push({ place, value });
    else if (value !== undefined) runs.push([]);
  }
  return runs.filter((run) => run.length > 0);
}

interface Scale {
  /** `root`: shares on a square-root scale. */
  name: 'rank' | 'share' | 'root';
  /** Values with a grid line. */
  ticks: number[];
  /** Returns 0 for the top of the chart and 1 for the bottom. */
  position(value: number): number;
  formatTick(value: number): string;
  format(value: number): string;
}

const rankSteps = [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100];
const rootSteps = [0, 0.01, 0.05, 0.1, 0.25, 0.5, 1];
/**
 * Maximum ratio between the highest shares of two lines on a linear scale. With a larger ratio, a linear scale would
 * show the lower line at the bottom. The scale is then a square-root scale.
 */
const squeezed = 8;

function createScale(kind: LineChartInput['scale'], series: ChartValue[][]): Scale {
  const known = series.map((values) => values.filter((value) => typeof value === 'number'));
  const drawn = known.flat();
  // Ends of the axis of a chart without values.
  const empty = kind === 'rank' ? [1, 10] : [0, 1];
  const all = drawn.length > 0 ? drawn : empty;
  return kind === 'rank'
    ? createRankScale(all)
    : createShareScale(
        all,
        known.map((some) => Math.max(...some)),
      );
}

function createRankScale(ranks: number[]): Scale {
  const [best, worst] = [Math.min(100, ...ranks), Math.max(1, ...ranks)];
  const first = rankSteps.findLast((step) => step <= best) ?? 1;
  const last = rankSteps.find((step) => step >= worst && step > first) ?? Math.max(worst, first + 1);
  const position = (rank: number) => Math.log(rank / first) / Math.log(last / first);
  const steps = [...rankSteps.filter((step) => step >= first && step < last), last];
  const digits = ranks.every(Number.isInteger) ? 0 : 1;
  return {
    ...{ name: 'rank', ticks: spread(steps, position), position },
    formatTick: (rank) => `#${rank}`,
    format: (rank) => `#${rank.toFixed(digits)}`,
  };
}

function createShareScale(shares: number[], peaks: number[]): Scale {
  const [lowest, highest] = [Math.min(1, ...shares), Math.max(0.01, ...shares)];
  const smallestPeak = Math.min(...peaks.filter((peak) => peak > 0));
  if (smallestPeak * squeezed < highest) {
    const last = rootSteps.find((step) => step >= highest) ?? 1;
    const position = (share: number) => 1 - Math.sqrt(share / last);
    const ticks = spread(
      rootSteps.filter((step) => step <= last),
      position,
    );
    return { name: 'root', ticks, position, formatTick: formatShare, format: formatShare };
  }
  const from = lowest < highest / 2 ? 0 : lowest;
  const step = niceTop(Math.max(0.002, (highest - from) / 4));
  // Leaves a step below 100% if all shares are 100%.
  const first = Math.min(Math.floor(from / step), Math.round(1 / step) - 1);
  const last = Math.min(Math.round(1 / step), Math.ceil(highest / step));
  const count = Math.max(1, last - first);
  const ticks = Array.from({ length: count + 1 }, (_, nth) => round((first + nth) * step, 6));
  const position = (share: number) => 1 - (share / step - first) / count;
  return { name: 'share', ticks, position, formatTick: formatShare, format: formatShare };
}

/** Leaves out values whose labels would overlap. Keeps the last value. */
function spread(values: number[], position: (value: number) => number): number[] {
  const kept: number[] = [];
  for (const value of values.toReversed()) {
    const above = kept.at(-1);
    if (above === undefined || Math.abs(position(value) - position(above)) > 0.08) kept.push(value);
  }
  return kept.reverse();
}

/** Formats a share between 0 and 1 as `34.2%`. */
function formatShare(share: number): string {
  return `${round(share * 100, 1)}%`;
}

/** Returns the smallest product of 1, 2 or 5 and a power of ten that is at least the value. */
function niceTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10);
}

function round(value: number, digits = 2): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
