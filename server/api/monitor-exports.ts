import type { Request, RequestHandler, Response } from 'express';
import * as changes from '../../db/monitors/changes.ts';
import type { MonitorRow } from '../../db/monitors/monitors.ts';
import * as points from '../../db/monitors/points.ts';
import * as subjects from '../../db/monitors/subjects.ts';
import { findHistories } from '../../monitors/histories.ts';
import { changeKindNames } from '../../schemas/change-kinds.ts';
import type { CheckType } from '../../schemas/check-types.ts';
import type {
  AnswerPeriod,
  MonitorChange,
  MonitorSubject,
  SubjectEntry,
} from '../../schemas/monitor-history.ts';
import { changeBody } from '../../wire/changes.ts';
import { type SubjectHistory, subjectEntry } from '../../wire/subjects.ts';
import type { Context } from '../context.ts';
import { closeSignal } from '../limits/slots.ts';
import { getTimeRange, readGroup, readSubject, readTime } from './monitor-history.ts';
import { requireMonitor } from './monitor-ref.ts';
import { readEnum, readId, readSearch } from './parameters.ts';
import { joinFileName, readLocale, sendTable, type TableChoice, type TableFormat } from './results/export.ts';
import {
  appendToName,
  type Column,
  competitorColumnsMax,
  createColumn,
  createColumns,
  createCompetitorColumns,
  createRankColumn,
  mapColumns,
  toCell,
} from './results/table.ts';

/** Exports of a monitor. `points`: the history of each subject, one row per period without a change. */
export const monitorExports = ['changes', 'subjects', 'points'] as const;
export type MonitorExport = (typeof monitorExports)[number];
export type SubjectExport = Exclude<MonitorExport, 'changes'>;

const rowsAtOnce = 100;
export const subjectsAtOnce = 25;

export function monitorExportRoutes(context: Context) {
  const exportAs =
    (kind: MonitorExport, ending: TableFormat): RequestHandler =>
    async (req, res) => {
      const filter = readFilter(req);
      const locale = readLocale(req);
      const monitor = await requireMonitor(context.db, req);
      await sendMonitorExport(context, res, monitor, { kind, filter, ending, locale });
    };

  return {
    exportChangesCsv: exportAs('changes', 'csv'),
    exportChangesXlsx: exportAs('changes', 'xlsx'),
    exportSubjectsCsv: exportAs('subjects', 'csv'),
    exportSubjectsXlsx: exportAs('subjects', 'xlsx'),
    exportPointsCsv: exportAs('points', 'csv'),
    exportPointsXlsx: exportAs('points', 'xlsx'),
  };
}

type ExportFilter = ReturnType<typeof readFilter>;

/** Reads the filters of a monitor's lists. Throws a 422. */
export function readFilter(req: Request) {
  return {
    kind: readEnum(req, 'kind', changeKindNames),
    runId: readId(req, 'run_id'),
    subjectId: readSubject(req),
    search: readSearch(req),
    ...readGroup(req),
    ...readTime(req),
  };
}

interface MonitorExportChoice extends TableChoice {
  kind: MonitorExport;
  filter: ExportFilter;
}

export async function sendMonitorExport(
  context: Context,
  res: Response,
  monitor: MonitorRow,
  { kind, filter, ...choice }: MonitorExportChoice,
): Promise<void> {
  const { accountId, type } = monitor;
  const file = { accountId, fileName: joinFileName([monitor.name, kind], new Date()) };
  if (kind === 'changes') {
    const table = { ...file, columns: changeColumns(type), pages: readChanges(context, monitor, filter) };
    return sendTable(context, res, table, choice);
  }
  const limit = competitorColumnsMax + 1;
  const rivals = type === 'keyword' ? await subjects.listCompetitorUrls(context.db, monitor, limit) : [];
  const { kind: _kind, runId: _runId, from, to, ...subjectFilter } = filter;
  const time = await getTimeRange(context.db, { from, to });
  const hasRanks = type === 'keyword' && kind === 'points';
  const subjectIds = hasRanks ? await subjects.listIds(context.db, monitor, subjectFilter) : [];
  const entries = readSubjects(context, monitor, subjectFilter, time);
  return sendSubjects(context, res, { ...file, type, kind, rivals, subjectIds, time, entries }, choice);
}

/** Sends subjects with their last answers, or with one row per period without a change. */
export async function sendSubjects(
  context: Context,
  res: Response,
  {
    type,
    kind,
    rivals,
    subjectIds,
    time,
    entries,
    ...file
  }: {
    accountId: number;
    /** Without the file extension. */
    fileName: string;
    type: CheckType;
    kind: SubjectExport;
    /** Current competitors. If there are more than `competitorColumnsMax`, the others share one column. */
    rivals: string[];
    /** Subjects in the file. In a history, their former competitors with ranks in the period have columns, too. */
    subjectIds: number[];
    time: { from: Date; to: Date };
    entries: AsyncIterable<SubjectEntry[]>;
  },
  choice: TableChoice,
): Promise<void> {
  if (kind === 'subjects')
    return sendTable(
      context,
      res,
      { ...file, columns: subjectColumns(type, rivals), pages: entries },
      choice,
    );
  const { accountId } = file;
  const window = { ...time, limit: competitorColumnsMax + 1 };
  const known = await context.longQueries.run(
    accountId,
    () => points.listCompetitorUrls(context.db, accountId, subjectIds, window),
    { signal: closeSignal(res) },
  );
  const columns = pointColumns(type, [...new Set([...rivals, ...known])]);
  const table = { ...file, columns, pages: toPoints(entries) };
  return sendTable(context, res, table, choice);
}

async function* readChanges(
  { db }: Context,
  { accountId, monitorId }: MonitorRow,
  { search: _, ...filter }: ExportFilter,
): AsyncGenerator<MonitorChange[]> {
  let after: changes.ChangeRow | undefined;
  do {
    const rows = await changes.list(db, accountId, { ...filter, monitorId, limit: rowsAtOnce, after });
    yield rows.map(changeBody);
    after = rows.length === rowsAtOnce ? rows.at(-1) : undefined;
  } while (after);
}

async function* readSubjects(
  { db }: Context,
  monitor: MonitorRow,
  filter: Omit<ExportFilter, 'kind' | 'runId' | 'from' | 'to'>,
  time: { from: Date; to: Date },
): AsyncGenerator<SubjectEntry[]> {
  let after: subjects.SubjectRow | undefined;
  do {
    const rows = await subjects.list(db, monitor, { ...filter, limit: subjectsAtOnce, after });
    const histories = await findHistories(db, monitor, rows, time);
    yield rows.map((row, place) =>
      subjectEntry(monitor.type, row, histories[place] as SubjectHistory, { hasFormerCompetitors: true }),
    );
    after = rows.length === subjectsAtOnce ? rows.at(-1) : undefined;
  } while (after);
}

interface Point {
  entry: SubjectEntry;
  point: AnswerPeriod;
}

/** Splits the points of the subjects into small pages. A page of subjects can have thousands of points. */
async function* toPoints(pages: AsyncIterable<SubjectEntry[]>): AsyncGenerator<Point[]> {
  for await (const entries of pages) {
    const all = entries.flatMap((entry) => entry.points.map((point) => ({ entry, point })));
    for (let first = 0; first < all.length; first += rowsAtOnce) yield all.slice(first, first + rowsAtOnce);
  }
}

/** Fields of an answer that a change can contain. */
const changeFields: Record<CheckType, string[]> = {
  http: ['status', 'error', 'is_soft404', 'noindex', 'initial_status', 'final_url', 'canonical', 'title'],
  index: ['is_indexed', 'matched_url'],
  keyword: ['rank', 'ranked_url', 'ai_overview', 'ai_cited', 'ai_cited_url', 'snippet_owned'],
};

function changeColumns(type: CheckType): Column<MonitorChange>[] {
  const fields = changeFields[type].map((name) =>
    name === 'rank' ? createRankColumn<object>() : createColumn<object>(name),
  );
  const sides = fields.flatMap((field) =>
    (['before', 'after'] as const).flatMap((side) =>
      mapColumns([field], (change: MonitorChange) => change[side], appendToName(side)),
    ),
  );
  return [
    ...createColumns<MonitorChange>('at', 'kind'),
    ...subjectFieldColumns<MonitorChange>(type, ({ subject }) => subject),
    ...sides,
    ...createColumns<MonitorChange>('change_id', 'subject_id', 'run_id', 'request_id'),
  ];
}

function subjectColumns(type: CheckType, rivals: string[]): Column<SubjectEntry>[] {
  const latest = ({ latest: point }: SubjectEntry) => point;
  const ranks: Column<SubjectEntry>[] = [
    createColumn('ranked_url'),
    { name: 'best_rank', toCell: ({ best }) => best?.rank ?? null },
    ...(['day_1', 'day_7', 'day_30'] as const).flatMap((day): Column<SubjectEntry>[] => [
      {
        name: `rank_${day}`,
        toCell: ({ differences }) => {
          const then = differences?.[day];
          return then ? (then.rank ?? 'not_ranked') : null;
        },
      },
      {
        name: `places_gained_${day}`,
        toCell: ({ differences }) => {
          const difference = differences?.[day]?.difference ?? null;
          return difference === null ? null : 0 - difference;
        },
      },
    ]),
  ];
  return [
    ...subjectFieldColumns<SubjectEntry>(type, ({ subject }) => subject),
    ...mapColumns(answerColumns(type), latest),
    ...(type === 'keyword' ? ranks : []),
    ...mapColumns(rivalColumns(rivals), latest),
    ...mapColumns([createColumn<AnswerPeriod>('until')], latest, () => 'checked_at'),
    ...createColumns<SubjectEntry>('joined_at', 'left_at', 'left_reason', 'subject_id'),
  ];
}

function pointColumns(type: CheckType, rivals: string[]): Column<Point>[] {
  const point = ({ point: one }: Point) => one;
  return [
    ...subjectFieldColumns<Point>(type, ({ entry }) => entry.subject),
    ...mapColumns(
      [
        ...createColumns<AnswerPeriod>('from', 'until'),
        ...answerColumns(type),
        createColumn<AnswerPeriod>('unconfirmed'),
        ...rivalColumns(rivals),
      ],
      point,
    ),
    { name: 'subject_id', toCell: ({ entry }) => entry.subject_id },
  ];
}

function answerColumns(type: CheckType): Column<AnswerPeriod>[] {
  const fields: Record<CheckType, Column<AnswerPeriod>[]> = {
    http: createColumns('status', 'is_soft404', 'soft404_checked', 'bot_wall'),
    index: [createColumn('is_indexed')],
    keyword: [createRankColumn(), ...createColumns<AnswerPeriod>('ai_overview', 'ai_cited')],
  };
  return fields[type];
}

function rivalColumns(urls: string[]): Column<AnswerPeriod>[] {
  return createCompetitorColumns(urls, ({ competitors = [] }) =>
    competitors.map(({ url, rank }) => ({ url, rank: rank ?? 'not_ranked' })),
  );
}

function subjectFieldColumns<Row>(type: CheckType, read: (row: Row) => MonitorSubject | null): Column<Row>[] {
  if (type !== 'keyword') return [{ name: 'url', width: 50, toCell: (row) => toCell(read(row)) }];
  const names = ['keyword', 'target_url', 'country', 'language', 'location', 'device', 'match', 'tag'];
  return mapColumns(createColumns<object>(...names), (row: Row) => read(row) as object | null);
}
