import { stringify } from 'csv-stringify/sync';
import type { BatchRow } from '../../../db/batches/batches.ts';
import type { Include } from '../include.ts';
import type { ResultBody, ResultFormat } from './stream.ts';
import { createTable } from './table.ts';

/** CSV with a header and one line per result. Its columns depend on the check type. */
export function toCsv(batch: Pick<BatchRow, 'type' | 'reference'>, include?: Include): ResultFormat {
  const { columns, toCells } = createTable(batch, include);
  const lines = (page: ResultBody[], header: boolean) =>
    stringify(page.map(toCells), { columns, header, cast, escape_formulas: true, quoted_match: quotedMatch });
  return async function* (pages) {
    yield lines([], true);
    for await (const page of pages) yield lines(page, false);
  };
}

const cast = { boolean: String, string: escapeFormulas };

/** Texts to quote, because some spreadsheets also split cells at semicolons and tabs. */
export const quotedMatch = /[;\t]/;

/**
 * Prefixes formulas with an apostrophe, so that spreadsheets do not run them. Unlike escape_formulas, it ignores
 * leading white space and control characters, and checks every line of a cell and the text after each semicolon and
 * tab. Works piece by piece, because a single regular expression takes quadratic time on a text of line breaks.
 */
export function escapeFormulas(text: string): string {
  const lines = cellBreak.test(text) ? text.split(/(?<=[\n;\t]|\r(?!\n)|[\u2028\u2029])/) : [text];
  return lines.map((line) => (formulaSigns.has(firstVisible(line)) ? `'${line}` : line)).join('');
}

const cellBreak = /[\n\r\u2028\u2029;\t]/;

// Including full-width forms, which some spreadsheets treat alike.
const formulaSigns = new Set('=+-@\uff1d\uff0b\uff0d\uff20');

function firstVisible(line: string): string {
  return line.charAt(line.search(/[^\s\p{Cc}\p{Cf}]/u));
}
