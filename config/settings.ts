import { isIP } from 'node:net';
import { OperatorError, settingProblem } from '../process/operator-error.ts';

export type Environment = Record<string, string | undefined>;

/** A setting is missing or malformed; the message is the one line the operator reads. */
export class ConfigError extends OperatorError {
  override name = 'ConfigError';

  constructor(variable: string, problem: string, example: string) {
    super(settingProblem(variable, problem, example));
  }
}

/** What a variable says, without white space around; null when it is unset or empty. */
export function text(env: Environment, name: string): string | null {
  const value = env[name]?.trim();
  return value ? value : null;
}

/** A whole number within bounds. Throws ConfigError. */
export function integer(
  env: Environment,
  name: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const value = text(env, name);
  if (value === null) return fallback;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= min && number <= max) return number;
  throw new ConfigError(
    name,
    `must be a whole number from ${min} to ${max}, not "${value}"`,
    String(fallback),
  );
}

/** One of a closed set of words. Throws ConfigError. */
export function oneOf<T extends string>(
  env: Environment,
  name: string,
  allowed: readonly T[],
  fallback: T,
): T {
  const value = text(env, name);
  if (value === null) return fallback;
  const found = allowed.find((candidate) => candidate === value);
  if (found) return found;
  throw new ConfigError(name, `must be one of ${allowed.join(', ')}, not "${value}"`, fallback);
}

/** An address of a service, without a slash at its end. Throws ConfigError. */
export function httpUrl(env: Environment, name: string, fallback: string): string {
  const value = (text(env, name) ?? fallback).replace(/\/+$/, '');
  const url = URL.canParse(value) ? new URL(value) : null;
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username;
  if (isPlain) return value;
  throw new ConfigError(
    name,
    `must be an http or https address, not "${value}"`,
    'https://sonde.example.com',
  );
}

/** An IP address; null when it is unset. Throws ConfigError. */
export function address(env: Environment, name: string): string | null {
  const value = text(env, name);
  if (value === null || isIP(value) > 0) return value;
  throw new ConfigError(name, `must be an address of this machine, not "${value}"`, '127.0.0.1');
}

/** Entries between commas, each of which fits. Throws ConfigError. */
export function list(
  env: Environment,
  name: string,
  isValid: (entry: string) => boolean,
  example: string,
): string[] {
  const entries = (env[name] ?? '').split(',').map((entry) => entry.trim());
  return entries.filter(Boolean).map((entry) => {
    if (isValid(entry)) return entry;
    throw new ConfigError(name, `has "${entry}", which does not fit`, example);
  });
}

/** Whether this is a range of addresses such as `127.0.0.0/8`. */
export function isCidr(entry: string): boolean {
  const [address = '', bits = '', ...rest] = entry.split('/');
  const max = isIP(address) === 6 ? 128 : 32;
  return rest.length === 0 && isIP(address) > 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= max;
}

/** Whether this is an origin such as `https://app.example.com`, without a path, or `*` for all of them. */
export function isOriginOrAll(entry: string): boolean {
  return entry === '*' || (/^https?:/.test(entry) && URL.parse(entry)?.origin === entry);
}

/** Whether this is an address of a name server, with or without a port. */
export function isResolver(entry: string): boolean {
  const match = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(entry) ?? /^([\d.]+)(?::(\d{1,5}))?$/.exec(entry);
  if (!match) return isIP(entry) === 6;
  return isIP(match[1] ?? '') > 0 && Number(match[2] ?? 53) <= 65_535;
}

/** What may stand in a header. Throws ConfigError. */
export function headerValue(env: Environment, name: string, fallback: string): string {
  const value = text(env, name) ?? fallback;
  if (/^[\x20-\x7e]{1,256}$/.test(value)) return value;
  throw new ConfigError(name, 'must be printable ASCII of at most 256 characters', fallback);
}
