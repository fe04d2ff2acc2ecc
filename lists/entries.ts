import { isHost, joinToHost, lacksScheme, trimInvisible } from './address.ts';
import {
  isMissing,
  isNumber,
  isPageRequest,
  isUrlOrPath,
  readMarkdownLink,
  readRequestLine,
} from './cells.ts';
import type { Layout } from './columns.ts';
import { findCountry } from './countries.ts';
import { type Field, type RankField, type RankFields, rankFields } from './fields.ts';
import { type LeftOutReason, type ListEntry, type ListKind, valueLengthMax } from './list.ts';
import type { Row } from './rows.ts';
import { readValue } from './values.ts';

/** Returns the entry of a row or the entries of a line, or why the row has no entry. `layout` is null for a line. */
export function toEntries(
  { line, cells }: Row,
  kind: ListKind,
  layout: Pick<Layout, 'fields' | 'hasRequests' | 'regexAt'> | null,
): ListEntry[] | LeftOutReason {
  const fields = layout?.fields;
  const cell = fields
    ? getCell(cells, fields.get(kind === 'urls' ? 'address' : 'keyword')).slice(0, valueLengthMax)
    : (cells[0] ?? '');
  if (cell.startsWith('#') && isComment(cell, kind) && isAlone(cells)) return 'comment';
  if (!fields) {
    if (hasNoValue(cell)) return 'placeholder';
    const texts = kind === 'urls' ? splitAddresses(cell) : readKeyword(cell);
    return texts.map((text) => ({ line, text: text.slice(0, valueLengthMax), rank: {} }));
  }
  if (cell === '') return 'blank';
  if (isPlaceholder(cell, kind, cells)) return 'placeholder';
  if (kind === 'urls') {
    if (/^(?:regex|1|true)$/i.test(getCell(cells, layout.regexAt))) return 'regex';
    const request = readRequestLine(cell);
    // Some clients send other protocols, such as the start of TLS to a port without it.
    if (request ? !isPageRequest(request.method, request.target) : layout.hasRequests && !isUrlOrPath(cell))
      return 'not_get';
    const text = request?.target ?? cell;
    const texts = text.includes('://', text.indexOf('://') + 1) ? splitAddresses(text) : [text];
    const host = getCell(cells, fields.get('host'));
    return texts.map((text) => ({ line, text: addHost(text, host), rank: {} }));
  }
  // Google Ads writes the match type of a keyword as brackets or quotes.
  const [, exact, phrase] = /^(?:\[([^[\]]+)\]|"([^"]+)")$/.exec(cell) ?? [];
  return [{ line, text: exact ?? phrase ?? cell, rank: readRankFields(cells, fields) }];
}

function addHost(path: string, host: string): string {
  // The slashes show that the text is a URL without a scheme, and not a path.
  return isHost(host) ? joinToHost(lacksScheme(host) ? `//${host}` : host, path) : path;
}

/** Returns whether no other cell of the row is filled. */
function isAlone(cells: string[]): boolean {
  return cells.filter((cell) => cell !== '').length === 1;
}

/** A keyword may be a hashtag. */
function isComment(cell: string, kind: ListKind): boolean {
  return kind === 'urls' || /^#(?:\s|$|[-=#*]{2})/.test(cell);
}

/** Returns whether Google Analytics or a pivot table writes the text for a missing value. */
function hasNoValue(text: string): boolean {
  return /^\((?:not set|not provided|(?:data )?not available|other|none|direct|redacted|blank|leer)\)$/i.test(
    text,
  );
}

/** Values of Yandex Metrica that are not keywords beside numbers: undefined, and totals and averages. */
const metricaPlaceholders = /^(?:не определено|итого и средние)$/i;

/**
 * Returns whether tools write the cell for a missing or hidden value, or a total. `total` may be a keyword, so a total
 * of keywords needs `--` and numbers in all other cells, as in exports of Google Ads, or their sum: see `isTotal`.
 */
function isPlaceholder(cell: string, kind: ListKind, cells: string[]): boolean {
  if (hasNoValue(cell) || isMissing(cell)) return true;
  if (metricaPlaceholders.test(cell) && cells.length > 1 && areNumbers(cells, cell)) return true;
  if (!isTotalName(cell)) return false;
  return kind === 'urls' || (cells.includes('--') && areNumbers(cells, cell));
}

/** Names of a total, also those in spreadsheets. */
const totals = new Set([
  ...['total', 'totals', 'grand total', 'sum'],
  ...['summe', 'gesamt', 'gesamtsumme', 'gesamtergebnis', 'insgesamt'],
  ...['total général', 'total general', 'somme'],
  ...['suma', 'totale', 'totale complessivo', 'somma', 'total geral', 'soma'],
  ...['totaal', 'eindtotaal', 'som', 'razem', 'łącznie', 'suma końcowa'],
  ...['итого', 'итого и средние', 'всего', 'сумма', 'общий итог'],
  ...['合計', '総計', '合计', '总计'],
]);

/** Returns whether a cell names a total, alone or with more, such as `Total: Account`. */
function isTotalName(cell: string): boolean {
  const [, name = ''] = /^([^:]{2,20})(?::(?: .{1,100})?)?$/.exec(cell) ?? [];
  return totals.has(name.toLowerCase());
}

function areNumbers(cells: string[], text: string): boolean {
  return cells.every((cell) => cell === text || isMissing(cell) || isNumber(cell));
}

/** Returns whether a row names a total, and has numbers, one of which is the sum of the rows above. */
export function isTotal(text: string, cells: string[], sums: number[]): boolean {
  const isSum = (cell: string, column: number) => isNumber(cell) && toDigits(cell) === sums[column];
  return isTotalName(text) && areNumbers(cells, text) && cells.some(isSum);
}

export function addToSums(sums: number[], cells: string[]): void {
  cells.forEach((cell, column) => {
    const number = isNumber(cell) ? toDigits(cell) : 0;
    if (number > 0) sums[column] = (sums[column] ?? 0) + number;
  });
}

/** Ignores separators, which may be for thousands or decimals. */
function toDigits(cell: string): number {
  return Number(cell.replaceAll(/\D/g, ''));
}

function readRankFields(cells: string[], fields: Map<Field, number>): RankFields {
  const rank: RankFields = {};
  for (const field of rankFields) {
    const cell = field === 'keyword' ? '' : getCell(cells, fields.get(field));
    if (!isMissing(cell)) Object.assign(rank, readField(field, cell, rank));
  }
  return rank;
}

/** Returns the cell as text if it is too long or contradicts another column. The API then rejects it. */
function readField(field: RankField, cell: string, others: RankFields): RankFields {
  if (field !== 'competitors' && cell.length > valueLengthMax)
    return { [field]: cell.slice(0, valueLengthMax) };
  // Some exports repeat the country as the location. Georgia alone may also be a state.
  if (field === 'location' && 'country' in others && findCountry(cell) === others.country) return {};
  const value = readValue(field, cell) ?? { [field]: cell };
  const isConflict = Object.entries(value).some(([name, one]) => name in others && others[name] !== one);
  return isConflict ? { [field]: cell } : value;
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

/**
 * Removes the text after a URL with http:// or https://, which ends at the first white space, or around that of a
 * Markdown link. Keeps a cell of a table whole if a slash or a file extension follows the white space, because its URL
 * may have spaces.
 */
export function removeTextAfterUrl(text: string, { isCell }: { isCell: boolean }): string {
  const link = readMarkdownLink(text);
  if (link !== null) return link;
  const [url] = /^https?:\/\/\S+(?=\s)/i.exec(text) ?? [];
  if (url === undefined || (isCell && /\/|\.[a-z][a-z\d]{1,4}$/i.test(text.slice(url.length)))) return text;
  return stripQuotes(url);
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
