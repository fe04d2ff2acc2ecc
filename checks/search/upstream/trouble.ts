import { ProviderError } from '../serp.ts';

// Names without case and punctuation: `error_message`, `errorMessage` and `ErrorMessage` are one.
const saidOfTrouble = new Set(
  (
    'error errors errorcode errormessage errormsg errordescription errordetails err errcode errmsg message exception ' +
    'fault failure detail details failed isfailed blocked isblocked captcha iscaptcha iserror haserror haserrors timedout'
  ).split(' '),
);
const saidOfSuccess = new Set('success issuccess successful succeeded ok'.split(' '));
const saidOfState = new Set('status state statuscode httpstatus responsecode code upstreamstatus'.split(' '));
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

function isTrouble(key: string, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  const name = key.toLowerCase().replace(/[^a-z]/g, '');
  if (saidOfTrouble.has(name)) return isSaid(value);
  if (saidOfSuccess.has(name)) return !isSaid(value);
  return saidOfState.has(name) && !isWell(value);
}

function isWell(value: unknown): boolean {
  return value === true || value === 0 || wellWords.test(String(value));
}
