import type { ListKind } from './columns.ts';
import { type Field, type RankField, rankFields } from './fields.ts';
import type { Row } from './rows.ts';
import { fieldAtFault, type RankFields, readValue } from './values.ts';

/** One thing to check, and the line it stands in. */
export interface ListEntry {
  line: number;
  /** The address or the keyword. */
  text: string;
  /** What else its row asks, in the fields of the API; what was not understood stands there as it came. */
  rank: RankFields;
}

/** What a row is, of a list that counts what is none. */
export function entriesOf(
  { line, cells }: Row,
  list: { kind: ListKind; comments: number; blank: number },
  fields: Map<Field, number> | null,
): ListEntry[] {
  if (fields) return tableEntries({ line, cells }, list, fields);
  const [text = ''] = cells;
  if (list.kind === 'keywords') return keywordsIn(text).map((keyword) => ({ line, text: keyword, rank: {} }));
  if (text.startsWith('#')) {
    list.comments += 1;
    return [];
  }
  return addressesIn(text).map((address) => ({ line, text: address, rank: {} }));
}

function tableEntries(
  { line, cells }: Row,
  list: { kind: ListKind; blank: number },
  fields: Map<Field, number>,
): ListEntry[] {
  const text = cellOf(cells, fields.get(list.kind === 'urls' ? 'address' : 'keyword'));
  if (text !== '') return [{ line, text, rank: list.kind === 'keywords' ? rankOf(cells, fields) : {} }];
  list.blank += 1;
  return [];
}

function rankOf(cells: string[], fields: Map<Field, number>): RankFields {
  const rank: RankFields = {};
  for (const field of rankFields) {
    const cell = field === 'keyword' ? '' : cellOf(cells, fields.get(field));
    if (cell !== '') Object.assign(rank, valueIn(field, cell, rank));
  }
  return rank;
}

/** Where two columns say different things, neither is believed. */
function valueIn(field: RankField, cell: string, before: RankFields): RankFields {
  const value = readValue(field, cell) ?? { [fieldAtFault(field)]: cell };
  const isOther = Object.entries(value).some(([name, one]) => name in before && before[name] !== one);
  return isOther ? { [fieldAtFault(field)]: cell } : value;
}

function cellOf(cells: string[], index: number | undefined): string {
  return index === undefined ? '' : (cells[index] ?? '').trim();
}

/**
 * Several addresses in one line are several entries; a comma may be part of one. A gap is looked at where it
 * begins only.
 */
function addressesIn(line: string): string[] {
  const parts = line.split(/(?<![\s,;"'])[\s,;"']+(?=https?:\/\/)/i);
  return parts.map((part) => bare(part.trim())).filter((part) => part !== '');
}

/** An address without the quotes, brackets and commas that lists stand in. */
function bare(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && '"\'<'.includes(text.charAt(from))) from += 1;
  while (to > from && '"\'>,;'.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/** A line as a keyword, without the quotes around it and the commas after it, which nobody searches for. */
function keywordsIn(line: string): string[] {
  let to = line.length;
  while (to > 0 && ',;'.includes(line.charAt(to - 1))) to -= 1;
  const text = line.slice(0, to).trim();
  const keyword = /^"[^"]*"$/.test(text) ? text.slice(1, -1).trim() : text;
  return keyword === '' ? [] : [keyword];
}
