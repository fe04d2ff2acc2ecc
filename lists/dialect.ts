import { isUnambiguousUrl, looksLikeUrl } from './address.ts';
import { isColumnName, isMainColumnName } from './fields.ts';
import { ListError } from './list-error.ts';
import { type Row, readRows } from './rows.ts';

/** Format of a list, detected from its beginning. */
export interface Dialect {
  /** Null for one entry per line. */
  delimiter: string | null;
  /** First rows in this format. */
  rows: Row[];
  /** Index of the header in `rows`; -1 without one. Rows before it are notes about the table. */
  headerAt: number;
}

const delimiters = ['\t', ';', ',', '|'];
const sampleRowsMax = 200;
// Some exports have notes above the header.
const headerRowsMax = 6;
const equalWidthShareMin = 0.8;

/** Detects the delimiter: parses the first rows with each delimiter and compares the tables. */
export async function detectDialect(sample: string, isWhole: boolean): Promise<Dialect> {
  const text = isWhole ? sample : sample.slice(0, sample.lastIndexOf('\n') + 1) || sample;
  const tables: Dialect[] = [];
  for (const delimiter of delimiters) {
    if (text.includes(delimiter)) tables.push(await parseAs(delimiter, text));
  }
  const named = tables.filter(({ rows, headerAt }) => (rows[headerAt]?.cells.length ?? 0) > 1);
  const best = widest(named.filter(({ rows, headerAt }) => rows[headerAt]?.cells.some(isMainColumnName)));
  if (best) return best;
  const list = await parseAs(null, text);
  if (list.headerAt === 0) return list;
  return widest(tables.filter(isTable)) ?? list;
}

async function parseAs(delimiter: string | null, text: string): Promise<Dialect> {
  const rows = await readFirstRows(text, delimiter);
  return { delimiter, rows, headerAt: findHeader(rows, delimiter) };
}

async function readFirstRows(text: string, delimiter: string | null): Promise<Row[]> {
  const rows: Row[] = [];
  try {
    for await (const row of readRows([text], delimiter)) {
      if (rows.push(row) === sampleRowsMax) break;
    }
  } catch (error) {
    // The error is reported later, when the whole list is read.
    if (!(error instanceof ListError)) throw error;
  }
  return rows;
}

/** Finds the header by known column names, or takes a first row of words above numbers and URLs. */
function findHeader(rows: Row[], delimiter: string | null): number {
  const [first, ...below] = rows;
  if (!first) return -1;
  if (delimiter === null) return first.cells.some(isMainColumnName) ? 0 : -1;
  const named = rows.slice(0, headerRowsMax).findIndex(({ cells }) => isHeader(cells));
  if (named >= 0) return named;
  const isAboveData = (cell: string, column: number) => {
    const others = below.map(({ cells }) => cells[column] ?? '').filter((other) => other !== '');
    return cell !== '' && !isData(cell) && others.length > 0 && others.every(isData);
  };
  return first.cells.some(isAboveData) ? 0 : -1;
}

function isHeader(cells: string[]): boolean {
  return cells.some((cell) => isColumnName(cell)) && !cells.some((cell) => isData(cell));
}

function isData(cell: string): boolean {
  return looksLikeUrl(cell) || /^[-+]?[\d.,\s]+%?$/.test(cell);
}

/**
 * Returns whether rows form a table. Rows of only URLs, without a header, are lines with several entries. Commas may be
 * parts of sentences.
 */
function isTable({ delimiter, rows, headerAt }: Dialect): boolean {
  const width = mostCommonWidth(rows);
  const regular = rows.filter(({ cells }) => cells.length === width);
  if (width < 2 || regular.length < rows.length * equalWidthShareMin) return false;
  if (rows.length === 1 && regular[0]?.cells.slice(1).some(isUnambiguousUrl)) return false;
  const cells = regular.filter((_, at) => at !== headerAt).map((row) => row.cells);
  if (cells.every((row) => row.every((cell) => cell === '' || looksLikeUrl(cell)))) return headerAt >= 0;
  return delimiter !== ',' || cells.some((row) => row.some(isData));
}

function mostCommonWidth(rows: Row[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}

function widest(tables: Dialect[]): Dialect | null {
  return tables.toSorted((a, b) => mostCommonWidth(b.rows) - mostCommonWidth(a.rows))[0] ?? null;
}
