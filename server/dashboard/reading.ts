import type { AddressPolicy } from '../../net/address.ts';
import { parseTarget } from '../../net/url.ts';
import { batchSizeMax } from '../../schemas/text.ts';
import { type BoxEntry, BoxError, readEntries } from './box-entries.ts';

/** What the box holds: what is there twice is there once. */
export interface Box {
  kind: 'nothing' | 'urls' | 'keywords';
  entries: BoxEntry[];
  duplicates: number;
  /** Why it was not read; there are no entries then. */
  problem: string | null;
}

/** What the box says it read. */
export interface Reading {
  kind: Box['kind'];
  problem: string | null;
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
  try {
    return toBox(readEntries(text));
  } catch (error) {
    if (!(error instanceof BoxError)) throw error;
    return { kind: 'nothing', entries: [], duplicates: 0, problem: error.message };
  }
}

/** What is said of the box before anything is charged; addresses are judged as the API judges them. */
export function describe(box: Box, policy: AddressPolicy): Reading {
  const { kind, entries, duplicates, problem } = box;
  const invalid = kind === 'urls' ? invalidOf(entries, policy) : [];
  const [only] = entries;
  return {
    kind,
    problem,
    total: entries.length + duplicates,
    duplicates,
    invalid: invalid.slice(0, invalidShownMax),
    invalidCount: invalid.length,
    cost: entries.length - invalid.length,
    isTooMany: entries.length > batchSizeMax,
    sitemap: only && entries.length === 1 && isLikeSitemap(only.text) ? only.text : null,
  };
}

function toBox(all: BoxEntry[]): Box {
  const entries = withoutDuplicates(all);
  const likeAddresses = all.filter((entry) => isLikeAddress(entry.text)).length;
  const kind = entries.length === 0 ? 'nothing' : likeAddresses * 2 >= all.length ? 'urls' : 'keywords';
  return { kind, entries, duplicates: all.length - entries.length, problem: null };
}

/** Entries that say the same are checked once. */
function withoutDuplicates(entries: readonly BoxEntry[]): BoxEntry[] {
  const seen = new Set<string>();
  return entries.filter(({ text, columns }) => {
    const key = JSON.stringify([text, columns]);
    return seen.size < seen.add(key).size;
  });
}

function invalidOf(entries: readonly BoxEntry[], policy: AddressPolicy): Reading['invalid'] {
  return entries.flatMap(({ line, text }) => {
    const { problem } = parseTarget(text, policy);
    return problem === undefined ? [] : { line, text, problem };
  });
}

// A host has none of the characters that end it, or looking for its end would take quadratic time.
function isLikeAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/\S/i.test(text) || /^[^\s/?#:]+\.[a-z]{2,}(?:[/?#:]\S*)?$/i.test(text);
}

function isLikeSitemap(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && /sitemap|\.xml$|\.xml\.gz$/i.test(text);
}
