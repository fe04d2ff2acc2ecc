import { readValue } from '../lists/values.js';
import { UsageError } from './exit-codes.js';

const fields = {
  site: 'url',
  country: 'country',
  language: 'language',
  device: 'device',
  match: 'match',
  pages: 'pages',
  tag: 'tag',
  competitors: 'competitors',
};

/** Returns values for keywords that do not set their own, by field of the API. */
export function rankDefaults(options) {
  const given = Object.entries(fields).filter(([option]) => options[option] !== undefined);
  return Object.assign({}, ...given.map(([option, field]) => readDefault(option, field, options[option])));
}

function readDefault(option, field, text) {
  const value = readValue(field, text.trim());
  if (value === null) throw new UsageError(`--${option} has the invalid value ${text}`);
  return value;
}
