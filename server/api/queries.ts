import { readCountry, readLanguage } from '../../checks/search/google/locales.ts';
import type { Search } from '../../checks/search/search.ts';
import { readTarget } from '../../checks/search/target.ts';
import { KeywordQuery, type RankQuery } from '../../schemas/keyword.ts';
import { type FieldErrors, validationError } from '../http/errors.ts';
import { faultFinderFor } from '../http/validate.ts';
import type { BatchInput } from './accept-batch.ts';
import { storable } from './targets.ts';

export interface Queries {
  valid: Array<{ position: number; query: RankQuery }>;
  /** Queries that do not fit, with `on_invalid: "skip"` only. */
  skipped: BatchInput[];
  /** How many queries equal an earlier one in everything, tag included. */
  duplicates: number;
}

interface Reading {
  search: Search;
  dedupe: boolean;
  onInvalid: 'reject' | 'skip';
}

const findFaults = faultFinderFor(KeywordQuery);

/** Looks at every query and fills in defaults. Throws a 422 that names the fields at fault unless they are to be skipped. */
export function readQueries(entries: readonly unknown[], { search, dedupe, onInvalid }: Reading): Queries {
  const seen = new Set<string>();
  const errors: FieldErrors = {};
  const queries: Queries = { valid: [], skipped: [], duplicates: 0 };
  let position = 0;
  entries.forEach((entry, index) => {
    const { query, faults } = readEntry(entry, `queries.${index}`, search);
    const key = JSON.stringify(query ? { ...query, target_url: query.target_url.trim() } : entry);
    const isDuplicate = seen.has(key);
    seen.add(key);
    if (isDuplicate) queries.duplicates += 1;
    if (isDuplicate && dedupe) return;
    if (query) queries.valid.push({ position, query });
    else if (onInvalid === 'skip') queries.skipped.push({ position, input: inputOf(entry) });
    else Object.assign(errors, faults);
    position += 1;
  });
  if (Object.keys(errors).length > 0) throw validationError(errors);
  return queries;
}

/** Queries as the inputs of a batch. */
export function inputsOf(queries: Queries['valid']): BatchInput[] {
  return queries.map(({ position, query }) => ({
    position,
    input: { ...query },
    unit: unitOf({ ...query }),
  }));
}

/** Queries with the same search travel together, so that one search answers them all. */
export function unitOf({ keyword, country, language, device }: Record<string, unknown>): string {
  return JSON.stringify([keyword, country, language, device]);
}

/** A query with its defaults, or what does not fit. */
function readEntry(
  entry: unknown,
  path: string,
  search: Search,
): { query: RankQuery; faults?: never } | { query?: never; faults: FieldErrors } {
  const misfits = findFaults(entry, path);
  if (Object.keys(misfits).length > 0) return { faults: misfits };
  const faults: FieldErrors = {};
  const query = readQuery(entry as KeywordQuery, search, faults);
  const named = Object.entries(faults).map(([field, messages]) => [`${path}.${field}`, messages]);
  return named.length > 0 ? { faults: Object.fromEntries(named) } : { query };
}

/** What is repeated of a query that does not fit. */
function inputOf(entry: unknown): Record<string, string | null> {
  const fields = (typeof entry === 'object' && entry !== null ? entry : { keyword: entry }) as Record<
    string,
    unknown
  >;
  const text = (value: unknown) =>
    value === undefined ? null : storable(typeof value === 'string' ? value : JSON.stringify(value));
  const { keyword, url, country, language, tag } = fields;
  return {
    keyword: text(keyword),
    target_url: text(url),
    country: text(country),
    language: text(language),
    tag: text(tag),
  };
}

function readQuery(query: KeywordQuery, search: Search, faults: FieldErrors): RankQuery {
  const country = readCountry(query.country ?? 'US');
  const language = readLanguage(query.language ?? 'en');
  const target = readTarget(query.url, query.match);
  const { start_page: startPage = 1, end_page: endPage = 10 } = query;
  const device = query.brd_mobile ? ('mobile' as const) : ('desktop' as const);

  if (!isKeyword(query.keyword)) faults.keyword = ['Must have a word in it, and no control characters.'];
  if (!target) faults.url = ['Must be a domain such as example.com or an address on one.'];
  if (!country) faults.country = ['Is no country code that Google knows, such as US.'];
  if (!language) faults.language = ['Is no language code that Google knows, such as en.'];
  if (startPage > endPage) faults.end_page = ['Must be start_page or more.'];
  if (country && language)
    refuseUnsupported({ country, language, device, query: query.keyword }, search, faults);

  return {
    keyword: query.keyword.trim(),
    target_url: query.url,
    country: country ?? '',
    language: (query.language ?? 'en').toLowerCase(),
    device,
    start_page: startPage,
    end_page: endPage,
    match: target?.match ?? 'site',
    tag: query.tag ?? null,
  };
}

const fieldNames: Record<string, string> = { device: 'brd_mobile', query: 'keyword' };

function refuseUnsupported(
  request: Parameters<Search['unsupportedField']>[0],
  search: Search,
  faults: FieldErrors,
): void {
  const field = search.unsupportedField(request);
  if (field) faults[fieldNames[field] ?? field] = ['No search provider of this service can do this.'];
}

function isKeyword(keyword: string): boolean {
  const trimmed = keyword.trim();
  return trimmed !== '' && keyword.isWellFormed() && !/\p{Cc}/u.test(trimmed);
}
