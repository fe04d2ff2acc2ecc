import { isLikeAddress, isSurelyAddress } from './address.ts';
import { isMainName, isName } from './fields.ts';
import { ListError } from './list-error.ts';
import { type Row, rowsOf } from './rows.ts';

/** How a text is laid out, as far as its beginning tells. */
export interface Dialect {
  /** What separates columns; null for an entry per line. */
  delimiter: string | null;
  /** The first rows, read that way. */
  rows: Row[];
  /** Which of them names the columns; -1 when none does. What stands before it is about the table, not of it. */
  headerAt: number;
}

const delimiters = ['\t', ';', ',', '|'];
const rowsJudged = 200;
// Some exports say above the header what they are of.
const headerRowsMax = 6;
const likenessMin = 0.8;

/** Finds what separates columns by what it makes of the first rows. */
export async function dialectOf(sample: string, isWhole: boolean): Promise<Dialect> {
  const text = isWhole ? sample : sample.slice(0, sample.lastIndexOf('\n') + 1) || sample;
  const tables: Dialect[] = [];
  for (const delimiter of delimiters) {
    if (text.includes(delimiter)) tables.push(await readAs(delimiter, text));
  }
  const named = tables.filter(({ rows, headerAt }) => (rows[headerAt]?.cells.length ?? 0) > 1);
  const best = widest(named.filter(({ rows, headerAt }) => rows[headerAt]?.cells.some(isMainName)));
  if (best) return best;
  const list = await readAs(null, text);
  if (list.headerAt === 0) return list;
  return widest(tables.filter(isTable)) ?? list;
}

async function readAs(delimiter: string | null, text: string): Promise<Dialect> {
  const rows = await firstRows(text, delimiter);
  return { delimiter, rows, headerAt: headerOf(rows, delimiter) };
}

async function firstRows(text: string, delimiter: string | null): Promise<Row[]> {
  const rows: Row[] = [];
  try {
    for await (const row of rowsOf([text], delimiter)) {
      if (rows.push(row) === rowsJudged) break;
    }
  } catch (error) {
    // What is cut off or out of place further down is told when it is read.
    if (!(error instanceof ListError)) throw error;
  }
  return rows;
}

/** Known by a name in it, or by what it is not: figures and addresses stand below, and words above. */
function headerOf(rows: Row[], delimiter: string | null): number {
  const [first, ...below] = rows;
  if (!first) return -1;
  if (delimiter === null) return first.cells.some(isMainName) ? 0 : -1;
  const named = rows.slice(0, headerRowsMax).findIndex(({ cells }) => isNamed(cells));
  if (named >= 0) return named;
  const isUnlike = (cell: string, column: number) => {
    const others = below.map(({ cells }) => cells[column] ?? '').filter((other) => other !== '');
    return cell !== '' && !isTelling(cell) && others.length > 0 && others.every(isTelling);
  };
  return first.cells.some(isUnlike) ? 0 : -1;
}

function isNamed(cells: string[]): boolean {
  return cells.some((cell) => isName(cell)) && !cells.some((cell) => isTelling(cell));
}

function isTelling(cell: string): boolean {
  return isLikeAddress(cell) || /^[-+]?[\d.,\s]+%?$/.test(cell);
}

/** Columns of one kind side by side are a list that somebody wrote in lines; commas are in sentences, too. */
function isTable({ delimiter, rows, headerAt }: Dialect): boolean {
  const width = usualWidth(rows);
  const alike = rows.filter(({ cells }) => cells.length === width);
  if (width < 2 || alike.length < rows.length * likenessMin) return false;
  if (rows.length === 1 && alike[0]?.cells.slice(1).some(isSurelyAddress)) return false;
  const cells = alike.filter((_, at) => at !== headerAt).map((row) => row.cells);
  if (cells.every((row) => row.every((cell) => cell === '' || isLikeAddress(cell)))) return headerAt >= 0;
  return delimiter !== ',' || cells.some((row) => row.some(isTelling));
}

function usualWidth(rows: Row[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}

function widest(tables: Dialect[]): Dialect | null {
  return tables.toSorted((a, b) => usualWidth(b.rows) - usualWidth(a.rows))[0] ?? null;
}
