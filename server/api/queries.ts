import type { BatchEntry, SkippedEntry } from '../../batches/accept.ts';
import { readCountry, readLanguage } from '../../checks/search/google/locales.ts';
import type { Search } from '../../checks/search/search.ts';
import { readMatch, type TargetMatch } from '../../checks/search/target.ts';
import type { AskedOf } from '../../schemas/check-types.ts';
import { KeywordQuery, type RankQuery } from '../../schemas/keyword.ts';
import type { FieldErrors, FieldFaults } from '../http/errors.ts';
import { faultFinderFor } from '../http/validate.ts';
import { type ListOptions, type ReadEntry, readList } from './read-list.ts';
import { storable, textOf } from './targets.ts';

export interface Queries {
  valid: BatchEntry<RankQuery>[];
  /** Queries that do not fit, with `on_invalid: "skip"` only. */
  skipped: SkippedEntry<AskedOf<'keyword'>>[];
  /** How many queries equal an earlier one in everything, tag included. */
  duplicates: number;
}

/** What queries are held against. */
interface Bounds {
  search: Search;
  /** How many pages a query may want in full. */
  fullPagesMax: number;
}

/** The same with what a reader of a list remembers. */
interface Judging extends Bounds {
  matches: Matches;
}

const field = 'queries';
const findFaults = faultFinderFor(KeywordQuery);

/** Looks at every query and fills in defaults; what does not fit and is not to be skipped is noted. */
export async function readQueries(
  entries: readonly unknown[],
  { search, fullPagesMax, ...choice }: ListOptions & Bounds,
  faults: FieldFaults,
): Promise<Queries> {
  const reading = { search, fullPagesMax, matches: createMatches() };
  const read = await readList(entries, choice, field, faults, (entry, index) =>
    readEntry(entry, `${field}.${index}`, reading),
  );
  return {
    valid: read.valid,
    skipped: read.skipped.map(({ entry, ...rest }) => ({ ...rest, input: askedOf(entry) })),
    duplicates: read.duplicates,
  };
}

/** A query with its defaults, or all that does not fit of it. */
function readEntry(entry: unknown, path: string, reading: Judging): ReadEntry<RankQuery> {
  const misfits = findFaults(entry, path);
  if (!isObject(entry)) return { faults: misfits };
  const ofWrongForm = new Set(Object.keys(misfits).map((each) => each.slice(path.length + 1).split('.')[0]));
  const faults: FieldErrors = {};
  const value = readQuery({ ...anyQuery, ...fittingOf(entry, ofWrongForm) }, reading, faults);
  const named = Object.entries(faults)
    .filter(([field]) => !ofWrongForm.has(field.split('.')[0]))
    .map(([field, messages]) => [`${path}.${field}`, messages]);
  const all = { ...misfits, ...Object.fromEntries(named) };
  if (Object.keys(all).length > 0) return { faults: all };
  return { value, sameAs: JSON.stringify({ ...value, target_url: value.target_url.trim() }), faults: null };
}

/** Stands in for what has no right form, so that the rest can be judged. */
const anyQuery: KeywordQuery = { url: 'example.com', keyword: 'any' };

function fittingOf(entry: object, ofWrongForm: Set<string | undefined>): Partial<KeywordQuery> {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !ofWrongForm.has(name)));
}

/** What is repeated of a query that does not fit. */
function askedOf(entry: unknown): AskedOf<'keyword'> {
  const fields = isObject(entry) ? entry : { keyword: entry };
  const text = (value: unknown) => (value === undefined ? null : storable(textOf(value)));
  const { keyword, url, country, language, tag } = fields as Record<string, unknown>;
  return {
    keyword: text(keyword),
    target_url: text(url),
    country: text(country),
    language: text(language),
    tag: text(tag),
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function readQuery(
  query: KeywordQuery,
  { search, fullPagesMax, matches }: Judging,
  faults: FieldErrors,
): RankQuery {
  const country = readCountry(query.country ?? 'US');
  const language = readLanguage(query.language ?? 'en');
  const match = matches.of(query.url, query.match);
  const { full = false, start_page: startPage = 1 } = query;
  // Whoever wants all results of some pages means the first ones, and pays for each with the operator's money.
  const endPage = query.end_page ?? (full ? Math.max(startPage, fullPagesDefault) : 10);
  const device = query.device ?? (query.brd_mobile ? 'mobile' : 'desktop');

  if (!isKeyword(query.keyword)) faults.keyword = ['Must have a word in it, and no control characters.'];
  if (!match) faults.url = ['Must be a domain such as example.com or an address on one.'];
  if (!country) faults.country = ['Is no country code that Google knows, such as US.'];
  if (!language) faults.language = ['Is no language code that Google knows, such as en.'];
  if (startPage > endPage) faults.end_page = ['Must be start_page or more.'];
  if (full && endPage - startPage >= fullPagesMax) {
    faults.end_page = [`With full, at most ${fullPagesMax} pages are read.`];
  }
  if (query.brd_mobile !== undefined && query.brd_mobile !== (device === 'mobile')) {
    faults.device = ['Contradicts brd_mobile; send one of them.'];
  }
  Object.assign(faults, competitorFaults(query.competitors ?? [], matches));
  if (country && language) {
    refuseUnsupported({ country, language, device, query: query.keyword }, search, faults);
    if (faults.device && query.device === undefined) renameFault(faults, 'device', 'brd_mobile');
  }

  return {
    keyword: query.keyword.trim(),
    target_url: query.url,
    country: country ?? '',
    language: (query.language ?? 'en').toLowerCase(),
    device,
    start_page: startPage,
    end_page: endPage,
    match: match ?? 'site',
    tag: query.tag ?? null,
    ...(query.competitors?.length ? { competitor_urls: query.competitors } : {}),
    ...(full ? { full: true as const } : {}),
    ...(query.include?.length ? { include: query.include } : {}),
  };
}

const fullPagesDefault = 2;

/** A sentence when a query wants all results and does not say of how many pages; entries of any shape. */
export function fullWarnings(entries: readonly unknown[]): string[] {
  const queries = entries.filter(isObject) as Partial<KeywordQuery>[];
  if (!queries.some(({ full, end_page: endPage }) => full === true && endPage === undefined)) return [];
  return [
    `full without end_page reads the first ${fullPagesDefault} pages, or start_page alone; name end_page for more.`,
  ];
}

function competitorFaults(competitors: string[], matches: Matches): FieldErrors {
  const misfits = competitors.flatMap((url, index) => (matches.of(url) ? [] : [index]));
  const message = 'Must be a domain such as example.com or an address on one.';
  return Object.fromEntries(misfits.map((index) => [`competitors.${index}`, [message]]));
}

/** What callers call the fields of a search; a device may have been asked for by either name. */
const fieldNames: Record<string, string> = { query: 'keyword' };

function refuseUnsupported(
  request: Parameters<Search['unsupportedField']>[0],
  search: Search,
  faults: FieldErrors,
): void {
  const field = search.unsupportedField(request);
  if (field) faults[fieldNames[field] ?? field] = ['No search provider of this service can do this.'];
}

function renameFault(faults: FieldErrors, from: string, to: string): void {
  const messages = faults[from];
  if (messages) faults[to] = messages;
  delete faults[from];
}

function isKeyword(keyword: string): boolean {
  const trimmed = keyword.trim();
  return trimmed !== '' && keyword.isWellFormed() && !/\p{Cc}/u.test(trimmed);
}

/** The targets of one list, each read once, for the same competitors stand in query after query. */
interface Matches {
  /** How a text is read as a target; null for what is none. */
  of(text: string, match?: TargetMatch): TargetMatch | null;
}

const rememberedMax = 1_000;

export function createMatches(): Matches {
  const implied = new Map<string, TargetMatch | null>();
  return {
    of: (text, match) => {
      const known = implied.get(text);
      const found = known === undefined ? readMatch(text) : known;
      if (known === undefined && implied.size < rememberedMax) implied.set(text, found);
      return found && (match ?? found);
    },
  };
}
