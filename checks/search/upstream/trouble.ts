import { ProviderError } from '../serp.ts';

// Names without case and punctuation: `error_message`, `errorMessage` and `ErrorMessage` are one. So many are made of
// these parts that no list of whole names ends.
const troubleWithin =
  /error|exception|traceback|warning|fail|blocked|captcha|challenge|denied|banned|throttl|ratelimit|timedout|partial|incomplete|truncated|abort|cancel|unavailable/;
const saidOfTrouble = new Set(
  'err errcode errmsg message fault detail details timeout quotaexceeded'.split(' '),
);
const saidOfSuccess = new Set('success successful succeeded ok complete completed finished valid'.split(' '));
const saidOfState = new Set(
  'status state statuscode statustext httpstatus httpcode responsecode code upstreamstatus'.split(' '),
);
const wellWords = /^(ok|200|success|successful|succeeded|completed?|done|finished|ready)$/i;

/** Errors: `ProviderError` (upstream) when a reply says that something went wrong, whatever else is in it. */
export function refuseTrouble(provider: string, ...parts: Record<string, unknown>[]): void {
  for (const part of parts) {
    const key = Object.keys(part).find((one) => isTrouble(one, part[one]));
    if (key !== undefined)
      throw new ProviderError(provider, 'upstream', `the reply has a member "${key.slice(0, 40)}"`);
  }
}

/** Whether a member of a reply holds something: no empty list, object or text, no zero, no "false". */
export function isSaid(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value) && value !== 'false';
}

/**
 * The first plain member of a reply (a text, number or truth) that is none of the names it documents; null when there
 * is none. A list or an object may be one more box of Google's page, what is plain tells of the reply itself.
 */
export function unknownMember(part: Record<string, unknown>, ...documented: string[]): string | null {
  const isPlain = (value: unknown) => typeof value !== 'object' && isSaid(value);
  const isUnknown = (key: string) => !documented.includes(key) && (isPlain(part[key]) || part[key] === false);
  return Object.keys(part).find(isUnknown)?.slice(0, 40) ?? null;
}

/**
 * Returns the doubt when a count of results contradicts an empty first page; null otherwise. An empty page behind the
 * last may still count those before it.
 *
 * Source: serpapi/public-roadmap 3501, 3562 and 3864 (February to May 2026): empty replies to searches with results.
 */
export function contradictingCount(count: unknown, page: number): string | null {
  return page === 1 && Number(String(count ?? '').replace(/[.,\s]/g, '')) > 0 ? 'a count of results' : null;
}

/** Whether one of these numbers of pages is behind this page; what is no number may be. */
export function namesPageBehind(numbers: unknown[], page: number): boolean {
  return numbers.some((number) => !(Number.parseInt(String(number), 10) <= page));
}

function isTrouble(key: string, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  const name = key.toLowerCase().replace(/[^a-z]/g, '');
  if (saidOfTrouble.has(name) || troubleWithin.test(name)) return isSaid(value);
  if (saidOfSuccess.has(name.replace(/^(is|has|was)/, ''))) return !isSuccess(value);
  return saidOfState.has(name) && !isWell(value);
}

/** "False" is a text, and so is "no". */
function isSuccess(value: unknown): boolean {
  return /^(true|yes|1)$/i.test(String(value)) || wellWords.test(String(value));
}

function isWell(value: unknown): boolean {
  return value === true || value === 0 || wellWords.test(String(value));
}
