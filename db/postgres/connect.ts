import { readFileSync } from 'node:fs';
import {
  CamelCasePlugin,
  CompiledQuery,
  type DatabaseConnection,
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

/** A pool of connections, or a transaction. */
export type Db = Kysely<DB>;
/** A transaction. A function has this parameter if it takes a lock, or if its writes must commit with other writes. */
export type Trx = Transaction<DB>;

export interface Connection {
  db: Db;
  pool: pg.Pool;
  /** `sslmode` in force, for the log. */
  encryption: string;
  close(): Promise<void>;
}

/**
 * Creates a pool of at most `max` connections, and a Kysely instance for the pool. Reads 64-bit integers as numbers
 * (ids and credits stay below 2^53), timestamps as Date, and rows in camelCase. `isService` adds a time-out to queries.
 * Processes that must survive outages of the database need this time-out.
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
    dialect: createTimedDialect({ pool: withDiscarding(pool) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  return { db, pool, encryption, close: () => db.destroy() };
}

/** Runs a transaction with time-outs for locks, statements and idling. */
export function inTransaction<T>(db: Db, run: (trx: Trx) => Promise<T>): Promise<T> {
  return db.transaction().execute(run);
}

/** Runs a read-only transaction. All its queries see the database as it was at the first query. */
export function inSnapshot<T>(db: Db, run: (trx: Trx) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(run);
}

/**
 * Returns the options of pg for a URL. `sslmode` has the same meaning as in libpq
 * (postgresql.org/docs/18/libpq-ssl.html). The default is plain text for loopback and sockets. For other hosts, the
 * default is TLS with an unverified certificate, as hosted databases require. pg itself would read `require` as
 * `verify-full`. With an `sslmode` in the URL, pg would also replace the `ssl` object. The parameters are therefore
 * removed from the URL.
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
// 1016 is bigint[], which has no name in pg. Our arrays have one dimension and no nulls.
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
  // `allow` and `prefer` do not guarantee TLS, so plain text is correct for both.
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

/** Sets time-outs in every transaction. The idle time-out releases the locks of a process that hangs. */
function createTimedDialect(config: PostgresDialectConfig): PostgresDialect {
  return Object.assign(new PostgresDialect(config), { createDriver: () => new TimedDriver(config) });
}

class TimedDriver extends PostgresDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: Parameters<PostgresDriver['beginTransaction']>[1],
  ): Promise<void> {
    const level = settings.isolationLevel ? ` isolation level ${settings.isolationLevel}` : '';
    // The settings are sent with `begin` in one message, because poolers reject start-up options.
    const access = settings.accessMode ? ` ${settings.accessMode}` : '';
    const begin = CompiledQuery.raw(`begin${level}${access};
      set local lock_timeout = ${deadlines.lockMs};
      set local statement_timeout = ${deadlines.statementMs};
      set local idle_in_transaction_session_timeout = ${deadlines.idleInTransactionMs}`);
    await connection.executeQuery(begin);
  }
}

/**
 * Wraps a pool so that it closes unusable connections. A connection is unusable if it timed out, or if the server has
 * become a standby or shuts down. So a service survives a failover without a restart. Source: PostgreSQL's error codes
 * (postgresql.org/docs/18/errcodes-appendix.html).
 */
function withDiscarding(pool: pg.Pool): PostgresPool {
  // A server may end a session between two queries of a transaction. Without a listener, this event would end the
  // process. The next query fails anyway.
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    options: pool.options,
    connect: async () => discardingClient(await pool.connect()),
    end: () => pool.end(),
  };
}

function discardingClient(client: pg.PoolClient): PostgresPoolClient {
  let reason: unknown = null;
  const query = async (sql: string, parameters: unknown[]) => {
    // On a connection that timed out, a rollback would time out too.
    if (reason) throw reason;
    try {
      return await client.query(sql, parameters);
    } catch (error) {
      // After a failed rollback, the transaction is still open.
      if (isConnectionUnusable(error) || sql === 'rollback') reason = error;
      throw error;
    }
  };
  return {
    // Kysely's other overload is for cursors, which are not configured.
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(reason !== null),
  };
}

function isConnectionUnusable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = String((error as { code?: unknown }).code ?? '');
  // 25006: read-only. 57P01 to 57P03: an operator has shut the server down, or the server has crashed or is starting.
  // pg has no code for its time-out.
  return code === '25006' || /^57P0[123]$/.test(code) || error.message === 'Query read timeout';
}
