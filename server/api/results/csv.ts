import { stringify } from 'csv-stringify/sync';
import type { BatchRow } from '../../../db/batches.ts';
import { type CheckType, checkTypes } from '../../../schemas/check-types.ts';
import type { Include } from '../include.ts';
import type { Format, ResultBody } from './stream.ts';

/** A table for a spreadsheet: a header, then one line to the result; its columns differ by type. */
export function csvOf({ type, reference }: Pick<BatchRow, 'type' | 'reference'>, include?: Include): Format {
  const columns = columnsOf(type, include);
  const lines = (page: ResultBody[], header: boolean) =>
    stringify(
      page.map((body) => ({ ...body, ...evidenceOf(body), reference })),
      { columns, header, cast, escape_formulas: true },
    );
  return async function* (pages) {
    yield lines([], true);
    for await (const page of pages) yield lines(page, false);
  };
}

const always = ['error', 'message', 'credits', 'request_id', 'checked_at', 'reference'];

/** What was asked and what was found, by the schemas of its type; what every result has comes after. */
function columnsOf(type: CheckType, include?: Include): string[] {
  const { input, answer } = checkTypes[type];
  const hidden = [
    ...always,
    ...(include?.evidence ? [] : ['asked']),
    ...(include?.results ? [] : ['results']),
  ];
  const answered = Object.keys(answer.properties).filter((name) => !hidden.includes(name));
  return [...Object.keys(input.properties), 'state', ...answered, ...always];
}

/** What is a list in JSON, in one cell. */
function evidenceOf(body: ResultBody): Record<string, string> {
  const cells = Object.entries(inOneCell).map(([name, [toText, separator]]) => {
    const list = (body[name] ?? []) as Entry[];
    return [name, list.map(toText).join(separator)];
  });
  return Object.fromEntries(cells);
}

// biome-ignore lint/suspicious/noExplicitAny: each cell knows the entries of its own list
type Entry = any;

const inOneCell: Record<string, [toText: (entry: Entry) => string, separator: string]> = {
  redirects: [({ url, status }) => `${status} ${url}`, ' -> '],
  soft404_reasons: [String, '; '],
  competitor_urls: [String, '; '],
  include: [String, '; '],
  competitors: [({ url, rank }) => `${url} ${rank ?? '-'}`, '; '],
  asked: [({ query, provider, results }) => `${query} (${provider}: ${results})`, '; '],
  results: [({ position, url }) => `${position} ${url}`, '; '],
};

const cast = { boolean: String, string: disarm };

/**
 * Spreadsheets run what begins like a formula, and some look past white space and control characters, or at
 * every line of a cell; escape_formulas looks at the first character of a cell only. Line by line, since one
 * expression for all of it takes quadratic time on an entry of nothing but line breaks.
 */
function disarm(text: string): string {
  const lines = lineBreak.test(text) ? text.split(/(?<=\n|\r(?!\n)|[\u2028\u2029])/) : [text];
  return lines.map((line) => (formulaSigns.has(firstVisible(line)) ? `'${line}` : line)).join('');
}

const lineBreak = /[\n\r\u2028\u2029]/;

// With the full-width forms, which some spreadsheets read as the plain ones.
const formulaSigns = new Set('=+-@\uff1d\uff0b\uff0d\uff20');

function firstVisible(line: string): string {
  return line.charAt(line.search(/[^\s\p{Cc}\p{Cf}]/u));
}
