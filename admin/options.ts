import { InvalidArgumentError } from 'commander';
import { parseEmail } from '../accounts/email.ts';
import { isAcceptablePassword, passwordRule } from '../accounts/password.ts';
import { type Scope, scopes } from '../schemas/scopes.ts';
import { parseUuid } from '../schemas/uuid.ts';

/** An id as commands take it. */
export function id(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('must be a whole number, as `account list` or `token list` shows it.');
}

/** A number of credits, 1 or more. */
export function amount(text: string): number {
  if (/^[1-9]\d{0,11}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('must be a whole number of credits, 1 or more.');
}

/** A number of credits up or down, not 0. */
export function signedAmount(text: string): number {
  if (/^[+-]?[1-9]\d{0,11}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('must be a whole number of credits, such as 100 or -100.');
}

export function email(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254) return parseEmail(text) ?? text;
  throw new InvalidArgumentError('must be an e-mail address.');
}

/** Reads a password for the person with this address. */
export function passwordOf(email: string | null): (text: string) => string {
  return (text) => {
    if (isAcceptablePassword(text, email)) return text;
    throw new InvalidArgumentError(`${passwordRule}.`);
  };
}

export function monitorId(text: string): string {
  const id = parseUuid(text);
  if (id) return id;
  throw new InvalidArgumentError('must be the id of a monitor, as `monitor list` shows it.');
}

export function batchId(text: string): string {
  const id = parseUuid(text);
  if (id) return id;
  throw new InvalidArgumentError('must be the id of a batch, as `webhook list` shows it.');
}

/** One of a closed set of words. */
export function oneOf<T extends string>(words: readonly T[]): (text: string) => T {
  return (text) => {
    const found = words.find((word) => word === text);
    if (found) return found;
    throw new InvalidArgumentError(`must be one of ${words.join(', ')}.`);
  };
}

export function scope(text: string): Scope {
  const found = scopes.find((one) => one === text);
  if (found) return found;
  throw new InvalidArgumentError(`must be one of ${scopes.join(', ')}.`);
}

/** A moment to come; a day alone is its beginning in UTC. */
export function moment(text: string): Date {
  const at = new Date(/^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(text) ? text : Number.NaN);
  if (at.getTime() > Date.now()) return at;
  throw new InvalidArgumentError('must be a moment to come, such as 2027-01-31 or 2027-01-31T12:00:00Z.');
}
