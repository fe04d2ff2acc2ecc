import { readFileSync } from 'node:fs';
import { CamelCasePlugin, Kysely, type Transaction } from 'kysely';
import pg from 'pg';
import { deadlines } from '../../config/deadlines.ts';
import type { DB } from '../tables.ts';
import { renewing } from './renewing-pool.ts';
import { TimedDialect } from './timed-dialect.ts';

export type Db = Kysely<DB>;
/** What a verb demands that takes a lock or must commit together with others. */
export type Trx = Transaction<DB>;

export interface Connection {
  db: Db;
  pool: pg.Pool;
  /** What is in force between us and the server, for one line in the log. */
  encryption: string;
  close(): Promise<void>;
}

/**
 * A pool and Kysely over it. 64-bit integers are read as numbers (ids and credits stay below 2^53),
 * timestamps as Date, rows in camelCase. `max` is the pool's share of DATABASE_POOL_MAX. `isService`: for a
 * process that is to live through every trouble of the database; without it a query may take as long as it
 * wants.
 */
export function connect(
  url: string,
  max: number,
  onError: (error: Error) => void,
  { isService = false } = {},
): Connection {
  const { options, encryption } = connectionOptions(url);
  const pool = new pg.Pool({
    ...options,
    max,
    types: numbersAsNumbers,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    application_name: 'sonde',
    ...(isService ? { query_timeout: deadlines.silenceMs } : {}),
  });
  // Without a listener, a server that closes an idle connection would end the process.
  pool.on('error', onError);
  const db = new Kysely<DB>({
    dialect: new TimedDialect({ pool: renewing(pool) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  return { db, pool, encryption, close: () => db.destroy() };
}

/** Runs a transaction with time-outs of its own. */
export function inTransaction<T>(db: Db, act: (trx: Trx) => Promise<T>): Promise<T> {
  return db.transaction().execute(act);
}

/** One transaction that sees the database as it was at its first query, and takes no lock that stops anyone. */
export function inSnapshot<T>(db: Db, act: (trx: Trx) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(act);
}

/**
 * What pg is given for a URL, with libpq's meaning of `sslmode` (postgresql.org/docs/18/libpq-ssl.html).
 * Without one: no TLS on loopback or a socket, elsewhere TLS with an unverified certificate, as hosted
 * databases want it. pg would read `require` as `verify-full`, and would let any `sslmode` in the URL replace
 * the `ssl` object.
 */
export function connectionOptions(url: string): { options: pg.ClientConfig; encryption: string } {
  const parsed = new URL(url);
  const take = (name: string) => {
    const value = parsed.searchParams.get(name);
    parsed.searchParams.delete(name);
    return value;
  };
  const mode = take('sslmode') ?? defaultMode(parsed);
  const root = take('sslrootcert');
  const files = { cert: readIfNamed(take('sslcert')), key: readIfNamed(take('sslkey')) };
  const ca = root === null || root === 'system' ? undefined : readFileSync(root, 'utf8');
  return { options: { connectionString: parsed.href, ssl: tlsOptions(mode, ca, files) }, encryption: mode };
}

const numbersAsNumbers = new pg.TypeOverrides();
numbersAsNumbers.setTypeParser(pg.types.builtins.INT8, Number);
// bigint[], which pg has no name for; ours have one dimension and no nulls.
numbersAsNumbers.setTypeParser(1016, (text: string) =>
  text.slice(1, -1).split(',').filter(Boolean).map(Number),
);

function defaultMode(url: URL): string {
  const host = url.searchParams.get('host') ?? url.hostname;
  const isLocal = host === '' || host.startsWith('/') || /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(host);
  return isLocal ? 'disable' : 'require';
}

function tlsOptions(
  mode: string,
  ca: string | undefined,
  files: { cert?: string; key?: string },
): pg.ClientConfig['ssl'] {
  // `allow` and `prefer` promise nothing, so plain text, which they begin or may end with, keeps the promise.
  if (mode === 'disable' || mode === 'allow' || mode === 'prefer') return false;
  if (mode === 'no-verify' || (mode === 'require' && ca === undefined)) {
    return { ...files, rejectUnauthorized: false };
  }
  const isHostChecked = mode === 'verify-full';
  return { ...files, ca, ...(isHostChecked ? {} : { checkServerIdentity: () => undefined }) };
}

function readIfNamed(path: string | null): string | undefined {
  return path === null ? undefined : readFileSync(path, 'utf8');
}
