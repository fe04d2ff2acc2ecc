import { readValue } from '../lists/values.js';
import { UsageError } from './exit-codes.js';

const fields = {
  site: 'url',
  // A language such as pt-BR implies a country, which --country overrides.
  language: 'language',
  country: 'country',
  location: 'location',
  device: 'device',
  match: 'match',
  pages: 'end_page',
  tag: 'tag',
  competitors: 'competitors',
};

/** Parts of an answer by the option that adds them. */
const parts = { features: 'features', 'ai-overview': 'ai_overview' };

/** Returns values for keywords that do not set their own, by field of the API. */
export function rankDefaults(options) {
  const given = Object.entries(fields).filter(([option]) => options[option] !== undefined);
  const include = Object.entries(parts).flatMap(([option, part]) => (options[option] ? [part] : []));
  const values = given.map(([option, field]) => readDefault(option, field, options[option]));
  const defaults = Object.assign({}, ...values, include.length > 0 ? { include } : {});
  // A location determines its country.
  if (options.location !== undefined && options.country === undefined) delete defaults.country;
  return defaults;
}

function readDefault(option, field, text) {
  const [, first, last] = (option === 'pages' && /^(\d{1,2})\s*[-–]\s*(\d{1,2})$/.exec(text.trim())) || [];
  if (first) return { start_page: Number(first), end_page: Number(last) };
  const value = readValue(field, text.trim());
  if (value === null)
    throw new UsageError(`--${option} has the invalid value ${text}. sonde --help lists the values.`);
  return value;
}
