import { isLikeAddress } from './address.ts';
import type { Dialect } from './dialect.ts';
import { type Field, isDoubtful, type RankField, rankFields, sureness } from './fields.ts';
import { ListError } from './list-error.ts';
import { readValue } from './values.ts';

/** What a list is read for: addresses to be checked, or keywords whose ranks are asked for. */
export type ListKind = 'urls' | 'keywords';

/** A column of a table, and what is read from it; null for what is not used. */
export interface Column {
  index: number;
  /** As the header has it; by its number where there is none. */
  name: string;
  /** What stands in it first; empty when nothing does. */
  example: string;
  field: Field | null;
}

/** What somebody was asked and has answered: the column of a field by its place or its name, -1 for none. */
export type ChosenColumns = Partial<Record<Field, number | string>>;

type Places = Partial<Record<Field, number>>;

export interface Layout {
  columns: Column[];
  /** The column each field is read from. */
  fields: Map<Field, number>;
  /** Which of several columns is meant, where none of them is the surest. */
  unsure: { field: Field; columns: number[] } | null;
}

const likeness = 0.5;

/**
 * Decides what the columns of a table mean for a kind of question, by their names and by what they hold. Throws
 * ListError when a column that was chosen is not there.
 */
export function layoutOf(dialect: Dialect, kind: ListKind, choice: ChosenColumns = {}): Layout {
  const table = new Table(dialect);
  const chosen = Object.fromEntries(
    Object.entries(choice).map(([field, column]) => [field, table.placeOf(column)]),
  ) as Places;
  const main: Field = kind === 'urls' ? 'address' : 'keyword';
  const fields = new Map<Field, number>();
  const candidates = kind === 'urls' ? addressColumns(table) : keywordColumns(table);
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

/** Whether a table has a column of keywords by its name, or holds no addresses at all. */
export function kindOf(dialect: Dialect): ListKind {
  const table = new Table(dialect);
  if (table.named('keyword').length > 0) return 'keywords';
  return addressColumns(table).length > 0 ? 'urls' : 'keywords';
}

/** Which columns may hold the addresses: the one with a sure name, else all that look like it. */
function addressColumns(table: Table): number[] {
  const alike = table.indexes.filter((index) => table.share(index, isLikeAddress) >= likeness);
  const named = table.named('address');
  const sure = named.filter((index) => alike.includes(index));
  if (sure.length > 0) return sure.length === 1 ? sure : sure.filter((index) => isAsSure(table, index, sure));
  if (alike.length > 0) return alike;
  return named.slice(0, 1);
}

function isAsSure(table: Table, index: number, others: number[]): boolean {
  const nameOf = (column: number) => table.nameOf(column).toLowerCase();
  const best = Math.min(...others.map((other) => sureness('address', nameOf(other))));
  return sureness('address', nameOf(index)) === best;
}

/** Which columns may hold the keywords: the one so named, else those with words in them that mean nothing else. */
function keywordColumns(table: Table): number[] {
  const [named] = table.named('keyword');
  if (named !== undefined) return [named];
  const others = new Set(rankFields.flatMap((field) => table.named(field)));
  const isWords = (cell: string) => /\p{L}/u.test(cell) && !isLikeAddress(cell);
  const free = table.indexes.filter((index) => !others.has(index));
  const words = free.filter((index) => table.share(index, isWords) >= likeness);
  return words.length > 0 ? words : addressColumns(table).slice(0, 1);
}

function addRankFields(table: Table, fields: Map<Field, number>, chosen: Places): void {
  for (const field of rankFields) {
    const isFree = (index: number) => ![...fields.values()].includes(index);
    const column = chosen[field] ?? rankColumn(table, field, isFree);
    if (field !== 'keyword' && column !== undefined && column >= 0 && isFree(column))
      fields.set(field, column);
  }
}

function rankColumn(table: Table, field: RankField, isFree: (index: number) => boolean): number | undefined {
  const isUsable = (index: number) => isFree(index) && agrees(table, field, index);
  const named = table.named(field).find(isUsable);
  if (named !== undefined || field !== 'url') return named;
  const alike = table.indexes.filter(
    (index) => isFree(index) && table.share(index, isLikeAddress) >= likeness,
  );
  return alike.length === 1 ? alike[0] : undefined;
}

function agrees(table: Table, field: RankField, index: number): boolean {
  if (field === 'url') return table.share(index, isLikeAddress) >= likeness;
  if (!isDoubtful(field, table.nameOf(index))) return true;
  if (field === 'competitors') return table.share(index, isLikeAddresses) >= likeness;
  return table.share(index, (cell) => readValue(field, cell) !== null) >= likeness;
}

function isLikeAddresses(cell: string): boolean {
  return cell.split(/[;,|\s]+/).every(isLikeAddress);
}

/** The first rows of a table by its columns. */
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

  /** Where a column stands that somebody named. */
  placeOf(column: number | string): number {
    if (typeof column === 'number') return column;
    const place = this.indexes.find((index) => this.nameOf(index).toLowerCase() === column.toLowerCase());
    if (place !== undefined) return place;
    const names = this.indexes.map((index) => this.nameOf(index)).join(', ');
    throw new ListError(`There is no column “${column}”. There are: ${names}.`);
  }

  /** The columns whose name is one of a field's, the surest first. */
  named(field: Field): number[] {
    const sure = (index: number) => (this.#header ? sureness(field, this.nameOf(index)) : -1);
    return this.indexes.filter((index) => sure(index) >= 0).sort((a, b) => sure(a) - sure(b));
  }

  /** Of the cells of a column that hold something, how many are of a sort; 0 to 1. */
  share(index: number, isOfSort: (cell: string) => boolean): number {
    const filled = this.#rows.map((cells) => cells[index] ?? '').filter((cell) => cell !== '');
    return filled.length === 0 ? 0 : filled.filter(isOfSort).length / filled.length;
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
