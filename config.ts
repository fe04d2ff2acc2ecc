import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { type ProviderChoice, readProviderVariables } from './checks/search/registry.ts';
import { deadlines } from './deadlines.ts';
import type { LogConfig } from './log.ts';
import { OperatorError, settingProblem } from './operator-error.ts';

/** Everything the environment may say, read once, checked and grouped. Units end the names. */
export interface Config {
  database: DatabaseConfig;
  web: {
    /** The one address to listen at; null for all of the machine's. */
    host: string | null;
    port: number;
    baseUrl: string;
    trustProxy: number;
    metricsToken: string | null;
    /** Where webmasters reach the operator: a mail address or a page; shown on /bot. */
    contact: string | null;
    /** POSTs of an account over all processes, and a tenth of its GETs; 0: no limit. */
    rateLimitPerMinute: number;
  };
  checks: {
    timeoutMs: number;
    /** Checks in flight in one process, and of those at one target host. */
    concurrency: number;
    hostConcurrency: number;
    userAgent: string;
    /** Private ranges that may be contacted all the same, in CIDR form. */
    allowCidrs: string[];
    /** Resolvers for target names as `host` or `host:port`; empty for the system's own. */
    dnsServers: string[];
  };
  providers: ProviderConfig;
  /** How long results, and index verdicts with rank points, are kept. */
  retention: { days: number; historyDays: number };
  /** Whether anybody may open an account in the dashboard, and the credits a new one begins with. */
  signUp: { isOpen: boolean; credits: number };
  /** Encrypts webhook secrets at rest; null when unset, which the web and the worker refuse. */
  secretKey: string | null;
  /** The one before it, which what it sealed is still opened with; null when there is none. */
  previousSecretKey: string | null;
  log: LogConfig;
}

/** How the search providers are asked. */
export interface ProviderConfig extends ProviderChoice {
  /** Calls in flight per provider over all processes, and per day (0: no limit). */
  concurrency: number;
  dailyLimit: number;
  /** How long a genuine results page may serve other checks. */
  reuseSeconds: number;
}

export interface DatabaseConfig {
  url: string;
  /** Past a pooler: for migrations, pg-boss in workers, and LISTEN. */
  directUrl: string;
  backend: 'postgres' | 'citus' | 'cockroachdb' | 'yugabytedb';
  poolMax: number;
}

export type Environment = Record<string, string | undefined>;

/** A setting is missing or malformed; the message is the one line the operator reads. */
export class ConfigError extends OperatorError {
  override name = 'ConfigError';

  constructor(variable: string, problem: string, example: string) {
    super(settingProblem(variable, problem, example));
  }
}

export const version: string = JSON.parse(
  readFileSync(new URL('./package.json', import.meta.url), 'utf8'),
).version;

/** Every setting with its default. Throws OperatorError for the first that is wrong. */
export function readConfig(env: Environment): Config {
  const port = integer(env, 'PORT', { fallback: 3000, min: 0, max: 65_535 });
  const baseUrl = httpUrl(env, 'BASE_URL', `http://localhost:${port}`);
  return {
    database: readDatabaseConfig(env),
    web: {
      host: address(env, 'HOST'),
      port,
      baseUrl,
      trustProxy: integer(env, 'TRUST_PROXY', { fallback: env.DYNO ? 1 : 0, min: 0, max: 10 }),
      metricsToken: text(env, 'METRICS_TOKEN'),
      contact: contact(env),
      rateLimitPerMinute: integer(env, 'RATE_LIMIT_PER_MINUTE', { fallback: 600, min: 0, max: 1_000_000 }),
    },
    checks: {
      timeoutMs: integer(env, 'CHECK_TIMEOUT_MS', {
        fallback: 15_000,
        min: 100,
        max: deadlines.httpCheckMaxMs,
      }),
      concurrency: integer(env, 'CHECK_CONCURRENCY', { fallback: 100, min: 1, max: 10_000 }),
      hostConcurrency: integer(env, 'CHECK_HOST_CONCURRENCY', { fallback: 8, min: 1, max: 10_000 }),
      userAgent: headerValue(env, 'CHECK_USER_AGENT', `SondeBot/${version} (+${baseUrl}/bot)`),
      allowCidrs: list(env, 'TARGET_ALLOW_CIDRS', isCidr, '127.0.0.0/8,::1/128'),
      dnsServers: list(env, 'DNS_SERVERS', isResolver, '127.0.0.1:5353'),
    },
    providers: readProviderConfig(env),
    retention: {
      days: integer(env, 'RETENTION_DAYS', { fallback: 90, min: 1, max: 36_500 }),
      historyDays: integer(env, 'HISTORY_DAYS', { fallback: 1100, min: 1, max: 36_500 }),
    },
    signUp: {
      isOpen: oneOf(env, 'SIGNUP', ['closed', 'open'], 'closed') === 'open',
      credits: integer(env, 'SIGNUP_CREDITS', { fallback: 0, min: 0, max: 1_000_000 }),
    },
    secretKey: secretKey(env, 'SECRET_KEY'),
    previousSecretKey: secretKey(env, 'SECRET_KEY_PREVIOUS'),
    log: readLogConfig(env),
  };
}

/** The part that migrations need, so that a release phase asks for nothing else. */
export function readDatabaseConfig(env: Environment): DatabaseConfig {
  const url = postgresUrl(env, 'DATABASE_URL');
  if (url === null) throw new ConfigError('DATABASE_URL', 'is not set', examplePostgres);
  return {
    url,
    directUrl: postgresUrl(env, 'DATABASE_DIRECT_URL') ?? url,
    backend: oneOf(env, 'DATABASE_BACKEND', ['postgres', 'citus', 'cockroachdb', 'yugabytedb'], 'postgres'),
    poolMax: integer(env, 'DATABASE_POOL_MAX', { fallback: 10, min: 5, max: 1000 }),
  };
}

function readProviderConfig(env: Environment): ProviderConfig {
  const names = list(env, 'SERP_PROVIDERS', (name) => /^[a-z]+$/.test(name), 'brightdata,serpapi');
  return {
    names: names.length > 0 ? names : null,
    env: readProviderVariables(env),
    timeoutMs: integer(env, 'PROVIDER_TIMEOUT_MS', { fallback: 20_000, min: 100, max: 120_000 }),
    concurrency: integer(env, 'PROVIDER_CONCURRENCY', { fallback: 20, min: 1, max: 10_000 }),
    dailyLimit: integer(env, 'PROVIDER_DAILY_LIMIT', { fallback: 0, min: 0, max: 1_000_000_000 }),
    reuseSeconds: integer(env, 'SERP_REUSE_SECONDS', { fallback: 60, min: 0, max: 86_400 }),
  };
}

export function readLogConfig(env: Environment): LogConfig {
  const isForPeople = env.NODE_ENV !== 'production' && process.stdout.isTTY;
  return {
    level: oneOf(env, 'LOG_LEVEL', ['error', 'warn', 'info', 'debug'], 'info'),
    format: oneOf(env, 'LOG_FORMAT', ['json', 'pretty'], isForPeople ? 'pretty' : 'json'),
  };
}

const examplePostgres = 'postgres://user:password@host:5432/sonde';

function text(env: Environment, name: string): string | null {
  const value = env[name]?.trim();
  return value ? value : null;
}

function integer(
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

function oneOf<T extends string>(env: Environment, name: string, allowed: readonly T[], fallback: T): T {
  const value = text(env, name);
  if (value === null) return fallback;
  const found = allowed.find((candidate) => candidate === value);
  if (found) return found;
  throw new ConfigError(name, `must be one of ${allowed.join(', ')}, not "${value}"`, fallback);
}

function httpUrl(env: Environment, name: string, fallback: string): string {
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

function address(env: Environment, name: string): string | null {
  const value = text(env, name);
  if (value === null || isIP(value) > 0) return value;
  throw new ConfigError(name, `must be an address of this machine, not "${value}"`, '127.0.0.1');
}

function contact(env: Environment): string | null {
  const value = text(env, 'OPERATOR_CONTACT');
  if (value === null || /^(https?:\/\/|[^\s@:]+@)[^\s@]+$/.test(value)) return value;
  const problem = `must be a mail address or an http address, not "${value}"`;
  throw new ConfigError('OPERATOR_CONTACT', problem, 'ops@example.com');
}

function postgresUrl(env: Environment, name: string): string | null {
  const value = text(env, name);
  if (value === null || (/^postgres(ql)?:\/\/\S+$/.test(value) && URL.canParse(value))) return value;
  // The value is not repeated: it holds a password.
  throw new ConfigError(name, 'is no address of a Postgres', examplePostgres);
}

function list(
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

function isCidr(entry: string): boolean {
  const [address = '', bits = '', ...rest] = entry.split('/');
  const max = isIP(address) === 6 ? 128 : 32;
  return rest.length === 0 && isIP(address) > 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= max;
}

function isResolver(entry: string): boolean {
  const match = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(entry) ?? /^([\d.]+)(?::(\d{1,5}))?$/.exec(entry);
  if (!match) return isIP(entry) === 6;
  return isIP(match[1] ?? '') > 0 && Number(match[2] ?? 53) <= 65_535;
}

function headerValue(env: Environment, name: string, fallback: string): string {
  const value = text(env, name) ?? fallback;
  if (/^[\x20-\x7e]{1,256}$/.test(value)) return value;
  throw new ConfigError(name, 'must be printable ASCII of at most 256 characters', fallback);
}

function secretKey(env: Environment, name: string): string | null {
  const value = text(env, name);
  if (value === null || value.length >= 32) return value;
  throw new ConfigError(name, 'is too short: 32 characters or more', '$(openssl rand -hex 32)');
}
