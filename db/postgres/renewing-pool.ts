import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';

/**
 * A pool for Kysely that parts with connections that are of no more use, so that a service outlives a
 * failover without being restarted: those to a server that has become a standby or is going down, and those
 * that have fallen silent. What was asked over one of them fails; the next to ask gets a new one. Source:
 * PostgreSQL's error codes (postgresql.org/docs/18/errcodes-appendix.html).
 */
export function renewing(pool: pg.Pool): PostgresPool {
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
