import { readCountry, readLanguage } from '../checks/google-locales.ts';
import type { Search } from '../checks/search.ts';
import { readTarget } from '../checks/target.ts';
import type { KeywordQuery, RankQuery } from '../schemas/keyword.ts';
import type { BatchInput } from './accept-batch.ts';
import { type FieldErrors, validationError } from './errors.ts';

/** Looks at every query of a request and fills in defaults. Throws a 422 that names the fields at fault. */
export function readQueries(queries: readonly KeywordQuery[], search: Search): RankQuery[] {
  const errors: FieldErrors = {};
  const read = queries.map((query, index) => {
    const faults: FieldErrors = {};
    const rankQuery = readQuery(query, search, faults);
    for (const [field, messages] of Object.entries(faults)) errors[`queries.${index}.${field}`] = messages;
    return rankQuery;
  });
  if (Object.keys(errors).length > 0) throw validationError(errors);
  return read;
}

/** Queries as the inputs of a batch. */
export function inputsOf(queries: readonly RankQuery[]): BatchInput[] {
  return queries.map((query, position) => ({ position, input: { ...query }, unit: unitOf({ ...query }) }));
}

/** Queries with the same search travel together, so that one search answers them all. */
export function unitOf({ keyword, country, language, device }: Record<string, unknown>): string {
  return JSON.stringify([keyword, country, language, device]);
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
