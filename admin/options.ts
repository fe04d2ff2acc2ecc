import { InvalidArgumentError } from 'commander';

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
  if (/^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254) return text;
  throw new InvalidArgumentError('must be an e-mail address.');
}

export function password(text: string): string {
  if (text.length >= 8 && text.length <= 200) return text;
  throw new InvalidArgumentError('must have 8 to 200 characters.');
}
