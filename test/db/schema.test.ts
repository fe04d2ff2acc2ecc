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

  it('begins every key of an account-owned table with the account', async () => {
    const { rows } = await sql<{ table: string; index: string; first: string }>`
      select tablename as table, indexname as index, attname as first
      from pg_indexes
      join pg_class on pg_class.relname = indexname
      join pg_index on pg_index.indexrelid = pg_class.oid and pg_index.indisunique
      join pg_attribute on pg_attribute.attrelid = pg_index.indrelid and attnum = pg_index.indkey[0]
      where schemaname = 'public'`.execute(records.db);
    const { rows: owned } = await sql<{ table: string }>`
      select table_name as table from information_schema.columns
      where table_schema = 'public' and column_name = 'account_id'`.execute(records.db);
    // These are found by a secret or an address before the account is known, so they are not distributed.
    const exempt = new Set([
      'api_tokens',
      'invitations',
      'report_links',
      'sessions',
      'users',
      'mails',
      'mail_opt_outs',
    ]);
    const tables = new Set(owned.map(({ table }) => table).filter((table) => !exempt.has(table)));
    const keys = rows.filter(({ table }) => tables.has(table));
    expect(keys.length).to.be.greaterThan(8);
    expect(keys.filter(({ first }) => first !== 'account_id')).to.deep.equal([]);
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

  it('refers from one account-owned table to another with the account', async () => {
    const { rows } = await sql<{ name: string; definition: string }>`
      select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
      where contype = 'f' and connamespace = 'public'::regnamespace`.execute(records.db);
    const between = rows.filter(
      ({ name }) =>
        !/^(mail_links|mail_opt_outs|memberships|passkey|recovery_codes|sessions|sign_in_|token_spending|totp_factors)/.test(
          name,
        ),
    );
    expect(between.length).to.be.greaterThan(5);
    for (const { definition } of between) expect(definition).to.match(/FOREIGN KEY \(account_id/);
    const ledger = rows.filter(({ name }) => name.startsWith('ledger_entries'));
    expect(ledger.map(({ definition }) => definition)).to.deep.equal([
      'FOREIGN KEY (account_id) REFERENCES accounts(account_id)',
    ]);
  });
});
