import { parseCountry, parseLanguage } from '../../checks/search/google/locales.ts';
import { type Locations, loadLocations } from '../../checks/search/locations/locations.ts';
import type { Search } from '../../checks/search/search.ts';
import { parseMatch, type TargetMatch } from '../../checks/search/target.ts';
import { findLanguage } from '../../lists/countries.ts';
import type { FailedInputOf } from '../../schemas/check-types.ts';
import { includable } from '../../schemas/features.ts';
import { KeywordQuery, type RankQuery } from '../../schemas/keyword.ts';
import type { Location } from '../../schemas/location.ts';
import type { FieldErrorCollector, FieldErrors } from '../http/errors.ts';
import { createEntryValidator } from '../http/validate.ts';
import { invalidCountry } from './locations.ts';
import { type ListOptions, type ParsedEntries, type ParsedEntry, readList } from './read-list.ts';
import { toStorableEntry, toText } from './targets.ts';

interface Bounds {
  search: Search;
  /** Maximum number of result pages of a query with `full`. */
  fullPagesMax: number;
  /**
   * True for monitors. A query with competitors then reads all its pages, because competitors may rank below the
   * target.
   */
  findsCompetitors?: boolean;
  /** Location of queries that have no `location`, and the request field that contains this location. */
  location?: { text: string; field: string };
}

interface ReadDeps extends Bounds {
  targets: TargetParser;
  /** Null if no query has a location. */
  locations: LocationReader | null;
  faults: FieldErrorCollector;
}

const findFaults = createEntryValidator(KeywordQuery);

/** Validates every query and sets defaults. If `onInvalid` is `reject`, adds errors to `faults`. */
export async function readQueries(
  entries: readonly unknown[],
  { search, fullPagesMax, findsCompetitors, location, ...choice }: ListOptions & Bounds,
  faults: FieldErrorCollector,
): Promise<ParsedEntries<RankQuery, FailedInputOf<'keyword'>>> {
  const hasLocations = location || entries.some((entry) => isObject(entry) && 'location' in entry);
  const locations = hasLocations ? createLocationReader(await loadLocations()) : null;
  const bounds = { search, fullPagesMax, findsCompetitors, location };
  const reading = { ...bounds, targets: createTargetParser(), locations, faults };
  return readList(entries, choice, faults, {
    field: 'queries',
    read: (entry, path) => readEntry(entry, path, reading),
    toSkipped: toInvalidInput,
  });
}

function readEntry(entry: unknown, path: string, reading: ReadDeps): ParsedEntry<RankQuery> {
  const invalid = findFaults(entry, path);
  if (!isObject(entry)) return { faults: invalid };
  const wrongTypes = new Set(Object.keys(invalid).map((each) => each.slice(path.length + 1).split('.')[0]));
  const faults: FieldErrors = {};
  const value = readQuery({ ...anyQuery, ...omitFields(entry, wrongTypes) }, reading, faults);
  const named = Object.entries(faults)
    .filter(([field]) => !wrongTypes.has(field.split('.')[0]))
    .map(([field, messages]) => [
      field === 'location' && reading.location ? reading.location.field : `${path}.${field}`,
      messages,
    ]);
  const all = { ...invalid, ...Object.fromEntries(named) };
  if (Object.keys(all).length > 0) return { faults: all };
  return { value, sameAs: JSON.stringify({ ...value, target_url: value.target_url.trim() }), faults: null };
}

/** Valid values for fields of the wrong type, so that the other fields can be validated. */
const anyQuery: KeywordQuery = { url: 'example.com', keyword: 'any' };

function omitFields(entry: object, wrongTypes: Set<string | undefined>): Partial<KeywordQuery> {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !wrongTypes.has(name)));
}

function toInvalidInput(entry: unknown): FailedInputOf<'keyword'> {
  const fields = isObject(entry) ? entry : { keyword: entry };
  const text = (value: unknown) => (value === undefined ? null : toStorableEntry(toText(value)));
  const { keyword, url, country, language, location, tag } = fields as Record<string, unknown>;
  return {
    keyword: text(keyword),
    target_url: text(url),
    country: text(country),
    language: text(language),
    ...(location === undefined ? {} : { location: toStorableEntry(toText(location)) }),
    tag: text(tag),
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function readQuery(
  query: KeywordQuery,
  { search, fullPagesMax, findsCompetitors, location: common, ...reading }: ReadDeps,
  faults: FieldErrors,
): RankQuery {
  const { targets, locations, faults: collector } = reading;
  const { location: place = common?.text } = query;
  const location = locations && readLocation({ ...query, location: place }, locations, faults, collector);
  const country = parseCountry(query.country ?? location?.country ?? 'US');
  const language = parseLanguage(query.language ?? 'en');
  const match = targets.parseMatch(query.url, query.match);
  const { full: isFullAsked = false, start_page: startPage = 1 } = query;
  const full = isFullAsked || Boolean(findsCompetitors && query.competitors?.length);
  // If `full` is requested, the operator pays for every page. The default is therefore low.
  const lowDefault = Math.max(startPage, fullPagesDefault);
  const highDefault = full ? Math.min(10, startPage + fullPagesMax - 1) : 10;
  const endPage = query.end_page ?? (isFullAsked ? lowDefault : highDefault);
  const device = query.device ?? (query.brd_mobile ? 'mobile' : 'desktop');

  if (!isKeyword(query.keyword)) faults.keyword = ['Must contain text and no control characters.'];
  if (!match) faults.url = [notADomain];
  if (!country) faults.country = [invalidCountry];
  if (!language) faults.language = ['Must be a language code that Google supports, such as en.'];
  if (startPage > endPage) faults.end_page = ['Must be `start_page` or more.'];
  if (full && endPage - startPage >= fullPagesMax) {
    faults.end_page = [`If \`full\` is set, the limit is ${fullPagesMax} pages.`];
  }
  if (query.brd_mobile !== undefined && query.brd_mobile !== (device === 'mobile')) {
    faults.device = ['Contradicts brd_mobile. Send only one of them.'];
  }
  Object.assign(faults, competitorFaults(query.competitors ?? [], targets));
  if (country && language) {
    const asked = { country, language, device, query: query.keyword };
    addUnsupportedFault(asked, search, faults);
    const isUnsupported = location && search.unsupportedField({ ...asked, location }) !== null;
    if (isUnsupported && Object.keys(faults).every((field) => field === 'country')) {
      delete faults.country;
      faults.location = [`No search provider of this service can search from ${location.location}.`];
      collector.addDetails({ code: 'location_unsupported' });
    }
    if (faults.device && query.device === undefined) renameFault(faults, 'device', 'brd_mobile');
  }

  return {
    keyword: query.keyword.trim(),
    target_url: query.url,
    country: country ?? '',
    language: findLanguage(query.language ?? 'en') ?? '',
    ...(location ? { location: location.location } : {}),
    device,
    start_page: startPage,
    end_page: endPage,
    match: match ?? 'site',
    tag: query.tag ?? null,
    ...(query.competitors?.length ? { competitor_urls: query.competitors } : {}),
    ...(full ? { full: true as const } : {}),
    ...(query.include?.length ? { include: includable.filter((part) => query.include?.includes(part)) } : {}),
  };
}

/** Returns the city that a query means; null if the query has no location, or an invalid location. */
function readLocation(
  { location: text, country: code }: KeywordQuery,
  locations: LocationReader,
  faults: FieldErrors,
  collector: FieldErrorCollector,
): Location | null {
  if (text === undefined) return null;
  const country = code === undefined ? null : parseCountry(code);
  const { meant, candidates } = locations.read(text, country);
  const [location] = meant;
  if (location && meant.length === 1) {
    if (country === null || country === location.country) return location;
    faults.country = [`Must be ${location.country}, the country of ${location.location}.`];
    return null;
  }
  const names = candidates.slice(0, namedMax).map((candidate) => candidate.location);
  const example = ' Use a name such as Austin, Texas, United States.';
  const advice = names.length > 0 ? ` Candidates: ${names.join('; ')}.` : example;
  faults.location = [`${location ? 'Matches several cities.' : 'Is not a known city.'}${advice}`];
  collector.addDetails({ candidates });
  return null;
}

/** Maximum number of candidates in a message. */
const namedMax = 3;

const fullPagesDefault = 2;
const notADomain = 'Must be a domain such as example.com, or a URL such as https://example.com/page.';

/** Returns a warning if a query has `full` without `end_page`. */
export function fullPagesWarnings(entries: readonly unknown[]): string[] {
  const queries = entries.filter(isObject) as Partial<KeywordQuery>[];
  if (!queries.some(({ full, end_page: endPage }) => full === true && endPage === undefined)) return [];
  return [
    `If \`full\` is set without \`end_page\`, only pages 1 to ${fullPagesDefault} are read, or only \`start_page\` if it is greater than 1. Set \`end_page\` to read more.`,
  ];
}

function competitorFaults(competitors: string[], targets: TargetParser): FieldErrors {
  const invalid = competitors.flatMap((url, index) => (targets.parseMatch(url) ? [] : [index]));
  return Object.fromEntries(invalid.map((index) => [`competitors.${index}`, [notADomain]]));
}

/** Names of search fields in requests. */
const fieldNames: Record<string, string> = { query: 'keyword' };

function addUnsupportedFault(
  request: Parameters<Search['unsupportedField']>[0],
  search: Search,
  faults: FieldErrors,
): void {
  const field = search.unsupportedField(request);
  if (field) faults[fieldNames[field] ?? field] = ['No search provider of this service supports this.'];
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

const cachedMax = 1_000;

/** Maximum number of texts of one list that get suggestions. A suggestion takes up to a millisecond. */
const suggestionsMax = 50;

type LocationReader = ReturnType<typeof createLocationReader>;

/** Reads the locations of one list. Caches locations, because queries repeat them. */
function createLocationReader(locations: Locations) {
  const known = new Map<string, ReturnType<typeof read>>();
  let suggestions = 0;
  const read = (text: string, country: string | null) => {
    const meant = locations.resolve(text, country);
    if (meant.length > 0 || suggestions++ >= suggestionsMax) return { meant, candidates: meant };
    return { meant, candidates: locations.suggest(text, country) };
  };
  return {
    /** `meant`: cities that a text may mean. `candidates`: the same cities, or suggestions if no city matches. */
    read: (text: string, country: string | null) => {
      const key = `${country} ${text}`;
      const found = known.get(key) ?? read(text, country);
      if (known.size < cachedMax) known.set(key, found);
      return found;
    },
  };
}

type TargetParser = ReturnType<typeof createTargetParser>;

/**
 * Finds the match types of the targets of one list. Caches match types, because queries repeat the same competitors.
 */
export function createTargetParser() {
  const implied = new Map<string, TargetMatch | null>();
  return {
    /** Returns null if the text is not a target. */
    parseMatch: (text: string, match?: TargetMatch): TargetMatch | null => {
      const known = implied.get(text);
      const found = known === undefined ? parseMatch(text) : known;
      if (known === undefined && implied.size < cachedMax) implied.set(text, found);
      return found && (match ?? found);
    },
  };
}
