import { looksLikeUrl } from './address.ts';
import type { Dialect } from './dialect.ts';
import { type Field, findNameMatch, isAmbiguousName, type RankField, rankFields } from './fields.ts';
import { ListError } from './list-error.ts';
import { readValue } from './values.ts';

/** Content of a list: URLs to check, or keywords whose ranks to check. */
export type ListKind = 'urls' | 'keywords';

/** A column of a table. */
export interface Column {
  index: number;
  /** Name in the header; without a header, `column 1` and so on. */
  name: string;
  /** The first cell that is not empty; '' if all are empty. */
  example: string;
  /** Null if the column is not used. */
  field: Field | null;
}

/** Columns that the user chose for fields, by index or name; -1 for none. */
export type ChosenColumns = Partial<Record<Field, number | string>>;

type ColumnIndexes = Partial<Record<Field, number>>;

export interface Layout {
  columns: Column[];
  /** Column index by field. */
  fields: Map<Field, number>;
  /** Columns that are equally likely for a field; null if one column is clearly the best. */
  unsure: { field: Field; columns: number[] } | null;
}

/** Minimum share of cells in a column that must have the expected form. */
const shareMin = 0.5;

/**
 * Assigns fields to the columns of a table, by their names and content. Throws ListError if a chosen column does not
 * exist.
 */
export function detectColumns(dialect: Dialect, kind: ListKind, choice: ChosenColumns = {}): Layout {
  const table = new Table(dialect);
  const chosen = Object.fromEntries(
    Object.entries(choice).map(([field, column]) => [field, table.findColumn(column)]),
  ) as ColumnIndexes;
  const main: Field = kind === 'urls' ? 'address' : 'keyword';
  const fields = new Map<Field, number>();
  const candidates = kind === 'urls' ? findAddressColumns(table) : findKeywordColumns(table);
  const [first] = candidates;
  const mainColumn = chosen[main] ?? first;
  if (mainColumn !== undefined) fields.set(main, mainColumn);
  if (kind === 'keywords') addRankFields(table, fields, chosen);
  return {
    columns: table.columns((index) => [...fields].find(([, column]) => column === index)?.[0] ?? null),
    fields,
    unsure: candidates.length > 1 && chosen[main] === undefined ? { field: main, columns: candidates } : null,
  };
}

/** Returns `keywords` if a column has such a name, or no column has URLs. */
export function detectKind(dialect: Dialect): ListKind {
  const table = new Table(dialect);
  if (table.findByName('keyword').length > 0) return 'keywords';
  return findAddressColumns(table).length > 0 ? 'urls' : 'keywords';
}

/** Returns the columns of URLs with the best name; else all columns of URLs; else the first column with such a name. */
function findAddressColumns(table: Table): number[] {
  const byContent = table.indexes.filter((index) => table.share(index, looksLikeUrl) >= shareMin);
  const byName = table.findByName('address');
  const both = byName.filter((index) => byContent.includes(index));
  if (both.length > 0) return both.filter((index) => hasBestName(table, index, both));
  if (byContent.length > 0) return byContent;
  return byName.slice(0, 1);
}

function hasBestName(table: Table, index: number, others: number[]): boolean {
  const nameOf = (column: number) => table.nameOf(column).toLowerCase();
  const best = Math.min(...others.map((other) => findNameMatch('address', nameOf(other))));
  return findNameMatch('address', nameOf(index)) === best;
}

/**
 * Returns the column named keyword; else the columns of text without another meaning; else the first column of URLs.
 */
function findKeywordColumns(table: Table): number[] {
  const [named] = table.findByName('keyword');
  if (named !== undefined) return [named];
  const others = new Set(rankFields.flatMap((field) => table.findByName(field)));
  const isText = (cell: string) => /\p{L}/u.test(cell) && !looksLikeUrl(cell);
  const free = table.indexes.filter((index) => !others.has(index));
  const textColumns = free.filter((index) => table.share(index, isText) >= shareMin);
  return textColumns.length > 0 ? textColumns : findAddressColumns(table).slice(0, 1);
}

function addRankFields(table: Table, fields: Map<Field, number>, chosen: ColumnIndexes): void {
  for (const field of rankFields) {
    const isFree = (index: number) => ![...fields.values()].includes(index);
    const column = chosen[field] ?? findRankColumn(table, field, isFree);
    if (field !== 'keyword' && column !== undefined && column >= 0 && isFree(column))
      fields.set(field, column);
  }
}

function findRankColumn(
  table: Table,
  field: RankField,
  isFree: (index: number) => boolean,
): number | undefined {
  const isUsable = (index: number) => isFree(index) && hasContentFor(table, field, index);
  const named = table.findByName(field).find(isUsable);
  if (named !== undefined || field !== 'url') return named;
  const byContent = table.indexes.filter(
    (index) => isFree(index) && table.share(index, looksLikeUrl) >= shareMin,
  );
  return byContent.length === 1 ? byContent[0] : undefined;
}

function hasContentFor(table: Table, field: RankField, index: number): boolean {
  if (field === 'url') return table.share(index, looksLikeUrl) >= shareMin;
  if (!isAmbiguousName(field, table.nameOf(index))) return true;
  if (field === 'competitors') return table.share(index, isAddressList) >= shareMin;
  return table.share(index, (cell) => readValue(field, cell) !== null) >= shareMin;
}

function isAddressList(cell: string): boolean {
  return cell.split(/[;,|\s]+/).every(looksLikeUrl);
}

/** First rows of a table, with access by column. */
class Table {
  readonly indexes: number[];
  readonly #header: string[] | null;
  readonly #rows: string[][];

  constructor({ rows, headerAt }: Dialect) {
    this.#header = rows[headerAt]?.cells ?? null;
    this.#rows = rows.slice(headerAt + 1).map(({ cells }) => cells);
    const width = Math.max(this.#header?.length ?? 0, ...this.#rows.map(({ length }) => length), 0);
    this.indexes = Array.from({ length: width }, (_, index) => index);
  }

  nameOf(index: number): string {
    return this.#header?.[index] || `column ${index + 1}`;
  }

  /** Returns the index of a column that the user chose by name. */
  findColumn(column: number | string): number {
    if (typeof column === 'number') return column;
    const found = this.indexes.find((index) => this.nameOf(index).toLowerCase() === column.toLowerCase());
    if (found !== undefined) return found;
    const names = this.indexes.map((index) => this.nameOf(index)).join(', ');
    throw new ListError(`The table has no column “${column}”. Its columns are: ${names}.`);
  }

  /** Returns columns with a name of the field, the best match first. */
  findByName(field: Field): number[] {
    const match = (index: number) => (this.#header ? findNameMatch(field, this.nameOf(index)) : -1);
    return this.indexes.filter((index) => match(index) >= 0).sort((a, b) => match(a) - match(b));
  }

  /** Returns the share of matching cells among the non-empty cells of a column, from 0 to 1. */
  share(index: number, matches: (cell: string) => boolean): number {
    const filled = this.#rows.map((cells) => cells[index] ?? '').filter((cell) => cell !== '');
    return filled.length === 0 ? 0 : filled.filter(matches).length / filled.length;
  }

  columns(fieldOf: (index: number) => Field | null): Column[] {
    return this.indexes.map((index) => ({
      index,
      name: this.nameOf(index),
      example: this.#rows.find((cells) => cells[index])?.[index] ?? '',
      field: fieldOf(index),
    }));
  }
}
