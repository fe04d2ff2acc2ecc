import { stringify } from 'csv-stringify/sync';
import type { BatchRow } from '../../../db/batches/batches.ts';
import type { Include } from '../include.ts';
import type { Format, ResultBody } from './stream.ts';
import { tableOf } from './table.ts';

/** A table for a spreadsheet: a header, then one line to the result; its columns differ by type. */
export function csvOf(batch: Pick<BatchRow, 'type' | 'reference'>, include?: Include): Format {
  const { columns, cellsOf } = tableOf(batch, include);
  const lines = (page: ResultBody[], header: boolean) =>
    stringify(page.map(cellsOf), { columns, header, cast, escape_formulas: true, quoted_match: quotedMatch });
  return async function* (pages) {
    yield lines([], true);
    for await (const page of pages) yield lines(page, false);
  };
}

const cast = { boolean: String, string: disarm };

/** Some spreadsheets separate cells by semicolons or tabs, unless a cell is in quotes. */
export const quotedMatch = /[;\t]/;

/**
 * Spreadsheets run what begins like a formula. Some look past white space and control characters, at every line of a
 * cell, or at what follows a semicolon or a tab, which separate cells for some; escape_formulas looks at the
 * first character of a cell only. Piece by piece, since one expression for all of it takes quadratic time on an entry
 * of nothing but line breaks.
 */
export function disarm(text: string): string {
  const lines = cellBreak.test(text) ? text.split(/(?<=[\n;\t]|\r(?!\n)|[\u2028\u2029])/) : [text];
  return lines.map((line) => (formulaSigns.has(firstVisible(line)) ? `'${line}` : line)).join('');
}

const cellBreak = /[\n\r\u2028\u2029;\t]/;

// With the full-width forms, which some spreadsheets read as the plain ones.
const formulaSigns = new Set('=+-@\uff1d\uff0b\uff0d\uff20');

function firstVisible(line: string): string {
  return line.charAt(line.search(/[^\s\p{Cc}\p{Cf}]/u));
}
