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
  const splitter = new RowSplitter(delimiter);
  for await (const piece of boundedLines(pieces)) yield* splitter.split(piece);
  yield* splitter.split('\n');
  splitter.end();
}

/**
 * Splits text into rows (RFC 4180), in linear time for any text. Rows may have different widths, and a quote within a
 * cell is part of it.
 */
class RowSplitter {
  /** Finds a delimiter, line end or quote. */
  readonly #special: RegExp;
  #cells: string[] = [];
  #cell = '';
  /** `blank`: only white space so far. `closing`: after a quote that ends a cell, unless another quote follows. */
  #state: 'blank' | 'plain' | 'quoted' | 'closing' = 'blank';
  #line = 1;
  /** First line, and length so far, of the current row. */
  #firstLine = 1;
  #length = 0;

  constructor(delimiter: string) {
    this.#special = new RegExp(`[\\n"${delimiter}]`, 'g');
  }

  *split(text: string): Generator<Row> {
    let at = 0;
    while (at < text.length) {
      this.#special.lastIndex = at;
      // `exec` would create an array for each of millions of quotes.
      const next = this.#special.test(text) ? this.#special.lastIndex - 1 : text.length;
      if (next > at) this.#addText(text.slice(at, next));
      const char = text.charAt(next);
      this.#length += next - at + char.length;
      at = next + 1;
      if (char === '\n') this.#line += 1;
      if (char === '"') this.#addQuote();
      else if (this.#state === 'quoted') this.#addText(char);
      else if (char !== '') this.#endCell();
      if (char === '\n' && this.#state !== 'quoted') yield* this.#endRow();
      if (this.#length > lineLengthMax) throw notClosed(this.#firstLine);
    }
  }

  /** Throws if a quotation mark is not closed. */
  end(): void {
    if (this.#state === 'quoted') throw notClosed(this.#firstLine);
  }

  #addText(text: string): void {
    if (this.#state !== 'quoted' && text.trim() !== '') {
      // In `"a" b`, the quotes belong to the text.
      if (this.#state === 'closing') this.#cell = `"${this.#cell}"`;
      this.#state = 'plain';
    }
    if (this.#state !== 'closing') this.#cell += text;
  }

  #addQuote(): void {
    if (this.#state === 'quoted') this.#state = 'closing';
    else if (this.#state === 'plain') this.#cell += '"';
    else {
      this.#cell = this.#state === 'closing' ? `${this.#cell}"` : '';
      this.#state = 'quoted';
    }
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = '';
    this.#state = 'blank';
  }

  *#endRow(): Generator<Row> {
    const row = { line: this.#line - 1, cells: this.#cells };
    this.#cells = [];
    this.#length = 0;
    this.#firstLine = this.#line;
    if (row.cells.length > 1 || row.cells[0]?.trim() !== '') yield toRow(row);
  }
}

function toRow({ line, cells }: Row): Row {
  if (cells.length <= columnsMax) return { line, cells: cells.map(toCell) };
  throw new ListError(`Line ${line} has more than ${columnsMax} columns. Remove columns.`);
}

/** Returns the target of a link that a tool has written as a formula for spreadsheets. */
function toCell(cell: string): string {
  const [, target] = (cell.startsWith('=') && linkFormula.exec(cell.slice(1))) || [];
  return trimInvisible(target ?? cell);
}

/** Matches only a complete URL, which no `&` continues. */
export const linkFormula = /^HYPERLINK\("(https?:\/\/[^"]+)"\s*[,;)]/i;

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
      if (line > linesMax) throw new ListError('The list has more than 500,000 lines. Split it.');
      lengthSoFar = 0;
      from = end + 1;
    }
    lengthSoFar += text.length - from;
    requireLength(lengthSoFar, line);
    yield text;
  }
}

function requireLength(length: number, line: number): void {
  if (length > lineLengthMax)
    throw new ListError(
      `Line ${line} is longer than 65,536 characters. Check that the list has line breaks.`,
    );
}

function notClosed(line: number): ListError {
  return new ListError(`Line ${line}: a quotation mark is not closed. Close it, or export the table again.`);
}
