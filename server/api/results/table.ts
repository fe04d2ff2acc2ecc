import type { BatchRow } from '../../../db/batches/batches.ts';
import { type CheckType, checkTypes } from '../../../schemas/check-types.ts';
import { getCompetitorRank } from '../../../schemas/competitor-rank.ts';
import type { AiOverview } from '../../../schemas/features.ts';
import type { Include } from '../parameters.ts';
import type { ResultBody } from './stream.ts';

/** A cell of an export. Its type in a workbook is the type of the value; null is an empty cell. */
export type Cell = string | number | boolean | Date | null;

/** A column of an export, the same in CSV and in a workbook. */
export interface Column<Row> {
  name: string;
  /** Width in a workbook, in characters. Default: the width of the name. */
  width?: number;
  toCell(row: Row): Cell;
}

/** Widths of fields that are longer than their names. */
const widths: Record<string, number> = {
  ...{ url: 50, final_url: 50, matched_url: 50, ranked_url: 50, canonical: 50, similar_url: 50 },
  ...{ keyword: 30, target_url: 30, title: 40, message: 40, redirects: 40, soft404_reasons: 30 },
  ...{ request_id: 18, reference: 20, tag: 15, provider: 12, results: 60, asked: 60 },
};

/** Numbers that are written as text, because a spreadsheet would round them. */
const ids = new Set(['request_id']);

const timeFields = /_at$|^at$|^from$|^until$/;
const timeWidth = 19;

/** Creates a column of the field with this name. Times become dates in a workbook. */
export function createColumn<Row extends object>(name: string): Column<Row> {
  const isTime = timeFields.test(name);
  const read = (row: Row) => (row as Record<string, unknown>)[name];
  return {
    name,
    width: isTime ? timeWidth : widths[name],
    toCell: isTime
      ? (row) => toTimeCell(read(row))
      : ids.has(name)
        ? (row) => toTextCell(read(row))
        : (row) => toCell(read(row)),
  };
}

export function createColumns<Row extends object>(...names: string[]): Column<Row>[] {
  return names.map((name) => createColumn<Row>(name));
}

/**
 * Adapts columns to another type of row. `read` returns the part of a row that the columns show; if null, the cells are
 * empty.
 */
export function mapColumns<Part, Row>(
  columns: Column<Part>[],
  read: (row: Row) => Part | null,
  toName = (name: string) => name,
): Column<Row>[] {
  return columns.map(({ name, width, toCell }) => ({
    name: toName(name),
    width,
    toCell: (row) => {
      const part = read(row);
      return part === null ? null : toCell(part);
    },
  }));
}

/** For `mapColumns`: adds a word to names, such as `rank_before`. */
export const appendToName = (word: string) => (name: string) => `${name}_${word}`;

/** Creates the column of a rank, with `not_ranked` for null. In other columns, null is an empty cell. */
export function createRankColumn<Row extends object>(): Column<Row> {
  return {
    name: 'rank',
    toCell: (row) => {
      const { rank } = row as { rank?: unknown };
      return rank === null ? 'not_ranked' : toCell(rank);
    },
  };
}

export function toCell(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : (value as string | number | boolean);
}

function toTimeCell(value: unknown): Cell {
  return typeof value === 'string' ? new Date(value) : null;
}

function toTextCell(value: unknown): Cell {
  return value === null || value === undefined ? null : String(value);
}

export const competitorColumnsMax = 50;

/** A competitor's rank, or the reason why the competitor has no rank. */
export interface CompetitorCell {
  url: string;
  rank: Cell;
}

/**
 * Creates a column for each competitor, with its rank or the reason why it has no rank. Competitors beyond
 * `competitorColumnsMax` share the last column.
 */
export function createCompetitorColumns<Row>(
  urls: string[],
  listCompetitors: (row: Row) => CompetitorCell[],
): Column<Row>[] {
  const named = urls.slice(0, competitorColumnsMax);
  const columns = named.map((url) => ({
    name: url,
    toCell: (row: Row) => listCompetitors(row).find((one) => one.url === url)?.rank ?? null,
  }));
  if (urls.length === named.length) return columns;
  const known = new Set(named);
  const toRest = (row: Row) => {
    const rest = listCompetitors(row).filter(({ url }) => !known.has(url));
    return rest.map(({ url, rank }) => `${url} ${rank}`).join('; ');
  };
  return [...columns, { name: 'other_competitors', width: 40, toCell: toRest }];
}

/**
 * Creates the columns of a batch's results. These are the fields of the type's input and answer, a column per
 * competitor, and the fields that all types have.
 */
export function createResultColumns(
  { type, reference }: Pick<BatchRow, 'type' | 'reference'>,
  { include, competitors = [] }: { include?: Include; competitors?: string[] } = {},
): Column<ResultBody>[] {
  const fields = listFields(type, include).map((name): Column<ResultBody> => {
    const list = inOneCell[name];
    if (list) return { ...createColumn(name), toCell: (body) => joinList(body, name, list) };
    const readOverview = overviewCells[name];
    return readOverview
      ? {
          ...createColumn(name),
          toCell: ({ ai_overview }) => toCell(readOverview(ai_overview as AiOverview)),
        }
      : createColumn(name);
  });
  return [
    ...fields,
    ...createCompetitorColumns(competitors, listCompetitorRanks),
    ...always.map((name): Column<ResultBody> => {
      const column = createColumn<ResultBody>(name);
      return name === 'reference'
        ? { ...column, toCell: (body) => toCell(body.reference ?? reference) }
        : column;
    }),
  ];
}

const always = ['error', 'message', 'credits', 'request_id', 'checked_at', 'reference'];

/** Returns the fields of the type's input and answer. Competitors have columns of their own. */
function listFields(type: CheckType, include?: Include): string[] {
  const { input, answer } = checkTypes[type];
  const hidden = [
    ...always,
    ...['competitor_urls', 'competitors'],
    ...(include?.evidence ? [] : ['asked']),
    ...(include?.results ? [] : ['results']),
    'features_visible',
  ];
  const names = [...Object.keys(input.properties), 'state', ...Object.keys(answer.properties)];
  return names
    .filter((name) => !hidden.includes(name))
    .flatMap((name) => (name === 'ai_overview' ? ['ai_overview', 'ai_cited'] : [name]));
}

const overviewCells: Record<string, (overview: AiOverview | undefined) => unknown> = {
  ai_overview: (overview) => overview?.state,
  ai_cited: (overview) => overview?.cited,
};

// biome-ignore lint/suspicious/noExplicitAny: each cell knows the entries of its own list
type Entry = any;

export function listCompetitorRanks(body: Entry): CompetitorCell[] {
  const list = (body.competitors ?? []) as Entry[];
  return list.map((one) => ({ url: one.url, rank: getCompetitorRank(one, body, body) }));
}

type ListInOneCell = [toText: (entry: Entry) => string, separator: string];

function joinList(body: ResultBody, name: string, [toText, separator]: ListInOneCell): string {
  return ((body[name] ?? []) as Entry[]).map(toText).join(separator);
}

const inOneCell: Record<string, ListInOneCell> = {
  redirects: [({ url, status }) => `${status} ${url}`, ' -> '],
  soft404_reasons: [String, '; '],
  include: [String, '; '],
  features: [({ type }) => String(type), ' '],
  asked: [({ query, provider, results }) => `${query} (${provider}: ${results})`, '; '],
  results: [({ position, url }) => `${position} ${url}`, '; '],
};
