import { createAddressPolicy } from '../net/address.js';
import { createTargetValidator } from '../net/target-validator.js';
import { parseUrl } from '../net/url.js';

/**
 * Creates a function that returns the problem of an entry; null for a valid entry. It has the service's rules for URLs.
 * For queries, it does not have the service's lists of countries and cities.
 */
export function createProblemFinder() {
  const findUrlProblem = createTargetValidator(createAddressPolicy([]));
  return (entry) => (typeof entry === 'string' ? findUrlProblem(entry) : findQueryProblem(entry));
}

const isPage = (value) => Number.isInteger(value) && value >= 1 && value <= 10;
const isBoolean = (value) => typeof value === 'boolean';
const isTarget = (text) =>
  parseUrl(/^https?:\/\//i.test(text) ? text : `https://${text}`)?.hostname.includes('.');

/** Values by field. A cell that could not be converted is still a text. */
const rules = {
  keyword: (text) => text.length <= 512,
  url: isTarget,
  country: (text) => /^[a-z]{2}$/i.test(text),
  language: (text) => /^[a-z]{2}(?:-[a-z\d]{2,3})?$/i.test(text),
  device: (text) => /^(?:desktop|mobile)$/.test(text),
  match: (text) => /^(?:site|host|page|prefix)$/.test(text),
  ...{ brd_mobile: isBoolean, full: isBoolean, start_page: isPage, end_page: isPage },
  competitors: (targets) => targets.length <= 10 && targets.every(isTarget),
};

function findQueryProblem(query) {
  const field = Object.keys(rules).find((name) => query[name] !== undefined && !rules[name](query[name]));
  if (!field) return null;
  const name = field === 'url' ? 'site' : field;
  return `The ${name} “${String(query[field]).slice(0, 40)}” is invalid.`;
}
