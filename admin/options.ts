import { InvalidArgumentError } from 'commander';
import { parseEmail } from '../accounts/email.ts';
import { isAcceptablePassword, passwordRule } from '../accounts/password.ts';
import { parseUuid } from '../schemas/uuid.ts';

export function parseId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('must be an id as shown by `account list` or `token list`.');
}

export function parseAmount(text: string): number {
  if (/^[1-9]\d{0,11}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('must be a whole number of credits, 1 or more.');
}

export function parseSignedAmount(text: string): number {
  if (/^[+-]?[1-9]\d{0,11}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('must be a whole number of credits other than 0, such as 100 or -100.');
}

export function parseEmailOption(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254) return parseEmail(text) ?? text;
  throw new InvalidArgumentError('must be an email address.');
}

export function createPasswordParser(email: string | null): (text: string) => string {
  return (text) => {
    if (isAcceptablePassword(text, email)) return text;
    throw new InvalidArgumentError(`${passwordRule}.`);
  };
}

export function parseMonitorId(text: string): string {
  const id = parseUuid(text);
  if (id) return id;
  throw new InvalidArgumentError('must be a monitor id as shown by `monitor list`.');
}

export function parseBatchId(text: string): string {
  const id = parseUuid(text);
  if (id) return id;
  throw new InvalidArgumentError('must be a batch id as shown by `webhook list`.');
}

export function createEnumParser<T extends string>(words: readonly T[]): (text: string) => T {
  return (text) => {
    const found = words.find((word) => word === text);
    if (found) return found;
    throw new InvalidArgumentError(`must be one of ${words.join(', ')}.`);
  };
}

/** Parses a time in the future. A date means midnight UTC. */
export function parseFutureTime(text: string): Date {
  const at = new Date(/^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(text) ? text : Number.NaN);
  if (at.getTime() > Date.now()) return at;
  throw new InvalidArgumentError(
    'must be a date or time in the future, such as 2027-01-31 or 2027-01-31T12:00:00Z.',
  );
}
