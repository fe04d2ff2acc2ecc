import { CompiledQuery, type DatabaseConnection, DummyDriver, PostgresDialect, Transaction } from 'kysely';
import type { DB } from '../tables.ts';
import type { Db, Trx } from './connect.ts';
import { beginning } from './timed-dialect.ts';

/**
 * One transaction that waits for nothing it need not: its begin travels with the first statements of `act`, and those
 * that `act` asks for side by side travel at once, in the order in which it asks. `last` travels with the commit, and
 * must ask for what it asks before it first waits. The first statement that writes must be whole in itself: should the
 * begin alone fail, and nothing else, it would stand by itself. With `isBegunFirst` the begin is waited for, and with
 * `first` it and what that asks for, which travels with it.
 */
export function inPromptTransaction<T>(
  db: Db,
  act: (trx: Trx) => Promise<T>,
  last: (trx: Trx, result: T) => Promise<void> = async () => {},
  { isBegunFirst = false, first }: { isBegunFirst?: boolean; first?(trx: Trx): Promise<unknown> } = {},
): Promise<T> {
  return withConnection(db, async (connection, trx) => {
    const begun = connection.executeQuery(beginning());
    if (isBegunFirst) await begun;
    try {
      if (first) await sideBySide([begun, first(trx)]);
      const [result] = await sideBySide([act(trx), begun]);
      await sideBySide([last(trx, result), end(connection, 'commit')]);
      return result;
    } catch (error) {
      // What is wrong with the connection has been told by then.
      await end(connection, 'rollback').catch(() => {});
      throw error;
    }
  });
}

/**
 * One transaction whose statements travel with its begin and its commit. `ask` must ask for all of them before it first
 * waits; when one fails, all are rolled back.
 */
export function inOneTrip<T>(db: Db, ask: (trx: Trx) => Promise<T>): Promise<T> {
  return withConnection(db, async (connection, trx) => {
    const begun = connection.executeQuery(beginning());
    const [result] = await sideBySide([ask(trx), begun, end(connection, 'commit')]);
    return result;
  });
}

/** What is asked side by side in `act` travels at once, over one connection and in no transaction. */
export function atOnce<T>(db: Db, act: (connection: Db) => Promise<T>): Promise<T> {
  return withConnection(db, (_connection, trx) => act(trx));
}

async function end(connection: DatabaseConnection, how: 'commit' | 'rollback'): Promise<void> {
  const { rows } = await connection.executeQuery<{ command: string }>(CompiledQuery.raw(how));
  // Postgres answers the commit of a transaction in which a statement failed with ROLLBACK.
  if (how === 'commit' && rows[0]?.command === 'ROLLBACK') throw new Error('the transaction was rolled back');
}

/**
 * What was asked side by side: waits for all of it, whatever becomes of one, and throws what failed first in the
 * order of asking, for that is why the others fail.
 */
export async function sideBySide<T extends unknown[]>(
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
