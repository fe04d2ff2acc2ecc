import { finished } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { trimInvisible } from './address.ts';
import { ListError } from './list-error.ts';
import { stripMarkers } from './markers.ts';
import type { Pieces } from './pieces.ts';

/** A row of a table, or a line of a list as a single cell. */
export interface Row {
  /** Number of the line in which the row ends, from 1. */
  line: number;
  cells: string[];
}

const lineLengthMax = 64 * 1024;
export const columnsMax = 500;
/** Empty lines take time, too. */
const linesMax = 500_000;

/** Yields rows of a table (RFC 4180), or lines of a list without markers. Skips empty ones. Throws ListError. */
export function readRows(pieces: Pieces, delimiter: string | null): AsyncGenerator<Row> {
  return delimiter === null ? stripMarkers(readLines(pieces)) : readTable(pieces, delimiter);
}

/** Yields lines, even empty ones. */
export async function* readLines(pieces: Pieces): AsyncGenerator<Row> {
  let line = 1;
  let rest = '';
  for await (const piece of boundedLines(pieces)) {
    const parts = (rest + piece).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) yield { line: line++, cells: [trimInvisible(part)] };
  }
  yield { line, cells: [trimInvisible(rest)] };
}

async function* readTable(pieces: Pieces, delimiter: string): AsyncGenerator<Row> {
  const rows: Row[] = [];
  let lastLine = 0;
  const parser = parse({
    delimiter,
    max_record_size: lineLengthMax,
    record_delimiter: '\n',
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
    on_record: (cells: string[], { lines }) => {
      rows.push({ line: lines, cells });
      return null;
    },
  });
  // Errors are thrown below, after the rows that precede them.
  parser.on('error', () => {}).resume();
  for await (const piece of boundedLines(pieces)) {
    parser.write(piece);
    lastLine = rows.at(-1)?.line ?? lastLine;
    for (const row of rows.splice(0)) yield toRow(row);
    if (parser.errored) throw toListError(parser.errored, lastLine + 1);
  }
  const end = await finished(parser.end()).catch((error: unknown) => error);
  lastLine = rows.at(-1)?.line ?? lastLine;
  for (const row of rows) yield toRow(row);
  if (end) throw toListError(end, lastLine + 1);
}

function toRow({ line, cells }: Row): Row {
  if (cells.length <= columnsMax) return { line, cells: cells.map(trimInvisible) };
  throw new ListError(`Line ${line} has more than ${columnsMax} columns.`);
}

/**
 * Yields the text with LF line ends. Throws ListError for too many lines, and for a line that is too long, which limits
 * the memory of a row.
 */
async function* boundedLines(pieces: Pieces): AsyncGenerator<string> {
  let line = 1;
  let lengthSoFar = 0;
  let pendingCr = '';
  for await (const piece of pieces) {
    // A piece may end between CR and LF.
    const both = pendingCr + piece;
    pendingCr = both.endsWith('\r') ? '\r' : '';
    const text = both.slice(0, both.length - pendingCr.length).replaceAll(/\r\n?/g, '\n');
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      requireLength(lengthSoFar + end - from, line);
      line += 1;
      if (line > linesMax) throw new ListError('The list has more than 500,000 lines.');
      lengthSoFar = 0;
      from = end + 1;
    }
    lengthSoFar += text.length - from;
    requireLength(lengthSoFar, line);
    yield text;
  }
}

function requireLength(length: number, line: number): void {
  if (length > lineLengthMax) throw new ListError(`Line ${line} is longer than 65,536 characters.`);
}

function toListError(error: unknown, line: number): unknown {
  if (!(error instanceof CsvError)) return error;
  const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE';
  return new ListError(`Line ${line}: ${isOpen ? 'a quote is not closed.' : 'this row cannot be read.'}`);
}
