import { ProviderError } from '../serp.ts';

// Matches names in lower case without punctuation, such as `errormessage` for `error_message`. It matches parts of
// names, because providers combine them in many ways.
const errorNamePart =
  /error|exception|traceback|warning|fail|blocked|captcha|challenge|denied|banned|throttl|ratelimit|timedout|partial|incomplete|truncated|abort|cancel|unavailable/;
const errorNames = new Set(
  'err errcode errmsg message fault detail details timeout quotaexceeded'.split(' '),
);
const successNames = new Set('success successful succeeded ok complete completed finished valid'.split(' '));
const stateNames = new Set(
  'status state statuscode statustext httpstatus httpcode responsecode code upstreamstatus'.split(' '),
);
const successValues = /^(ok|200|success|successful|succeeded|completed?|done|finished|ready)$/i;

/** Throws `ProviderError` (upstream) if a reply reports an error, even if it also has results. */
export function rejectErrorReply(provider: string, ...parts: Record<string, unknown>[]): void {
  for (const part of parts) {
    const key = Object.keys(part).find((one) => reportsError(one, part[one]));
    if (key !== undefined)
      throw new ProviderError(provider, 'upstream', `the reply has a member "${key.slice(0, 40)}"`);
  }
}

/** Returns false for an empty list, object or text, and for zero, null, false and "false"; else true. */
export function hasContent(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value) && value !== 'false';
}

/**
 * Returns the first undocumented member with a text, number or boolean; null if there is no such member. Such a member
 * may report a problem of the reply. Ignores lists and objects, because they may be further parts of Google's page.
 */
export function findUnknownMember(part: Record<string, unknown>, ...documented: string[]): string | null {
  const isPlain = (value: unknown) => typeof value !== 'object' && hasContent(value);
  const isUnknown = (key: string) => !documented.includes(key) && (isPlain(part[key]) || part[key] === false);
  return Object.keys(part).find(isUnknown)?.slice(0, 40) ?? null;
}

/**
 * Returns a text when a count of results contradicts an empty first page; else null. On a later page, the count proves
 * nothing, because it may include earlier pages.
 *
 * Source: serpapi/public-roadmap 3501, 3562 and 3864 (February to May 2026): empty replies to searches with results.
 */
export function findContradictingCount(count: unknown, page: number): string | null {
  return page === 1 && Number(String(count ?? '').replace(/[.,\s]/g, '')) > 0 ? 'a count of results' : null;
}

/** Returns whether one of these page numbers is, or may be, after a page. */
export function hasLaterPage(numbers: unknown[], page: number): boolean {
  return numbers.some((number) => !(Number.parseInt(String(number), 10) <= page));
}

function reportsError(key: string, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  const name = key.toLowerCase().replace(/[^a-z]/g, '');
  if (errorNames.has(name) || errorNamePart.test(name)) return hasContent(value);
  if (successNames.has(name.replace(/^(is|has|was)/, ''))) return !isSuccess(value);
  return stateNames.has(name) && !isSuccessState(value);
}

// The value may be a text such as "False" or "no".
function isSuccess(value: unknown): boolean {
  return /^(true|yes|1)$/i.test(String(value)) || successValues.test(String(value));
}

function isSuccessState(value: unknown): boolean {
  return value === true || value === 0 || successValues.test(String(value));
}
