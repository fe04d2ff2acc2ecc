import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { sql } from 'kysely';
import { type Connection, connect } from '../../db/connect.ts';
import { migrate, pendingMigrations } from '../../db/migrate.ts';
import { eventually } from '../support/eventually.ts';
import { captureLog } from '../support/log.ts';
import { borrowDatabase, itOnOneServer } from '../support/postgres.ts';

const folder = fileURLToPath(new URL('../support/migrations', import.meta.url));

describe('a migration on a running system', () => {
  let connection: Connection;
  let database: Awaited<ReturnType<typeof borrowDatabase>>;

  before(async () => {
    database = await borrowDatabase();
    connection = connect(database.url, 4, () => {});
  });

  after(async () => {
    await connection.close();
    await database.giveBack();
  });

  itOnOneServer('gives way to whoever holds a table, and to all who wait behind it', async () => {
    const { db } = connection;
    await sql`drop table kysely_migration, kysely_migration_lock`.execute(db);
    const { log, lines } = captureLog();
    const held = Promise.withResolvers<void>();
    const write = sql`update api_tokens set name = 'x' where token_id = 0`;
    const holder = db.transaction().execute(async (trx) => {
      await write.execute(trx);
      await held.promise;
    });
    const migrated = migrate({ directUrl: database.url, backend: 'postgres', folder }, log);
    await eventually(async () => {
      const { rows } =
        await sql`select from pg_locks where not granted and relation = 'api_tokens'::regclass`.execute(db);
      return rows.length > 0 ? true : null;
    });
    // Without a limit it would stand behind the migration until the holder lets go, which he does after it.
    await write.execute(db);
    await eventually(async () => (lines.join('').includes('waits for others') ? true : null));
    expect(await pendingMigrations(db, folder)).to.deep.equal(['0001-index']);
    held.resolve();
    await holder;
    await migrated;
    expect(await pendingMigrations(db, folder)).to.deep.equal([]);
  });
});
