import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { sql } from 'kysely';
import { pendingMigrations } from '../../db/migrate.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { useRecords } from '../support/records.ts';

const run = promisify(execFile);

describe('the schema', () => {
  const records = useRecords();

  itOnOneServer('has the types of db/schema.ts', async () => {
    const args = ['--config-file', '.kysely-codegenrc.json', '--url', records.url, '--verify'];
    await run('node_modules/.bin/kysely-codegen', args);
  });

  it('has no migration left to run', async () => {
    expect(await pendingMigrations(records.db)).to.deep.equal([]);
  });

  // A foreign key locks the referenced row with the rights of that table's owner. These tests run as superuser, who
  // always has the right.
  it('refers to no table whose owner may not lock its rows', async () => {
    const { rows } = await sql<{ name: string }>`
      select conname as name from pg_constraint join pg_class on pg_class.oid = confrelid
      where contype = 'f' and connamespace = 'public'::regnamespace and not exists (
        select from aclexplode(coalesce(relacl, acldefault('r', relowner)))
        where grantee = relowner and privilege_type = 'UPDATE')`.execute(records.db);
    expect(rows).to.deep.equal([]);
  });
});
