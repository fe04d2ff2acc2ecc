import { readFileSync } from 'node:fs';
import {
  CamelCasePlugin,
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type PostgresPool,
  type PostgresPoolClient,
  type Transaction,
} from 'kysely';
import pg from 'pg';
import { deadlines } from '../../config/deadlines.ts';
import type { DB } from '../tables.ts';

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

/** Sets time-outs for every transaction that may write. The idle one frees the locks of a process that was stopped. */
class TimedDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new TimedDriver(this.#config);
  }
}

class TimedDriver extends PostgresDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: Parameters<PostgresDriver['beginTransaction']>[1],
  ): Promise<void> {
    if (settings.accessMode === 'read only') return super.beginTransaction(connection, settings);
    const level = settings.isolationLevel ? ` isolation level ${settings.isolationLevel}` : '';
    // As one message, and not as start-up options, which poolers refuse.
    const begin = CompiledQuery.raw(`begin${level};
      set local lock_timeout = ${deadlines.lockMs};
      set local statement_timeout = ${deadlines.statementMs};
      set local idle_in_transaction_session_timeout = ${deadlines.idleInTransactionMs}`);
    await connection.executeQuery(begin);
  }
}

/**
 * A pool for Kysely that parts with connections that are of no more use, so that a service outlives a
 * failover without being restarted: those to a server that has become a standby or is going down, and those
 * that have fallen silent. What was asked over one of them fails; the next to ask gets a new one. Source:
 * PostgreSQL's error codes (postgresql.org/docs/18/errcodes-appendix.html).
 */
function renewing(pool: pg.Pool): PostgresPool {
  // A server may end a session between two queries of a transaction. The next query learns of it; without a
  // listener, the event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    options: pool.options,
    connect: async () => watched(await pool.connect()),
    end: () => pool.end(),
  };
}

function watched(client: pg.PoolClient): PostgresPoolClient {
  let reason: unknown = null;
  const query = async (sql: string, parameters: unknown[]) => {
    // Over a silent connection a rollback would take as long again as the query before it.
    if (reason) throw reason;
    try {
      return await client.query(sql, parameters);
    } catch (error) {
      // What could not be rolled back is still open.
      if (isUseless(error) || sql === 'rollback') reason = error;
      throw error;
    }
  };
  return {
    // Kysely's other form is for cursors, which it was not given.
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(reason !== null),
  };
}

function isUseless(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = String((error as { code?: unknown }).code ?? '');
  // 25006: read-only; 57P01 to 57P03: shut down by an operator, crashed, not yet up. pg has no code for its
  // time-out.
  return code === '25006' || /^57P0[123]$/.test(code) || error.message === 'Query read timeout';
}
