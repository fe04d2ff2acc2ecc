import { trimInvisible } from './address.ts';
import { isMissing, isNumber } from './dialect.ts';
import { type Field, type RankField, rankFields } from './fields.ts';
import type { LeftOutReason, ListEntry, ListKind } from './list.ts';
import type { Row } from './rows.ts';
import { type RankFields, readValue, toApiField } from './values.ts';

/**
 * Returns the entry of a row or the entries of a line, or why the row has no entry. `fields` are the columns of a
 * table; null for a line.
 */
export function toEntries(
  { line, cells }: Row,
  kind: ListKind,
  fields: Map<Field, number> | null,
): ListEntry[] | LeftOutReason {
  const cell = fields
    ? getCell(cells, fields.get(kind === 'urls' ? 'address' : 'keyword'))
    : (cells[0] ?? '');
  if (cell.startsWith('#') && isComment(cell, kind)) return 'comment';
  if (!fields) {
    const texts = kind === 'urls' ? splitAddresses(cell) : readKeyword(cell);
    return texts.map((text) => ({ line, text, rank: {} }));
  }
  if (cell === '') return 'blank';
  if (isPlaceholder(cell)) return 'placeholder';
  if (kind === 'urls') return [{ line, text: cell, rank: {} }];
  // Google Ads writes the match type of a keyword as brackets or quotes.
  const [, exact, phrase] = /^(?:\[([^[\]]+)\]|"([^"]+)")$/.exec(cell) ?? [];
  return [{ line, text: exact ?? phrase ?? cell, rank: readRankFields(cells, fields) }];
}

/** A keyword may be a hashtag. */
function isComment(cell: string, kind: ListKind): boolean {
  return kind === 'urls' || /^#(?:\s|$|[-=#*]{2})/.test(cell);
}

/** Returns whether tools write the cell for a missing or hidden value, or in a row of totals. */
function isPlaceholder(cell: string): boolean {
  const isHidden = /^(?:\((?:not set|not provided|other|none|direct|redacted)\)|-+|n\/a)$/i.test(cell);
  return isHidden || /^(?:grand )?total$/i.test(cell) || namedTotals.test(cell);
}

const total =
  '(?:grand )?totals?|sum|summe|gesamt(?:summe|ergebnis)?|insgesamt|total g[eé]n[eé]ral|somme|totale|totaal|suma|razem|итого|合計|总计';
const totals = new RegExp(`^(?:${total}):?$`, 'iu');
const namedTotals = new RegExp(`^(?:${total}): .{1,100}$`, 'iu');

/** Returns whether the last row of a table has totals: one of these words as its `text`, and otherwise only numbers. */
export function isTotal(text: string, cells: string[]): boolean {
  const others = cells.filter((cell) => cell !== text && !isMissing(cell));
  return totals.test(text) && others.length > 0 && others.every(isNumber);
}

function readRankFields(cells: string[], fields: Map<Field, number>): RankFields {
  const rank: RankFields = {};
  for (const field of rankFields) {
    const cell = field === 'keyword' ? '' : getCell(cells, fields.get(field));
    if (cell !== '') Object.assign(rank, readField(field, cell, rank));
  }
  return rank;
}

/** If another column has a different value for the same field, returns the cell as text, so that the API rejects it. */
function readField(field: RankField, cell: string, others: RankFields): RankFields {
  // Some columns of locations contain countries.
  const country = field === 'location' && cell.length > 2 ? readValue('country', cell) : null;
  const value = country ?? readValue(field, cell) ?? { [toApiField(field)]: cell };
  const isConflict = Object.entries(value).some(([name, one]) => name in others && others[name] !== one);
  return isConflict ? { [toApiField(field)]: cell } : value;
}

function getCell(cells: string[], index: number | undefined): string {
  return index === undefined ? '' : (cells[index] ?? '');
}

/** Splits a line before each http:// or https://. A comma without a URL after it may be part of a URL. */
function splitAddresses(line: string): string[] {
  // The lookbehind matches a gap only from its beginning, so that a long gap takes linear time.
  const parts = line.split(/(?<![\s,;"'])[\s,;"']+(?=https?:\/\/)/i);
  return parts.map((part) => trimInvisible(stripQuotes(trimInvisible(part)))).filter((part) => part !== '');
}

/** Removes the text after a URL with http:// or https://, which ends at the first white space. */
export function removeTextAfterUrl(text: string): string {
  const [url] = /^https?:\/\/\S+(?=\s)/i.exec(text) ?? [];
  return url === undefined ? text : stripQuotes(url);
}

/** Removes quotes, angle brackets, commas and semicolons around a URL. */
function stripQuotes(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && '"\'<'.includes(text.charAt(from))) from += 1;
  while (to > from && '"\'>,;'.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/** Removes quotes around a keyword and commas after it. Returns an empty list for a blank line. */
function readKeyword(line: string): string[] {
  let to = line.length;
  while (to > 0 && ',;'.includes(line.charAt(to - 1))) to -= 1;
  const text = trimInvisible(line.slice(0, to));
  const keyword = /^"[^"]*"$/.test(text) ? text.slice(1, -1).trim() : text;
  return keyword === '' ? [] : [keyword];
}
