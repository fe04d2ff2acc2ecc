import { type Kysely, sql } from 'kysely';

// Safe on a running system: processes of before write the three types they know, and those fit. Every row
// there is has passed the stricter check that goes, so the new one is not held against them, and no table is
// read under the lock.
export async function up(db: Kysely<unknown>): Promise<void> {
  // Which types of check there are is for the code to say, in one place; the database only holds the form of
  // the word.
  for (const table of ['batches', 'chunks', 'items', 'history']) {
    await sql`
      alter table ${sql.table(table)}
        drop constraint ${sql.ref(`${table}_type_check`)},
        add constraint ${sql.ref(`${table}_type_form`)} check (type ~ '^[a-z][a-z0-9_]{0,31}$') not valid`.execute(
      db,
    );
  }
}
