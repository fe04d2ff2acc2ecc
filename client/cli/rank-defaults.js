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

/** Defaults for keywords of a list that do not set their own value, in the fields of the API. */
export function rankDefaults(options) {
  const given = Object.entries(fields).filter(([option]) => options[option] !== undefined);
  return Object.assign({}, ...given.map(([option, field]) => defaultOf(option, field, options[option])));
}

function defaultOf(option, field, text) {
  const value = readValue(field, text.trim());
  if (value === null) throw new UsageError(`--${option} ${text} is not understood`);
  return value;
}
