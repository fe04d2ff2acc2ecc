import pg from 'pg';

/** What the sessions of this process are called on the server. */
export const administratorName = `tests of process ${process.pid}`;

/** The one session that this process has as superuser on each server. */
const pools = new Map<string, pg.Pool>();

/**
 * Does one statement as superuser, in a session that is kept for the next: each database that is made and dropped
 * would begin two otherwise. It keeps no process from ending.
 */
export async function administer(url: string, statement: string): Promise<void> {
  const pool = pools.get(url) ?? poolAt(url);
  pools.set(url, pool);
  await pool.query(statement);
}

function poolAt(connectionString: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    application_name: administratorName,
    connectionTimeoutMillis: 10_000,
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  });
  // A session that is cut is no failure of a statement: the next one begins another.
  return pool.on('error', () => {});
}
