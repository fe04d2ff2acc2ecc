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
  desktop: 'desktop, computer, pc, laptop, d',
  mobile: 'mobile, phone, smartphone, mobile phone, handy, android, iphone, ios, m',
});
const matches = createLookup({
  site: 'site, domain, subdomains, whole site, domain with subdomains',
  host: 'host, hostname, exact host, subdomain',
  page: 'page, url, exact url, exact page, seite',
  prefix: 'prefix, path, folder, directory, ordner',
});
const booleans = createLookup<boolean>([
  [true, 'true, yes, y, 1, x, on, ja, wahr'],
  [false, 'false, no, n, 0, off, nein, falsch'],
]);

/** Reads `de-CH` as a language and a country, and `pt-BR` as one of Google's languages and a country. */
function readLanguage(cell: string): RankFields | null {
  const [, language = '', country = ''] = /^([a-z]{2})[-_]([a-z]{2})$/i.exec(cell) ?? [];
  if (language)
    return { language: findLanguage(cell) ?? language.toLowerCase(), country: country.toUpperCase() };
  return toField('language', findLanguage(cell));
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
