import type { CheckType } from '../../../schemas/check-types.ts';
import type { SeriesEntry } from '../../../schemas/monitor-series.ts';
import { chartSizes } from '../charts.ts';
import {
  averageRankCharts,
  bandCharts,
  type ChartLine,
  shareCharts,
  toRankDistribution,
  xPositionAt,
} from './monitor-charts.ts';
import { percent } from './monitor-view.ts';

const competitorsMax = 5;
/** Label of the share of all subjects that got an answer. The other shares are of the answered subjects only. */
const gotResult = 'Answered (of all)';

/** Draws the runs of a monitor as charts and as a table. `series` has the oldest run first, the table the newest. */
export function createMonitorPicture(
  type: CheckType,
  series: SeriesEntry[],
  notes: Array<{ at: Date; text: string }> = [],
) {
  const at = series.map((entry) => new Date(entry.at));
  const marks = notes.filter((note) => note.at >= (at[0] ?? note.at)).reverse();
  const figures = figuresOf(type, series);
  const coverage = line(gotResult, series, ({ coverage: share }) => share);
  const table = {
    columns: [...figures.map(({ label }) => label), gotResult],
    rows: series
      .map((_, createRankFigure) => ({
        at: at[createRankFigure] as Date,
        cells: [...figures, { ...coverage, words: percent }].map(({ values, words }) => {
          const value = values[createRankFigure] ?? null;
          return value === null ? 'none' : words(value);
        }),
      }))
      .reverse(),
  };
  const marksAt = Object.fromEntries(
    chartSizes.map(({ name, width }) => [name, marks.map((mark) => xPositionAt(at, mark.at, width))]),
  );
  return { at, table, marks, marksAt, pictures: picturesOf(type, at, series, figures, coverage) };
}

interface Figure extends ChartLine {
  words(value: number): string;
}

function figuresOf(type: CheckType, series: SeriesEntry[]): Figure[] {
  const share = (label: string, of: (entry: SeriesEntry) => number | null | undefined): Figure => ({
    ...line(label, series, of),
    words: percent,
  });
  if (type === 'index') return [{ ...share('Indexed', (entry) => entry.share_indexed), tone: 'good' }];
  if (type === 'http')
    return [
      { ...share('Dead', (entry) => entry.share_dead), tone: 'bad' },
      { ...share('Soft 404', (entry) => entry.share_soft404), tone: 'warn' },
    ];
  const createRankFigure = (
    label: string,
    of: (entry: SeriesEntry) => number | null | undefined,
  ): Figure => ({
    ...line(label, series, of),
    words: (value) => `#${value.toFixed(1)}`,
  });
  return [
    createRankFigure('Average rank', ({ ranks }) => ranks?.average_rank),
    share('Visibility', ({ ranks }) => ranks?.visibility),
  ];
}

function picturesOf(
  type: CheckType,
  at: Date[],
  series: SeriesEntry[],
  figures: Figure[],
  coverage: ChartLine,
) {
  if (type !== 'keyword') {
    const lines = [...figures, { ...coverage, tone: 'info' as const }].map(drawn);
    return [{ title: 'Shares of answered checks', lines, charts: shareCharts(at, lines), bands: [] }];
  }
  const bands = toRankDistribution(series);
  const [average, visibility] = figures as [Figure, Figure];
  const rivals = competitorsOf(series);
  const averages = [average, ...rivals.map((url) => competitor(url, series, 'average_rank'))];
  const visible = [visibility, ...rivals.map((url) => competitor(url, series, 'visibility')), coverage].map(
    drawn,
  );
  return [
    { title: 'Rank distribution', lines: [], charts: bandCharts(at, bands), bands },
    {
      title: 'Average rank of ranked keywords',
      lines: averages,
      charts: averageRankCharts(at, averages),
      bands: [],
    },
    {
      title: 'Visibility and coverage',
      lines: visible,
      charts: shareCharts(at, visible),
      bands: [],
    },
  ];
}

/** Does not draw lines that are always 0, because they would cover others; the legend shows them as 0%. */
function drawn(line: ChartLine): ChartLine {
  const known = line.values.filter((value) => value !== null);
  if (known.length === 0 || known.some((value) => value !== 0)) return line;
  return { ...line, label: `${line.label}: 0% throughout`, values: line.values.map(() => null) };
}

/** Returns up to five competitors of the last run that had competitors. */
function competitorsOf(series: SeriesEntry[]): string[] {
  const last = series.findLast(({ competitors }) => competitors !== undefined);
  return (last?.competitors ?? []).slice(0, competitorsMax).map(({ url }) => url);
}

function competitor(url: string, series: SeriesEntry[], field: 'average_rank' | 'visibility'): ChartLine {
  return line(url, series, ({ competitors }) => competitors?.find((one) => one.url === url)?.[field]);
}

function line(
  label: string,
  series: SeriesEntry[],
  of: (entry: SeriesEntry) => number | null | undefined,
): ChartLine {
  return { label, values: series.map((entry) => of(entry) ?? null) };
}
