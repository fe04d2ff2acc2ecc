import { stringify } from 'csv-stringify/sync';
import { escapeFormulas } from '../../../lists/formulas.ts';
import { timestamp } from '../../../wire/bodies.ts';
import type { Format } from './stream.ts';
import type { Cell, Column } from './table.ts';

export interface CsvStyle {
  /**
   * Language tag such as `de`. Spreadsheets in this language expect its separators. Default: comma and decimal point.
   */
  locale?: string;
  /** For spreadsheets that do not recognize UTF-8 in a CSV without a byte order mark. */
  hasByteOrderMark?: boolean;
}

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

/** Returns the decimal separator of a language. With a decimal comma, spreadsheets expect semicolons between cells. */
function getDecimalSeparator(locale: string): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(0.5);
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.';
}

/** Formats a time in UTC as `2026-11-20 09:41:05`, which spreadsheets in all languages read as a date. */
function toLocalTime(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', ' ');
}

/** Texts to quote, because some spreadsheets also split a line at semicolons and tabs. */
const quotedMatch = /[;\t]/;
