import { parse } from 'csv-parse/sync';
import type { AddressPolicy } from '../../net/address.ts';
import { parseTarget } from '../../net/url.ts';
import { batchSizeMax } from '../../schemas/batch.ts';
import { readTargets } from '../targets.ts';

/** One thing to check, and the line of the box it stands in. */
export interface BoxEntry {
  line: number;
  text: string;
  /** Further columns of a table, by lower-case name. */
  columns: Record<string, string>;
}

/** What the box holds. */
export interface Box {
  kind: 'nothing' | 'urls' | 'keywords';
  entries: BoxEntry[];
}

/** What the box says it read. */
export interface Reading {
  kind: Box['kind'];
  total: number;
  duplicates: number;
  /** The first few of them, to be looked at. */
  invalid: Array<{ line: number; text: string; problem: string }>;
  invalidCount: number;
  /** Credits that a check of all of it costs. */
  cost: number;
  isTooMany: boolean;
  /** The only entry, when it looks like the address of a sitemap. */
  sitemap: string | null;
}

const invalidShownMax = 20;

/** Takes apart what was pasted: a table with a header, or an entry per line. */
export function readBox(text: string): Box {
  const entries = readTable(text) ?? readLines(text);
  const likeAddresses = entries.filter((entry) => isLikeAddress(entry.text)).length;
  if (entries.length === 0) return { kind: 'nothing', entries };
  return { kind: likeAddresses * 2 >= entries.length ? 'urls' : 'keywords', entries };
}

/** What is said of the box before anything is charged; addresses are judged as the API judges them. */
export function describe(box: Box, policy: AddressPolicy): Reading {
  const { kind, entries } = box;
  const read = kind === 'urls' ? describeUrls(box, policy) : describeKeywords(box);
  const only = entries.length === 1 ? (entries[0]?.text ?? '') : '';
  const isSitemap = /^https?:\/\/\S+sitemap\S*$|^https?:\/\/\S+\.xml(\.gz)?$/i.test(only);
  return {
    kind,
    total: entries.length,
    ...read,
    isTooMany: read.cost + read.invalid.length > batchSizeMax,
    invalid: read.invalid.slice(0, invalidShownMax),
    invalidCount: read.invalid.length,
    sitemap: isSitemap ? only : null,
  };
}

/** Entries that say the same are checked once. */
function withoutDuplicates(entries: readonly BoxEntry[]): BoxEntry[] {
  const seen = new Set<string>();
  return entries.filter(({ text, columns }) => {
    const key = JSON.stringify([text, columns]);
    return seen.size < seen.add(key).size;
  });
}

function describeUrls({ entries }: Box, policy: AddressPolicy) {
  const urls = entries.map(({ text }) => text);
  const targets = readTargets(urls, { policy, dedupe: true, onInvalid: 'skip' });
  const refused = new Set(targets.skipped.map(({ url }) => url));
  const invalid = entries.filter(({ text }) => refused.delete(text));
  return {
    duplicates: targets.duplicates,
    invalid: invalid.map(({ line, text }) => ({
      line,
      text,
      problem: parseTarget(text, policy).problem ?? '',
    })),
    cost: targets.valid.length,
  };
}

function describeKeywords({ entries }: Box) {
  const different = withoutDuplicates(entries);
  return { duplicates: entries.length - different.length, invalid: [], cost: different.length };
}

function isLikeAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/\S/i.test(text) || /^[^\s/]+\.[a-z]{2,}(?:[/?#:]\S*)?$/i.test(text);
}

function readLines(text: string): BoxEntry[] {
  return text.split(/\r\n|\r|\n/).flatMap((line, index) =>
    // Several addresses in one line are several entries; a comma may be part of one.
    line
      .split(/[\s,;]+(?=https?:\/\/)/i)
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map((part) => ({ line: index + 1, text: part, columns: {} })),
  );
}

const mainColumns = ['url', 'keyword', 'address', 'loc', 'link', 'page', 'query'];

/** A table is known by its header; null when the first line is none. */
function readTable(text: string): BoxEntry[] | null {
  const [header = ''] = text
    .trimStart()
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/, 1);
  const delimiter = [',', ';', '\t'].find((character) => header.includes(character)) ?? ',';
  const names = header.split(delimiter).map((name) => name.trim().replaceAll('"', '').toLowerCase());
  const main = names.includes('keyword') ? 'keyword' : names.find((name) => mainColumns.includes(name));
  if (!main) return null;
  const rows = parseRows(text, delimiter, names);
  return rows
    .map(({ line, columns }) => ({ line, text: columns[main]?.trim() ?? '', columns }))
    .filter((entry) => entry.text !== '')
    .map((entry) => (main === 'keyword' ? entry : { ...entry, columns: {} }));
}

function parseRows(text: string, delimiter: string, names: string[]) {
  const rows = parse(text, {
    delimiter,
    columns: names,
    from: 2,
    bom: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
  }) as unknown as Array<{ record: Record<string, string>; info: { lines: number } }>;
  return rows.map(({ record, info }) => ({ line: info.lines, columns: record }));
}
