import { CompiledQuery, type DatabaseConnection, DummyDriver, PostgresDialect, Transaction } from 'kysely';
import type { Db, Trx } from './connect.ts';
import type { DB } from './tables.ts';
import { beginning } from './timed-dialect.ts';

/**
 * One transaction that waits for nothing it need not: its begin travels with the first statements of `act`, and those
 * that `act` asks for side by side travel at once, in the order in which it asks. The first one that writes must be
 * whole in itself: should the begin alone fail, and nothing else, it would stand by itself.
 */
export function inPromptTransaction<T>(db: Db, act: (trx: Trx) => Promise<T>): Promise<T> {
  return withConnection(db, async (connection, trx) => {
    const begun = connection.executeQuery(beginning());
    try {
      const [result] = await all([act(trx), begun]);
      await end(connection, 'commit');
      return result;
    } catch (error) {
      // What is wrong with the connection has been told by then.
      await end(connection, 'rollback').catch(() => {});
      throw error;
    }
  });
}

/**
 * One transaction of one statement, which travels with its begin and its commit. `ask` must ask for it before it first
 * waits; what of it fails is rolled back.
 */
export function inOneTrip<T>(db: Db, ask: (trx: Trx) => Promise<T>): Promise<T> {
  return withConnection(db, async (connection, trx) => {
    const begun = connection.executeQuery(beginning());
    const [result] = await all([ask(trx), begun, end(connection, 'commit')]);
    return result;
  });
}

async function end(connection: DatabaseConnection, how: 'commit' | 'rollback'): Promise<void> {
  const { rows } = await connection.executeQuery<{ command: string }>(CompiledQuery.raw(how));
  // Postgres answers the commit of a transaction in which a statement failed with ROLLBACK.
  if (how === 'commit' && rows[0]?.command === 'ROLLBACK') throw new Error('the transaction was rolled back');
}

/** Waits for all of them, whatever becomes of one: the connection is given back when it owes nothing. */
async function all<T extends unknown[]>(
  promises: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  await Promise.allSettled(promises);
  return Promise.all(promises) as Promise<T>;
}

// Kysely's own transactions send one statement at a time.
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('this one has a connection')) });
const driver = new DummyDriver();

function withConnection<T>(
  db: Db,
  act: (connection: DatabaseConnection, trx: Trx) => Promise<T>,
): Promise<T> {
  const executor = db.getExecutor();
  return executor.provideConnection((connection) => {
    const trx = new Transaction<DB>({
      config: { dialect },
      dialect,
      driver,
      executor: executor.withConnectionProvider({ provideConnection: (consumer) => consumer(connection) }),
    });
    return act(connection, trx);
  });
}
