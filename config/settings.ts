import { isIP } from 'node:net';
import { formatSettingError, OperatorError } from '../process/operator-error.ts';

export type Environment = Record<string, string | undefined>;

export class ConfigError extends OperatorError {
  override name = 'ConfigError';

  constructor(variable: string, problem: string, example: string) {
    super(formatSettingError(variable, problem, example));
  }
}

/** Returns the trimmed value of a variable; null if it is unset or empty. */
export function readText(env: Environment, name: string): string | null {
  const value = env[name]?.trim();
  return value ? value : null;
}

export function readInteger(
  env: Environment,
  name: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const value = readText(env, name);
  if (value === null) return fallback;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= min && number <= max) return number;
  throw new ConfigError(
    name,
    `must be a whole number from ${min} to ${max}, not "${value}"`,
    String(fallback),
  );
}

export function readOneOf<T extends string>(
  env: Environment,
  name: string,
  allowed: readonly T[],
  fallback: T,
): T {
  const value = readText(env, name);
  if (value === null) return fallback;
  const found = allowed.find((candidate) => candidate === value);
  if (found) return found;
  throw new ConfigError(name, `must be one of ${allowed.join(', ')}, not "${value}"`, fallback);
}

/** Returns true for an http or https URL without user name, query and fragment. */
export function isServiceUrl(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username;
}

/** Returns the URL of a service, without slashes at its end. Throws ConfigError. */
export function readHttpUrl(env: Environment, name: string, fallback: string): string {
  const value = (readText(env, name) ?? fallback).replace(/\/+$/, '');
  if (isServiceUrl(value)) return value;
  throw new ConfigError(
    name,
    `must be an http or https URL without user name, query or fragment, not "${value}"`,
    'https://sonde.example.com',
  );
}

/** Returns an IP address; null if it is unset. Throws ConfigError. */
export function readIpAddress(env: Environment, name: string): string | null {
  const value = readText(env, name);
  if (value === null || isIP(value) > 0) return value;
  throw new ConfigError(name, `must be an IP address of this machine, not "${value}"`, '127.0.0.1');
}

/** Returns the entries of a comma-separated list. Throws ConfigError. */
export function readList(
  env: Environment,
  name: string,
  isValid: (entry: string) => boolean,
  example: string,
): string[] {
  const entries = (env[name] ?? '').split(',').map((entry) => entry.trim());
  return entries.filter(Boolean).map((entry) => {
    if (isValid(entry)) return entry;
    throw new ConfigError(name, `has the invalid entry "${entry}"`, example);
  });
}

/** Accepts IP ranges such as `127.0.0.0/8`. */
export function isCidr(entry: string): boolean {
  const [address = '', bits = '', ...rest] = entry.split('/');
  const max = isIP(address) === 6 ? 128 : 32;
  return rest.length === 0 && isIP(address) > 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= max;
}

/** Accepts origins such as `https://app.example.com`, without a path, and `*` for all. */
export function isOriginOrAll(entry: string): boolean {
  return entry === '*' || (/^https?:/.test(entry) && URL.parse(entry)?.origin === entry);
}

/** Accepts IP addresses of name servers, with or without a port. */
export function isResolverAddress(entry: string): boolean {
  const match = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(entry) ?? /^([\d.]+)(?::(\d{1,5}))?$/.exec(entry);
  if (!match) return isIP(entry) === 6;
  return isIP(match[1] ?? '') > 0 && Number(match[2] ?? 53) <= 65_535;
}

/** Returns a value for an HTTP header. Throws ConfigError. */
export function readHeaderValue(env: Environment, name: string, fallback: string): string {
  const value = readText(env, name) ?? fallback;
  if (/^[\x20-\x7e]{1,256}$/.test(value)) return value;
  throw new ConfigError(name, 'must be printable ASCII of at most 256 characters', fallback);
}
