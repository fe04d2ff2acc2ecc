import { findCountry, findLanguage } from './countries.ts';
import type { RankField, RankFields } from './fields.ts';
import { valueLengthMax } from './list.ts';

/** Reads a cell as fields of the API; null if it is not understood. */
export function readValue(field: RankField, cell: string): RankFields | null {
  return readers[field](cell);
}

const readers: Record<RankField, (cell: string) => RankFields | null> = {
  keyword: (cell) => ({ keyword: cell }),
  url: (cell) => ({ url: cell }),
  country: (cell) => toField('country', findCountry(cell)),
  location: (cell) => ({ location: cell }),
  language: readLanguage,
  device: (cell) => toField('device', lookUp(devices, cell)),
  brd_mobile: (cell) => toField('brd_mobile', lookUp(booleans, cell)),
  match: (cell) => toField('match', lookUp(matches, cell)),
  start_page: (cell) => toField('start_page', parseInteger(cell)),
  end_page: (cell) => toField('end_page', parseInteger(cell)),
  tag: (cell) => ({ tag: cell }),
  competitors: readCompetitors,
  full: (cell) => toField('full', lookUp(booleans, cell)),
  include: readInclude,
};

const devices = createLookup({
  desktop: 'desktop, computer, pc, laptop, d, ordinateur, ordenador, komputer',
  mobile: 'mobile, phone, smartphone, mobile phone, handy, mobil, móvil, komórka, android, iphone, ios, m',
});
const matches = createLookup({
  site: 'site, domain, subdomains, whole site, domain with subdomains',
  host: 'host, hostname, exact host, subdomain',
  page: 'page, url, exact url, exact page, seite',
  prefix: 'prefix, path, folder, directory, ordner',
});
const booleans = createLookup<boolean>([
  [true, 'true, yes, y, 1, x, on, ja, wahr, oui, sí, si, tak'],
  [false, 'false, no, n, 0, off, nein, falsch, non, nie'],
]);

/** Reads `de-CH` as a language and a country, and `pt-BR` as one of Google's languages and a country. */
function readLanguage(cell: string): RankFields | null {
  const [, language = '', country = ''] = /^([a-z]{2})[-_]([a-z]{2})$/i.exec(cell) ?? [];
  if (!language) return toField('language', findLanguage(cell));
  const found = { language: findLanguage(cell) ?? findLanguage(language), country: findCountry(country) };
  return found.language && found.country ? found : null;
}

const pagesMax = 10;
const pageRange = `Must be a number from 1 to ${pagesMax}.`;
const yesOrNo = 'Must be yes or no.';
const problems: Partial<Record<RankField, string>> = {
  country: 'Must be a country or its code, such as DE.',
  language: 'Must be a language that Google supports, such as de or pt-BR.',
  device: 'Must be desktop or mobile.',
  brd_mobile: yesOrNo,
  match: 'Must be site, host, page or prefix.',
  start_page: pageRange,
  end_page: pageRange,
  full: yesOrNo,
  include: 'Must be results, features or ai_overview.',
};

/**
 * Returns the first field of a query that the API rejects, with its value and the reason; null if all can be read.
 * Keywords, sites and cities are not validated.
 */
export function findFault(query: RankFields): { field: string; value: string; problem: string } | null {
  const { start_page: start, end_page: end, competitors = [] } = query;
  const toFault = (field: string, problem: string) => ({ field, value: String(query[field]), problem });
  for (const [field, problem] of Object.entries(problems)) {
    const value = query[field];
    if (typeof value === 'number' && (value < 1 || value > pagesMax)) return toFault(field, problem);
    if (typeof value !== 'string') continue;
    const found = readValue(field as RankField, value);
    if (!found) return toFault(field, problem);
    // Only a language that contradicts the country of its row, such as `de-CH`, stays as it is.
    if (found[field] !== value) return toFault(field, 'Contradicts the country.');
  }
  if (Number(start) > Number(end)) return toFault('end_page', 'Must be `start_page` or more.');
  const { length } = competitors as string[];
  return length < competitorsMax ? null : toFault('competitors', `Must be ${competitorsMax - 1} or fewer.`);
}

/** One more than the API allows, so that it rejects a longer list. */
const competitorsMax = 11;

function readCompetitors(cell: string): RankFields {
  // A separator at the beginning has an empty part before it.
  const parts = cell.split(/[;,|\s]+/, competitorsMax + 1).filter((one) => one !== '');
  return { competitors: parts.slice(0, competitorsMax).map((one) => one.slice(0, valueLengthMax)) };
}

/** Reads a list such as `features ai_overview`. */
function readInclude(cell: string): RankFields | null {
  const parts = cell
    .toLowerCase()
    .split(/[;,|\s]+/)
    .filter((one) => one !== '');
  const isKnown = parts.every((part) => ['results', 'features', 'ai_overview'].includes(part));
  return isKnown ? { include: [...new Set(parts)] } : null;
}

function parseInteger(cell: string): number | null {
  return /^\d{1,3}(?:[.,]0+)?$/.test(cell) ? Number.parseInt(cell, 10) : null;
}

function toField(field: string, value: unknown): RankFields | null {
  return value === null ? null : { [field]: value };
}

function lookUp<T>(words: Map<string, T>, cell: string): T | null {
  return words.get(cell.toLowerCase()) ?? null;
}

function createLookup<T = string>(lists: Record<string, string> | Array<[T, string]>): Map<string, T> {
  const pairs = (Array.isArray(lists) ? lists : Object.entries(lists)) as Array<[T, string]>;
  return new Map(
    pairs.flatMap(([value, list]) => list.split(', ').map((word): [string, T] => [word, value])),
  );
}
