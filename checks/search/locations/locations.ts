import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { type Location, locationsMax } from '../../../schemas/location.ts';

/** Letters that do not consist of a base letter and marks. */
const letters = new Map(
  'ß:ss æ:ae œ:oe ø:o đ:d ð:d þ:th ł:l ı:i ə:e'.split(' ').map((pair) => pair.split(':') as [string, string]),
);
/** Maximum number of parts between commas: city, region and country, and one part more for a comma in a name. */
const partsMax = 4;
/** Maximum length of a name. Normalising a long run of combining marks takes quadratic time. */
const charsMax = 200;

/** Suggestions share at most this many first characters with a name. */
const suggestedCharsMax = 30;

/** Returns a name without case, accents and punctuation. */
export function foldName(name: string): string {
  return name
    .slice(0, charsMax)
    .normalize('NFD')
    .replace(/[\p{M}'’‘`ʻʼ]/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđðþłıə]/g, (letter) => letters.get(letter) ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^saint /, 'st ');
}

/** The packaged list of cities. Source: GeoNames (geonames.org, CC BY 4.0). */
export class Locations {
  readonly #countries: Record<string, string>;
  /** Names of regions that have a code of letters, such as `US.TX`. */
  readonly #regions: Record<string, string>;
  /** Lines of `folded name, population, country, name, region, latitude, longitude`, ordered by bytes. */
  readonly #lines: Buffer;

  constructor(file: Buffer) {
    const headEnd = file.indexOf('\n');
    const { countries, regions } = JSON.parse(file.toString('utf8', 0, headEnd));
    this.#countries = countries;
    this.#regions = regions;
    this.#lines = file.subarray(headEnd + 1);
  }

  /**
   * Returns up to 20 cities, optionally of one country, whose name begins with a text, the largest first. A text of one
   * letter must be the whole name, because thousands of names begin with the same letter.
   */
  search(text: string, country: string | null = null): Location[] {
    const [name = '', ...rest] = text.split(',', partsMax).map(foldName);
    // After a comma, the name is complete.
    const isWhole = rest.length > 0 || name.length === 1;
    const lines = isWhole ? this.#listNamed(name) : this.#listLines(name);
    return this.#toLargest(lines, (city) => {
      const isInCountry = country === null || city.country === country;
      return isInCountry && rest.every((part) => this.#isIn(city, part, (place) => place.startsWith(part)));
    });
  }

  /** Returns the cities that a text may mean, largest first. Prefers an exact location, then cities in `country`. */
  resolve(text: string, country: string | null = null): Location[] {
    const [name = '', ...rest] = text.split(',', partsMax).map(foldName);
    const cities = this.#toLargest(this.#listNamed(name), (city) =>
      rest.every((part) => this.#isIn(city, part, (place) => place === part)),
    );
    const exact = cities.filter(({ location }) => foldName(location) === foldName(text));
    const inCountry = cities.filter((city) => city.country === country);
    return [exact, inCountry].find(({ length }) => length > 0) ?? cities;
  }

  /** Returns suggestions for a misspelled city: cities with the longest common beginning. */
  suggest(text: string, country: string | null = null): Location[] {
    const [name = ''] = text.split(',', partsMax).map(foldName);
    for (let length = Math.min(name.length, suggestedCharsMax); length >= 3; length--) {
      const found = this.search(name.slice(0, length), country);
      if (found.length > 0) return found;
    }
    return [];
  }

  /** Lists the lines of a name. If there are none, adds `city` to the name, because GeoNames has `New York City`. */
  #listNamed(name: string): string[] {
    const lines = this.#listLines(`${name}\t`);
    return lines.length > 0 ? lines : this.#listLines(`${name} city\t`);
  }

  /** Returns whether a text is the name or the code of a city's region or country. */
  #isIn({ region, country }: Location, text: string, isMatch: (place: string) => boolean): boolean {
    const code = text.toUpperCase();
    return (
      code === country ||
      isMatch(foldName(this.#countries[country] ?? '')) ||
      (region !== null && (isMatch(foldName(region)) || this.#regions[`${country}.${code}`] === region))
    );
  }

  #listLines(start: string): string[] {
    if (start.trim() === '') return [];
    const from = this.#findLine(Buffer.from(start));
    const to = this.#findLine(Buffer.concat([Buffer.from(start), Buffer.of(0xff)]));
    return from === to ? [] : this.#lines.toString('utf8', from, to - 1).split('\n');
  }

  /** Returns the offset of the first line that equals `bytes` or sorts after them. */
  #findLine(bytes: Buffer): number {
    let [low, high] = [0, this.#lines.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const start = middle === 0 ? 0 : this.#lines.lastIndexOf(0x0a, middle - 1) + 1;
      const end = this.#lines.indexOf(0x0a, middle);
      if (this.#lines.subarray(start, end).compare(bytes) < 0) low = end + 1;
      else high = start;
    }
    return low;
  }

  /** A city has several lines if it has several names. */
  #toLargest(lines: string[], isWanted: (city: Location) => boolean): Location[] {
    const sorted = lines
      .map((line) => ({ line, population: Number.parseInt(line.slice(line.indexOf('\t') + 1), 10) }))
      .sort((one, other) => other.population - one.population);
    const found = new Map<string, Location>();
    for (const { line } of sorted) {
      const city = this.#toLocation(line);
      if (isWanted(city)) found.set(city.location, city);
      if (found.size === locationsMax) break;
    }
    return [...found.values()];
  }

  #toLocation(line: string): Location {
    const [, , country = '', name = '', region = '', latitude, longitude] = line.split('\t');
    return {
      location: [name, region, this.#countries[country]].filter(Boolean).join(', '),
      name,
      region: region === '' ? null : region,
      country,
      latitude: Number(latitude),
      longitude: Number(longitude),
    };
  }
}

let loading: Promise<Locations> | null = null;

/** Reads the list when it is first needed. The list takes 7 MB of memory, and 0.1 s outside of the main thread. */
export function loadLocations(): Promise<Locations> {
  loading ??= readFile(new URL('cities.txt.br', import.meta.url))
    .then(promisify(brotliDecompress))
    .then((file) => new Locations(file as Buffer));
  return loading;
}
