import { isUnambiguousUrl, looksLikeUrl } from './address.ts';
import { isData, isMissing, isWord } from './cells.ts';
import { isColumnName, isMainColumnName } from './fields.ts';
import { ListError } from './list-error.ts';
import { marker, type Row, readRows } from './rows.ts';

/** The beginning of a table or of a list of lines. */
export interface TableHead {
  rows: Row[];
  /** Index of the header in `rows`; -1 without one. Rows before it are notes about the table. */
  headerAt: number;
}

/** Format of a list, detected from its beginning. */
export interface Dialect extends TableHead {
  /** Null for one entry per line. */
  delimiter: string | null;
}

const delimiters = ['\t', ';', ',', '|', ' '];
export const headRowsMax = 200;
/** Maximum length of the first rows of a workbook or JSON, as of a text. Each cell counts as ten characters more. */
const headLengthMax = 64 * 1024;
const emptyCellLength = 10;
/** A cell is recognized by its beginning. A host has up to 253 characters. */
export const headCellLengthMax = 300;
/** Exports have up to a dozen lines of notes above the header. */
const headerRowsMax = 20;
const equalWidthShareMin = 0.8;

/**
 * Detects the delimiter: parses the first rows with each delimiter and compares the tables. `isTableForced` reads any
 * text with delimiters as a table.
 */
export async function detectDialect(
  sample: string,
  isWhole: boolean,
  isTableForced = false,
): Promise<Dialect> {
  const text = isWhole ? sample : sample.slice(0, sample.lastIndexOf('\n') + 1) || sample;
  const tables: Dialect[] = [];
  for (const delimiter of delimiters) {
    if (text.includes(delimiter)) tables.push(await parseAs(delimiter, text));
  }
  const named = tables.filter(({ delimiter, rows, headerAt }) => {
    return delimiter !== ' ' && (rows[headerAt]?.cells.length ?? 0) > 1;
  });
  const best = widest(named.filter(({ rows, headerAt }) => rows[headerAt]?.cells.some(isMainColumnName)));
  if (best) return best;
  const list = await parseAs(null, text);
  if (isTableForced) return widest(tables.filter(({ delimiter }) => delimiter !== ' ')) ?? list;
  if (list.headerAt >= 0) return list;
  return widest(tables.filter((table) => isTable(table, text))) ?? list;
}

async function parseAs(delimiter: string | null, text: string): Promise<Dialect> {
  const rows = await readFirstRows(readRows([text], delimiter));
  return { delimiter, rows, headerAt: findHeader(rows) };
}

export async function readFirstRows(all: AsyncIterable<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  try {
    for await (const row of all) if (rows.push(row) === headRowsMax) break;
  } catch (error) {
    // The error is reported later, when the whole list is read.
    if (!(error instanceof ListError)) throw error;
  }
  return rows;
}

/**
 * Finds the header of a table by known column names, or takes a first row of words above numbers and URLs. Rows above
 * it are notes, which begin with # or have fewer cells than the table, or the data of a chart, as in Google Analytics.
 * A header of lines names URLs or keywords.
 */
export function findHeader(rows: Row[]): number {
  const cellsAt = (at: number) => rows[at]?.cells ?? [];
  const tops = findTopRows(rows);
  const titles = tops.filter((at) => isHeader(cellsAt(at)) && !hasUrlAboveUrls(rows, at));
  const named =
    titles.find((at) => cellsAt(at).some(isMainColumnName)) ?? titles.find((at) => cellsAt(at).length > 1);
  const first = findTopRow(rows);
  // A row below a row of words may contain a known name, such as a type “page”.
  const isFirst = named === first || isAfterComment(rows, named ?? 0) || !hasWords(rows[first]);
  if (named !== undefined && isFirst) return named;
  const below = rows.slice(first + 1);
  const isAboveData = (cell: string, column: number) => {
    if (!isWord(cell)) return false;
    const others = below.map(({ cells }) => cells[column] ?? '').filter((other) => !isMissing(other));
    return others.length > 0 && others.every(isData);
  };
  return cellsAt(first).some(isAboveData) && !hasUrlAboveUrls(rows, first) ? first : -1;
}

/**
 * Takes the first rows of a table, at least two. `head` has only the beginnings of their cells, because many cells of a
 * workbook may share one long text.
 */
export function takeHead(rows: Iterator<Row>): { taken: Row[]; head: Row[] } {
  const [taken, head]: [Row[], Row[]] = [[], []];
  let length = 0;
  for (let next = rows.next(); !next.done; next = rows.next()) {
    const cells = next.value.cells.map((cell) => cell.slice(0, headCellLengthMax));
    taken.push(next.value);
    head.push({ line: next.value.line, cells });
    length += cells.reduce((sum, cell) => sum + emptyCellLength + cell.length, 0);
    if (head.length === headRowsMax || (head.length > 1 && length > headLengthMax)) break;
  }
  return { taken, head };
}

/** Returns the index of the first row of several cells, which is a header or the first entry; -1 without one. */
export function findTopRow(rows: Row[]): number {
  return findTopRows(rows).find((at) => (rows[at]?.cells.length ?? 0) > 1) ?? -1;
}

function findTopRows(rows: Row[]): number[] {
  const start = findStart(rows);
  return rows
    .map((_, at) => at)
    .filter((at) => (at >= start && at < start + headerRowsMax) || isAfterComment(rows, at))
    .filter((at) => isAsWideAsTable(rows, at, rows[at]?.cells.length ?? 0));
}

function isAfterComment(rows: Row[], at: number): boolean {
  return at > 0 && isComment(rows[at - 1]?.cells ?? []) && !isComment(rows[at]?.cells ?? []);
}

export function hasWords(row: Row | undefined): boolean {
  return row?.cells.every(isWord) ?? false;
}

/** Returns the index of the first row that does not begin with #. */
function findStart(rows: Row[]): number {
  const start = rows.findIndex(({ cells }) => !isComment(cells));
  return start < 0 ? rows.length : start;
}

/** Returns whether most rows below have no more cells. A line, which has one cell, must be the first. */
function isAsWideAsTable(rows: Row[], at: number, width: number): boolean {
  if (width === 1) return at === findStart(rows) && rows.slice(at).every(({ cells }) => cells.length === 1);
  const below = rows.slice(at + 1);
  return below.filter(({ cells }) => cells.length <= width).length >= below.length * equalWidthShareMin;
}

/** Returns whether a row is a line that begins with #. The name of a column may be # alone. */
export function isComment([first = '', ...others]: string[]): boolean {
  return first.startsWith('#') && (first !== '#' || others.every((cell) => cell === ''));
}

/** Returns whether a row is an entry, with a URL in a column of URLs. Semrush names columns such as `*.a.example/*`. */
function hasUrlAboveUrls(rows: Row[], at: number): boolean {
  const below = rows.slice(at + 1);
  const isUrl = (cell: string) => isUnambiguousUrl(cell) && !cell.includes('*');
  const isEntry = (cell: string, column: number) =>
    isUrl(cell) && below.some(({ cells }) => looksLikeUrl(cells[column] ?? ''));
  return rows[at]?.cells.some(isEntry) ?? false;
}

/** Some exports of ranks name a column after the site, so that a header may contain URLs. */
function isHeader(cells: string[]): boolean {
  if (isComment(cells)) return false;
  if (!cells.some(isColumnName)) return false;
  const data = cells.filter(isData).length;
  return cells.some(isMainColumnName) ? data * 2 < cells.length : data === 0;
}

/**
 * Returns whether rows of `text` form a table. Rows of only URLs, without a header, are lines with several entries.
 * Commas and spaces may be parts of sentences.
 */
function isTable(dialect: Dialect, text: string): boolean {
  const { delimiter, headerAt } = dialect;
  const body = getBody(dialect);
  const width = mostCommonWidth(body);
  const regular = body.filter(({ cells }) => cells.length === width);
  if (width < 2 || regular.length < body.length * equalWidthShareMin) return false;
  if (body.length === 1 && regular[0]?.cells.slice(1).some(isUnambiguousUrl)) return false;
  const cells = regular.map((row) => row.cells).slice(headerAt >= 0 ? 1 : 0);
  // A line of words below URLs, such as a wrong address, is not a header.
  if (cells.length === 0 || (delimiter === ' ' && headerAt > findStart(dialect.rows))) return false;
  if (cells.every((row) => row.every((cell) => cell === '' || looksLikeUrl(cell)))) return headerAt >= 0;
  if (delimiter === ' ') return regular.length === body.length && hasUrlColumn(cells);
  if (delimiter !== ',' || cells.some((row) => row.some(isData))) return true;
  // In sentences, a space follows each comma.
  const unquoted = text.replaceAll(/"[^"\n]*"/g, '');
  return body.length > 1 && regular.length === body.length && !/, /.test(unquoted);
}

/** Returns the rows from the header, or without one from the first row that does not begin with #, without titles. */
function getBody(table: TableHead): Row[] {
  const { rows, headerAt } = table;
  if (hasSections(table)) return rows.filter((row, at) => !isTitle(row, rows[at - 1]));
  return rows.slice(headerAt >= 0 ? headerAt : findStart(rows));
}

/**
 * Returns whether a table has sections instead of a header, as in Google Trends: titles are below all blank lines. In
 * other tables, a row of one cell is an entry without values.
 */
export function hasSections({ rows, headerAt }: TableHead): boolean {
  const titles = rows.filter((row, at) => isTitle(row, rows[at - 1]));
  const isRegular = (row: Row, at: number) =>
    at === 0 || (row.cells.length === 1) === isBelowBlank(row, rows[at - 1] as Row);
  const hasBlank = rows.some((row, at) => at > 0 && isBelowBlank(row, rows[at - 1] as Row));
  return headerAt < 0 && hasBlank && titles.length * 2 < rows.length && rows.every(isRegular);
}

/** Returns whether a row of a table with sections is the title of one. `above` is the row above it. */
export function isTitle(row: Row, above: Row | undefined): boolean {
  return row.cells.length === 1 && (!above || isBelowBlank(row, above));
}

/** Returns true for a header of another table: a row of words where `last`, a row of this table, has data. */
export function isOtherHeader(row: Row, last: Row, header: Row): boolean {
  const isOther = row.cells.some((cell, column) => cell !== header.cells[column]);
  return isOther && hasWords(row) && row.cells.some((_, column) => isData(last.cells[column] ?? ''));
}

export function isBelowBlank(row: Row, above: Row): boolean {
  return row.line > above.line + 1;
}

/** Returns whether a column contains only URLs; false if all rows begin with a list marker. */
function hasUrlColumn(cells: string[][]): boolean {
  if (cells.every(([first = '']) => marker.test(`${first} `))) return false;
  return (cells[0] ?? []).some((_, column) => cells.every((row) => isUnambiguousUrl(row[column] ?? '')));
}

function mostCommonWidth(rows: Row[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}

function widest(tables: Dialect[]): Dialect | null {
  const widthOf = (table: Dialect) => mostCommonWidth(getBody(table));
  return tables.toSorted((a, b) => widthOf(b) - widthOf(a))[0] ?? null;
}
