import { stringify } from 'csv-stringify/sync';
import { timestamp } from '../../../wire/bodies.ts';
import type { Format } from './stream.ts';
import type { Cell, Column } from './table.ts';

interface CsvStyle {
  /** Language tag such as `de`: the file has the separators of spreadsheets in this language. */
  locale?: string;
  /** For spreadsheets that do not recognize UTF-8 in a CSV without a byte order mark. */
  hasByteOrderMark?: boolean;
}

/** CSV with a header and one line per row. */
export function toCsv<Row>(
  columns: Column<Row>[],
  { locale, hasByteOrderMark = false }: CsvStyle = {},
): Format<Row> {
  const decimal = locale === undefined ? '.' : getDecimalSeparator(locale);
  const delimiter = decimal === ',' ? ';' : ',';
  const toText = (cell: Cell): string => {
    if (typeof cell === 'string') return escapeFormulas(cell, delimiter);
    if (typeof cell === 'number') return String(cell).replace('.', decimal);
    if (cell instanceof Date) return locale === undefined ? timestamp(cell) : toLocalTime(cell);
    return cell === null ? '' : String(cell);
  };
  const toLines = (rows: Cell[][]) =>
    stringify(
      rows.map((row) => row.map(toText)),
      { delimiter, quoted_match: quotedMatch },
    );
  return async function* (pages) {
    yield (hasByteOrderMark ? '\ufeff' : '') + toLines([columns.map(({ name }) => name)]);
    for await (const page of pages) yield toLines(page.map((row) => columns.map((one) => one.toCell(row))));
  };
}

/** Returns the decimal separator of a language, which also decides the separator of cells in its spreadsheets. */
function getDecimalSeparator(locale: string): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(0.5);
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.';
}

/** Formats a time in UTC as `2026-11-20 09:41:05`, which spreadsheets in all languages read as a date. */
function toLocalTime(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', ' ');
}

/** Texts to quote, because some spreadsheets also split cells at semicolons and tabs. */
export const quotedMatch = /[;\t]/;

/**
 * Prefixes formulas with an apostrophe, so that spreadsheets do not run them. Ignores leading white space and control
 * characters. Checks every line of a cell, and the text after each separator of cells other than `delimiter`. Works
 * piece by piece, because a single regular expression takes quadratic time on a text of line breaks.
 */
export function escapeFormulas(text: string, delimiter: ',' | ';' = ','): string {
  const lines = text.split(delimiter === ',' ? afterBreak : afterBreakOrComma);
  const safe = lines.map((line) => (formulaSigns.has(firstVisible(line)) ? `'${line}` : line)).join('');
  return /^[\t\r]/.test(safe) ? `'${safe}` : safe;
}

const afterBreak = /(?<=[\n;\t\u2028\u2029]|\r(?!\n))/;
const afterBreakOrComma = /(?<=[\n,;\t\u2028\u2029]|\r(?!\n))/;

// Some spreadsheets also accept the full-width forms of these signs.
const formulaSigns = new Set('=+-@\uff1d\uff0b\uff0d\uff20');

function firstVisible(line: string): string {
  return line.charAt(line.search(/[^\s\p{Cc}\p{Cf}]/u));
}
