import { readFileSync } from 'node:fs';
import type { CheckSettings } from '../checks/engines.ts';
import { type ProviderChoice, readProviderVariables } from '../checks/search/registry.ts';
import type { LogConfig } from '../process/log.ts';
import { deadlines } from './deadlines.ts';
import { type MailConfig, readMailConfig } from './mail.ts';
import {
  ConfigError,
  type Environment,
  isCidr,
  isOriginOrAll,
  isResolverAddress,
  readHeaderValue,
  readHttpUrl,
  readInteger,
  readIpAddress,
  readList,
  readOneOf,
  readText,
} from './settings.ts';

export { ConfigError, type Environment };

export interface Config {
  database: DatabaseConfig;
  web: {
    /** IP address to listen at; null for all addresses of the machine. */
    host: string | null;
    port: number;
    baseUrl: string;
    trustProxy: number;
    metricsToken: string | null;
    /** Origins whose pages may call the API from a browser; `*` for all, empty for none. */
    corsOrigins: string[];
    /** Email address or URL of the operator, shown to webmasters on /bot. */
    contact: string | null;
    /**
     * Maximum number of write requests per minute and account, over all processes. Ten times as many read requests are
     * allowed. 0: no limit.
     */
    rateLimitPerMinute: number;
  };
  checks: CheckSettings;
  providers: ProviderConfig;
  /** `days`: days to keep results. `historyDays`: days to keep index verdicts and ranks. */
  retention: { days: number; historyDays: number };
  /** Sign-up of visitors in the dashboard, and the credits of a new account. */
  signUp: { isOpen: boolean; credits: number };
  monitorsMax: number;
  /** Encrypts stored secrets, such as webhook secrets. Null if unset. Web and worker processes then do not start. */
  secretKey: string | null;
  /** Decrypts values that were encrypted with the previous key; null if unset. */
  previousSecretKey: string | null;
  mail: MailConfig;
  log: LogConfig;
}

export interface ProviderConfig extends ProviderChoice {
  /** Maximum number of calls in flight per provider, over all processes. */
  concurrency: number;
  /** Maximum number of calls per provider and day. 0: no limit. */
  dailyLimit: number;
  /** Maximum number of result pages per query with `full`. */
  fullPagesMax: number;
  /** Time for which a results page may be reused for other checks. */
  reuseSeconds: number;
}

interface DatabaseConfig {
  url: string;
  /** URL that does not lead through a connection pooler. Migrations, LISTEN and the workers' pg-boss use it. */
  directUrl: string;
  backend: 'postgres' | 'citus' | 'cockroachdb' | 'yugabytedb';
  poolMax: number;
}

export const version: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version;

/** Throws ConfigError for the first invalid setting. */
export function readConfig(env: Environment): Config {
  const port = readInteger(env, 'PORT', { fallback: 3000, min: 0, max: 65_535 });
  const baseUrl = readHttpUrl(env, 'BASE_URL', `http://localhost:${port}`);
  return {
    database: readDatabaseConfig(env),
    web: {
      host: readIpAddress(env, 'HOST'),
      port,
      baseUrl,
      trustProxy: readInteger(env, 'TRUST_PROXY', { fallback: env.DYNO ? 1 : 0, min: 0, max: 10 }),
      metricsToken: readText(env, 'METRICS_TOKEN'),
      corsOrigins: readList(env, 'CORS_ORIGINS', isOriginOrAll, 'https://app.example.com'),
      contact: readContact(env),
      rateLimitPerMinute: readInteger(env, 'RATE_LIMIT_PER_MINUTE', {
        fallback: 600,
        min: 0,
        max: 1_000_000,
      }),
    },
    checks: {
      timeoutMs: readInteger(env, 'CHECK_TIMEOUT_MS', {
        fallback: 15_000,
        min: 100,
        max: deadlines.httpCheckMaxMs,
      }),
      concurrency: readInteger(env, 'CHECK_CONCURRENCY', { fallback: 100, min: 1, max: 10_000 }),
      hostConcurrency: readInteger(env, 'CHECK_HOST_CONCURRENCY', { fallback: 8, min: 1, max: 10_000 }),
      userAgent: readHeaderValue(env, 'CHECK_USER_AGENT', `SondeBot/${version} (+${baseUrl}/bot)`),
      allowCidrs: readList(env, 'TARGET_ALLOW_CIDRS', isCidr, '127.0.0.0/8,::1/128'),
      dnsServers: readList(env, 'DNS_SERVERS', isResolverAddress, '127.0.0.1:5353'),
      canaryUrl: readText(env, 'CHECK_CANARY_URL') && readHttpUrl(env, 'CHECK_CANARY_URL', ''),
    },
    providers: readProviderConfig(env),
    retention: {
      days: readInteger(env, 'RETENTION_DAYS', { fallback: 90, min: 1, max: 36_500 }),
      historyDays: readInteger(env, 'HISTORY_DAYS', { fallback: 1100, min: 1, max: 36_500 }),
    },
    monitorsMax: readInteger(env, 'MONITORS_MAX', { fallback: 100, min: 0, max: 10_000 }),
    signUp: {
      isOpen: readOneOf(env, 'SIGNUP', ['closed', 'open'], 'closed') === 'open',
      credits: readInteger(env, 'SIGNUP_CREDITS', { fallback: 0, min: 0, max: 1_000_000 }),
    },
    secretKey: readSecretKey(env, 'SECRET_KEY'),
    previousSecretKey: readSecretKey(env, 'SECRET_KEY_PREVIOUS'),
    mail: readMailConfig(env, baseUrl),
    log: readLogConfig(env),
  };
}

/** Reads the settings of the database. Migrations need no other settings. */
export function readDatabaseConfig(env: Environment): DatabaseConfig {
  const url = readPostgresUrl(env, 'DATABASE_URL');
  if (url === null) throw new ConfigError('DATABASE_URL', 'is not set', examplePostgres);
  return {
    url,
    directUrl: readPostgresUrl(env, 'DATABASE_DIRECT_URL') ?? url,
    backend: readOneOf(
      env,
      'DATABASE_BACKEND',
      ['postgres', 'citus', 'cockroachdb', 'yugabytedb'],
      'postgres',
    ),
    poolMax: readInteger(env, 'DATABASE_POOL_MAX', { fallback: 10, min: 5, max: 1000 }),
  };
}

function readProviderConfig(env: Environment): ProviderConfig {
  const names = readList(env, 'SERP_PROVIDERS', (name) => /^[a-z]+$/.test(name), 'brightdata,serpapi');
  return {
    names: names.length > 0 ? names : null,
    env: readProviderVariables(env),
    timeoutMs: readInteger(env, 'PROVIDER_TIMEOUT_MS', { fallback: 20_000, min: 100, max: 120_000 }),
    concurrency: readInteger(env, 'PROVIDER_CONCURRENCY', { fallback: 20, min: 1, max: 10_000 }),
    dailyLimit: readInteger(env, 'PROVIDER_DAILY_LIMIT', { fallback: 0, min: 0, max: 1_000_000_000 }),
    fullPagesMax: readInteger(env, 'FULL_PAGES_MAX', { fallback: 10, min: 1, max: 10 }),
    reuseSeconds: readInteger(env, 'SERP_REUSE_SECONDS', { fallback: 60, min: 0, max: 86_400 }),
  };
}

export function readLogConfig(env: Environment): LogConfig {
  const isTerminal = env.NODE_ENV !== 'production' && process.stdout.isTTY;
  return {
    level: readOneOf(env, 'LOG_LEVEL', ['error', 'warn', 'info', 'debug'], 'info'),
    format: readOneOf(env, 'LOG_FORMAT', ['json', 'pretty'], isTerminal ? 'pretty' : 'json'),
  };
}

const examplePostgres = 'postgres://user:password@host:5432/sonde';

function readContact(env: Environment): string | null {
  const value = readText(env, 'OPERATOR_CONTACT');
  if (value === null || /^(https?:\/\/|[^\s@:]+@)[^\s@]+$/.test(value)) return value;
  const problem = `must be an email address or an http URL, not "${value}"`;
  throw new ConfigError('OPERATOR_CONTACT', problem, 'ops@example.com');
}

function readPostgresUrl(env: Environment, name: string): string | null {
  const value = readText(env, name);
  if (value === null || (/^postgres(ql)?:\/\/\S+$/.test(value) && URL.canParse(value))) return value;
  // The message does not repeat the value, because it contains a password.
  throw new ConfigError(name, 'is not a Postgres URL', examplePostgres);
}

function readSecretKey(env: Environment, name: string): string | null {
  const value = readText(env, name);
  if (value === null || value.length >= 32) return value;
  throw new ConfigError(name, 'is too short. Use at least 32 characters', '$(openssl rand -hex 32)');
}
