import { isBarePath, isHost, isImage, isPath, looksLikeUrl } from './address.ts';
import { isMissing, isNumber, isRequestLine, isUrlOrPath } from './cells.ts';
import { findCountry } from './countries.ts';
import { headCellLengthMax, type TableHead } from './dialect.ts';
import {
  type Field,
  findNameMatch,
  isAmbiguousName,
  isImageName,
  isPathName,
  isRedirectName,
  isRegexName,
  optionFields,
  type RankField,
  rankFields,
  toNormalName,
} from './fields.ts';
import type { ChosenColumns, Column, ListKind } from './list.ts';
import { ListError } from './list-error.ts';
import type { Row } from './rows.ts';
import { readValue } from './values.ts';

type ColumnIndexes = Partial<Record<Field, number>>;

export interface Layout {
  columns: Column[];
  /** Column index by field. */
  fields: Map<Field, number>;
  /** Columns that are equally likely for a field, or all with words if one is not clear; null if one is clear. */
  unsure: { field: Field; columns: Column[] } | null;
  /** Whether texts such as `index.php` are paths, because the chosen column has more of them than URLs. */
  hasBarePaths: boolean;
  /** Whether the column of URLs has requests, such as `GET / HTTP/1.1`. */
  hasRequests: boolean;
  /** Column that says which URLs of redirects are regular expressions; -1 without one. */
  regexAt: number;
}

/** Minimum share of cells in a column that must have the expected form. */
const shareMin = 0.5;
const fewCells = 4;

/**
 * Assigns fields to the columns of a table, by their names and content. Throws ListError if a chosen column does not
 * exist.
 */
export function detectColumns(head: TableHead, kind: ListKind, choice: ChosenColumns = {}): Layout {
  const table = new Table(head);
  const chosen = Object.fromEntries(
    Object.entries(choice).map(([field, column]) => [field, table.findColumn(column)]),
  ) as ColumnIndexes;
  const main: Field = kind === 'urls' ? 'address' : 'keyword';
  const fields = new Map<Field, number>();
  const { candidates, isClear } =
    kind === 'urls'
      ? { candidates: withRedirects(table, findAddressColumns(table)), isClear: true }
      : findKeywordColumns(table);
  const [first] = candidates;
  const mainColumn = chosen[main] ?? first;
  if (mainColumn !== undefined) fields.set(main, mainColumn);
  if (kind === 'keywords') addRankFields(new Table(withoutBlank(head, mainColumn)), fields, chosen);
  else if (mainColumn !== undefined) addHost(table, fields, mainColumn, chosen.host);
  const columns = table.columns((index) => [...fields].find(([, column]) => column === index)?.[0] ?? null);
  const isUnsure = candidates.length > 1 || (candidates.length === 1 && !isClear);
  const hasBarePaths =
    fields.has('host') || (chosen.address !== undefined && isMostlyBarePaths(table, chosen.address));
  const layout = {
    columns,
    fields,
    hasBarePaths,
    hasRequests: hasRequests(table, fields.get('address') ?? -1),
    regexAt: findRegexColumn(table),
  };
  if (!isUnsure || chosen[main] !== undefined) return { ...layout, unsure: null };
  const isOffered = ({ index }: Column) =>
    candidates.length > 1 ? candidates.includes(index) : hasWords(table, index);
  return { ...layout, unsure: { field: main, columns: columns.filter(isOffered) } };
}

/** Removes rows without a keyword, which may have URLs in exports of ads, and empties cells of missing values. */
export function withoutBlank({ rows, headerAt }: TableHead, keyword: number | undefined): TableHead {
  const isKept = ({ cells }: Row, at: number) => at <= headerAt || keyword === undefined || cells[keyword];
  const empty = (row: Row) => ({ ...row, cells: row.cells.map((cell) => (isMissing(cell) ? '' : cell)) });
  return { rows: rows.filter(isKept).map(empty), headerAt };
}

/** Returns `keywords` if a column has such a name, or no column has URLs. */
export function detectKind(head: TableHead): ListKind {
  const table = new Table(head);
  if (findNamedKeywordColumns(table).length > 0) return 'keywords';
  return findAddressColumns(table).length > 0 ? 'urls' : 'keywords';
}

/** Returns how well a table can be read as a kind: 2 by a name or by URLs, 1 as any text, 0 not at all. */
export function rateFit(head: TableHead, kind: ListKind): number {
  const table = new Table(head);
  if (!head.rows[head.headerAt + 1]) return 0;
  if (kind === 'urls') return findAddressColumns(table).length > 0 ? 2 : 0;
  if (findNamedKeywordColumns(table).length > 0) return 2;
  return findTextColumns(table).length > 0 ? 1 : 0;
}

/**
 * Returns the columns of requests, unless a named column has complete URLs; else the columns of URLs with the best
 * name; else all columns of URLs; else the same for paths; else the same for images; else the first column with a name
 * of URLs that has some, or paths without a slash.
 */
function findAddressColumns(table: Table): number[] {
  const byName = table.findByName('address');
  const requests = table.indexes.filter((index) => hasRequests(table, index));
  const isNamedUrl = (index: number) =>
    table.share(index, looksLikeUrl) >= shareMin && !hasHosts(table, index);
  if (requests.length > 0 && !byName.some(isNamedUrl)) return requests;
  const pages = table.indexes.filter((index) => !hasImages(table, index));
  const columns = [pages, table.indexes].flatMap((indexes) =>
    [looksLikeUrl, isPath].map((isAddress) => ({ indexes, isAddress })),
  );
  for (const { indexes, isAddress } of columns) {
    const byContent = indexes.filter((index) => table.share(index, isAddress) >= shareMin);
    const both = byName.filter((index) => byContent.includes(index));
    const found = both.length > 0 ? findBestNamed(table, both) : byContent;
    if (found.length > 0)
      return found.every((index) => hasHosts(table, index)) ? withPaths(table, found) : found;
  }
  const isCertain = (index: number) => !isAmbiguousName('address', table.normalName(index));
  return byName.filter((index) => isCertain(index) && mayHavePaths(table, index)).slice(0, 1);
}

function mayHavePaths(table: Table, index: number): boolean {
  const hasSome = table.share(index, isUrlOrPath) > 0 || isMostlyBarePaths(table, index);
  return hasSome && table.share(index, isNumber) < shareMin;
}

/** Returns whether a column has images, unless it has a name of URLs. They illustrate the page of their row. */
function hasImages(table: Table, index: number): boolean {
  const name = table.normalName(index);
  return findNameMatch('address', name) < 0 && (isImageName(name) || table.share(index, isImage) >= shareMin);
}

function hasRequests(table: Table, index: number): boolean {
  return table.share(index, isRequestLine) >= shareMin;
}

/** Returns whether a column has hosts, and no other URLs. */
function hasHosts(table: Table, index: number): boolean {
  const isNoOther = (cell: string) => !looksLikeUrl(cell) || isHost(cell);
  return table.share(index, isHost) >= shareMin && table.share(index, isNoOther) === 1;
}

/** Returns the column of the paths of the hosts; else the columns of hosts, and all columns of paths. */
function withPaths(table: Table, hosts: number[]): number[] {
  const paths = table.indexes.filter((index) => table.share(index, isPath) >= shareMin);
  const named = paths.filter((index) => isPathName(table.normalName(index)));
  return named.length === 1 && findHostColumn(table) !== undefined ? named : [...hosts, ...paths];
}

/** Adds the other column of redirects if one was found, or both if none was. The paths in them may have no slash. */
function withRedirects(table: Table, found: number[]): number[] {
  const both = findRedirects(table);
  const isSide = (index: number) => (found.length > 0 ? found.includes(index) : mayHavePaths(table, index));
  if (both.length < 2 || !both.some(isSide)) return found;
  return [...new Set([...both, ...found.filter((index) => !hasHosts(table, index))])];
}

function findRedirects(table: Table): number[] {
  const sides = (['from', 'to'] as const).map((side) =>
    table.indexes.find((index) => isRedirectName(side, table.normalName(index))),
  );
  return sides.filter((index) => index !== undefined);
}

function findRegexColumn(table: Table): number {
  if (findRedirects(table).length < 2) return -1;
  return table.indexes.findIndex((index) => isRegexName(table.normalName(index)));
}

function isMostlyBarePaths(table: Table, index: number): boolean {
  return table.share(index, isBarePath) >= shareMin && table.share(index, looksLikeUrl) < shareMin;
}

function findHostColumn(table: Table): number | undefined {
  return table.findByName('host').find((index) => hasHosts(table, index));
}

/** Adds the column of the hosts if the column of URLs has paths or requests. */
function addHost(table: Table, fields: Map<Field, number>, paths: number, chosen: number | undefined): void {
  const isNamed = isPathName(table.normalName(paths)) && table.share(paths, isPath) >= shareMin;
  const column = chosen ?? (isNamed || hasRequests(table, paths) ? findHostColumn(table) : undefined);
  if (column !== undefined && column >= 0 && column !== paths) fields.set('host', column);
}

/** `indexes` are sorted by how well their names match. */
function findBestNamed(table: Table, indexes: number[]): number[] {
  const match = (index: number) => findNameMatch('address', table.normalName(index));
  const best = match(indexes[0] ?? -1);
  return indexes.filter((index) => match(index) === best);
}

/**
 * Returns the columns that may have the keywords: those with a name of keywords, else those of text without another
 * meaning, else the first column of URLs. `isClear` is false if there are several columns of text without a name, or a
 * column of URLs whose meaning is unknown.
 */
function findKeywordColumns(table: Table): { candidates: number[]; isClear: boolean } {
  const all = findNamedKeywordColumns(table);
  const certain = all.filter((index) => !isAmbiguousName('keyword', table.normalName(index)));
  const named = certain.length > 0 ? certain : all.slice(0, 1);
  if (named.length > 0) return { candidates: named, isClear: true };
  const textColumns = findTextColumns(table);
  const known = findKnownColumns(table);
  const isOther = (index: number) => !known.has(index) && table.share(index, isUrlOrPath) >= shareMin;
  const isClear = textColumns.length === 1 && !table.indexes.some(isOther);
  return textColumns.length > 0
    ? { candidates: textColumns, isClear }
    : { candidates: findAddressColumns(table).slice(0, 1), isClear: true };
}

/** Leaves out columns of counts, which some exports call Keywords. */
function findNamedKeywordColumns(table: Table): number[] {
  return table
    .findByName('keyword')
    .filter((index) => !isAmbiguousName('keyword', table.normalName(index)) || isTextColumn(table, index));
}

function findTextColumns(table: Table): number[] {
  const known = findKnownColumns(table);
  return table.indexes.filter((index) => !known.has(index) && isTextColumn(table, index));
}

/** Returns the columns named like a field other than the keyword. Excludes tags: some exports name keywords `label`. */
function findKnownColumns(table: Table): Set<number> {
  const others = rankFields.filter((field) => field !== 'keyword' && field !== 'tag');
  return new Set(others.flatMap((field) => table.findByName(field)));
}

/** A column whose cells repeat has categories, such as priorities. */
function isTextColumn(table: Table, index: number): boolean {
  return hasWords(table, index) && table.distinctShare(index) >= shareMin;
}

function hasWords(table: Table, index: number): boolean {
  const isText = (cell: string) => /\p{L}/u.test(cell) && !isUrlOrPath(cell);
  return table.share(index, isText) >= shareMin;
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
  const competitors = table.findByName('competitors');
  const byContent = table.indexes.filter(
    (index) =>
      isFree(index) &&
      !competitors.includes(index) &&
      !hasImages(table, index) &&
      table.share(index, looksLikeUrl) >= shareMin,
  );
  // Other pages may be those of a rival, or the sources of an answer.
  const isSite = (index: number) =>
    hasHosts(table, index) || findNameMatch('address', table.normalName(index)) >= 0;
  return byContent.length === 1 ? byContent.find(isSite) : undefined;
}

function hasContentFor(table: Table, field: RankField, index: number): boolean {
  const isReadable = (cell: string) => readValue(field, cell) !== null;
  if (field === 'url') return table.share(index, looksLikeUrl) >= shareMin;
  if (optionFields.has(field)) return table.share(index, isReadable) > shareMin;
  if (!isAmbiguousName(field, table.normalName(index))) return true;
  if (field === 'competitors') return table.share(index, isAddressList) >= shareMin;
  // Georgia may be a state, so a column of locations has countries only if all its cells are countries.
  if (field === 'country' && findNameMatch('location', table.normalName(index)) >= 0)
    return table.share(index, (cell) => findCountry(cell) !== null) === 1;
  return table.share(index, isReadable) >= shareMin;
}

function isAddressList(cell: string): boolean {
  const all = cell.split(/[;,|\s]+/);
  // The beginning of a long cell may end within a URL.
  const complete = all.length > 1 && cell.length >= headCellLengthMax ? all.slice(0, -1) : all;
  return complete.every(looksLikeUrl);
}

export function describeColumns(columns: Column[]): string {
  const namesMax = 20;
  const names = columns.slice(0, namesMax).map(({ name }) => name.slice(0, 40));
  return `Its columns are: ${names.join(', ')}${columns.length > namesMax ? ', …' : ''}.`;
}

export function isNumberUpTo(text: string, max: number): boolean {
  return /^[1-9]\d{0,3}$/.test(text) && Number(text) <= max;
}

/** First rows of a table, with access by column. */
class Table {
  readonly indexes: number[];
  readonly #header: string[] | null;
  readonly #normalNames: string[];
  readonly #rows: string[][];

  constructor({ rows, headerAt }: TableHead) {
    this.#header = rows[headerAt]?.cells ?? null;
    this.#normalNames = (this.#header ?? []).map(toNormalName);
    const below = rows.slice(headerAt + 1).map(({ cells }) => cells);
    const width = Math.max(this.#header?.length ?? 0, ...below.map(({ length }) => length), 0);
    // Keywords may begin with #, but they have other cells beside them.
    const isComment = ([first = '', ...others]: string[]) =>
      width > 1 && first.startsWith('#') && others.every((cell) => cell === '');
    this.#rows = below.filter((cells) => !isComment(cells));
    this.indexes = Array.from({ length: width }, (_, index) => index);
  }

  nameOf(index: number): string {
    return this.#header?.[index] || `column ${index + 1}`;
  }

  /** Returns '' for a column without a name. */
  normalName(index: number): string {
    return this.#normalNames[index] ?? '';
  }

  /** Returns the index of a column that the user chose by name, or by number from 1. */
  findColumn(column: number | string): number {
    if (typeof column === 'number') return column;
    const found = this.indexes.find((index) => this.nameOf(index).toLowerCase() === column.toLowerCase());
    if (found !== undefined) return found;
    if (isNumberUpTo(column, this.indexes.length)) return Number(column) - 1;
    throw new ListError(`The table has no column “${column}”. ${describeColumns(this.columns(() => null))}`);
  }

  /** Returns columns with a name of the field, the best match first. */
  findByName(field: Field): number[] {
    const match = (index: number) => findNameMatch(field, this.normalName(index));
    return this.indexes.filter((index) => match(index) >= 0).sort((a, b) => match(a) - match(b));
  }

  /** Returns the share of matching cells among the non-empty cells of a column, from 0 to 1. */
  share(index: number, matches: (cell: string) => boolean): number {
    const filled = this.#rows.map((cells) => cells[index] ?? '').filter((cell) => cell !== '');
    return filled.length === 0 ? 0 : filled.filter(matches).length / filled.length;
  }

  /** Returns the share of different cells among the non-empty cells of a column; 1 for a few cells. */
  distinctShare(index: number): number {
    const filled = this.#rows.map((cells) => cells[index] ?? '').filter((cell) => cell !== '');
    return filled.length < fewCells ? 1 : new Set(filled).size / filled.length;
  }

  columns(fieldOf: (index: number) => Field | null): Column[] {
    return this.indexes.map((index) => ({
      index,
      name: this.nameOf(index),
      example: this.#rows.find((cells) => !isMissing(cells[index] ?? ''))?.[index] ?? '',
      field: fieldOf(index),
    }));
  }
}
