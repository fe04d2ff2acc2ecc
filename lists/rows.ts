import { trimInvisible } from './address.ts';
import { toCellText, toMarkdownText } from './cells.ts';
import { ListError } from './list-error.ts';
import type { Pieces } from './pieces.ts';

/** A row of a table, or a line of a list as a single cell. */
export interface Row {
  /** Number of the line in which the row ends, from 1. */
  line: number;
  cells: string[];
}

const lineLengthMax = 64 * 1024;
export const columnsMax = 500;
/** Includes empty lines, which take time, too. */
const linesMax = 500_000;

/** Yields rows of a table (RFC 4180), or lines of a list without markers. Skips empty ones. Throws ListError. */
export function readRows(pieces: Pieces, delimiter: string | null): AsyncGenerator<Row> {
  if (delimiter === null) return stripMarkers(readLines(pieces));
  return delimiter === '|' ? stripMarkdown(readTable(pieces, delimiter)) : readTable(pieces, delimiter);
}

const bullet = /^[•‣◦▪●·*–—-]\s+/;
const number = /^\d{1,6}[.)]\s+/;
/** A bullet or a number at the beginning of a line. */
export const marker = new RegExp(`${bullet.source}|${number.source}`);

/**
 * Yields lines without bullets. Removes numbers only from lines that count up from the first line, because keywords may
 * begin with a number. Skips empty lines.
 */
async function* stripMarkers(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  /** The next number; null after a line without it. */
  let expected: number | null = 1;
  // Number 1 is removed only if number 2 follows.
  let first: Row | null = null;
  for await (const row of rows) {
    const text = row.cells[0] ?? '';
    if (text === '') continue;
    const isNumbered: boolean = number.test(text) && Number.parseInt(text, 10) === expected;
    if (first) yield isNumbered ? strip(first, number) : strip(first);
    first = isNumbered && expected === 1 ? row : null;
    expected = isNumbered && expected !== null ? expected + 1 : null;
    if (!first) yield isNumbered ? strip(row, number) : strip(row);
  }
  if (first) yield strip(first);
}

function strip({ line, cells: [text = ''] }: Row, marker = bullet): Row {
  return { line, cells: [text.replace(marker, '')] };
}

/** Yields rows without the dashes below the header of a Markdown table. From there on, its cells have no Markdown. */
async function* stripMarkdown(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  let isMarkdown = false;
  let above: Row | null = null;
  const toText = (row: Row) => (isMarkdown ? { ...row, cells: row.cells.map(toMarkdownText) } : row);
  for await (const row of rows) {
    if (above && isDashes(row)) isMarkdown = true;
    else {
      if (above) yield toText(above);
      above = row;
    }
  }
  if (above) yield toText(above);
}

/** Returns whether a row aligns the columns of a Markdown table, such as `| :--- | ---: |`. */
function isDashes({ cells }: Row): boolean {
  const filled = cells.filter((cell) => cell !== '');
  return filled.length > 0 && filled.every((cell) => /^:?-+:?$/.test(cell));
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
  /** Finds a delimiter or line end. */
  readonly #end: RegExp;
  /** Finds a delimiter, line end or quote. */
  readonly #special: RegExp;
  #cells: string[] = [];
  #cell = '';
  /** White space behind the quote that may end a cell. */
  #gap = '';
  /** `blank`: only white space so far. `closing`: after a quote that ends a cell, unless another quote follows. */
  #state: 'blank' | 'plain' | 'quoted' | 'closing' = 'blank';
  #line = 1;
  /** First line, and length so far, of the current row. */
  #firstLine = 1;
  #length = 0;

  constructor(delimiter: string) {
    this.#end = new RegExp(`[\\n${delimiter}]`, 'g');
    this.#special = new RegExp(`[\\n"${delimiter}]`, 'g');
  }

  *split(text: string): Generator<Row> {
    let at = 0;
    while (at < text.length) {
      const next = this.#findNext(text, at);
      if (next > at) this.#addText(text.slice(at, next));
      const char = text.charAt(next);
      const end = char === '"' ? findEndOfQuotes(text, next) : next + 1;
      this.#length += end - at;
      at = end;
      if (char === '"') this.#addQuotes(end - next);
      else if (char !== '') this.#endCell();
      if (char === '\n') {
        this.#line += 1;
        yield* this.#endRow();
      }
      if (this.#length > lineLengthMax) throw notClosed(this.#firstLine);
    }
  }

  /** Returns the index of the next character that matters in the current cell, or the end of the text. */
  #findNext(text: string, from: number): number {
    if (this.#state === 'quoted') {
      const quote = text.indexOf('"', from);
      return quote < 0 ? text.length : quote;
    }
    const special = this.#state === 'plain' ? this.#end : this.#special;
    special.lastIndex = from;
    return special.exec(text)?.index ?? text.length;
  }

  end(): void {
    if (this.#state === 'quoted') throw notClosed(this.#firstLine);
  }

  #addText(text: string): void {
    if (this.#state === 'quoted') {
      this.#cell += text;
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#line += 1;
    } else if (this.#state === 'closing') {
      this.#gap += text;
      if (text.trim() !== '') this.#reopen();
    } else {
      this.#cell += text;
      if (text.trim() !== '') this.#state = 'plain';
    }
  }

  /** Adds adjacent quotes. Two of them within a quoted cell are one. */
  #addQuotes(count: number): void {
    if (this.#state === 'closing' && this.#gap !== '') this.#reopen();
    if (this.#state === 'plain') {
      this.#cell += '"'.repeat(count);
      return;
    }
    let inner = count;
    if (this.#state === 'blank') {
      this.#cell = '';
      inner -= 1;
    } else if (this.#state === 'closing') inner += 1;
    this.#cell += '"'.repeat(inner >> 1);
    this.#state = inner % 2 === 0 ? 'quoted' : 'closing';
  }

  /** In `"a" b`, the quotes belong to the text. */
  #reopen(): void {
    this.#cell = `"${this.#cell}"${this.#gap}`;
    this.#gap = '';
    this.#state = 'plain';
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = '';
    this.#gap = '';
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

function findEndOfQuotes(text: string, from: number): number {
  let end = from;
  while (text.charCodeAt(end) === 0x22) end += 1;
  return end;
}

function toRow({ line, cells }: Row): Row {
  if (cells.length <= columnsMax) return { line, cells: cells.map(toCellText) };
  throw new ListError(`Line ${line} has more than ${columnsMax} columns. Remove columns.`);
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
