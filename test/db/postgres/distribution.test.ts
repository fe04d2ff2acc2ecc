import { expect } from 'chai';
import { sql } from 'kysely';
import { distribute, distributedFunctions, distributedTables } from '../../../db/postgres/distribution.ts';
import { isCluster } from '../../support/postgres.ts';
import { useRecords } from '../../support/records.ts';
import { localTables, parseTables } from '../../support/statement-rules.ts';

describe('the tables of a cluster', () => {
  const records = useRecords({ connections: 1 });

  const asked = async <T>(query: ReturnType<typeof sql<T>>) => (await query.execute(records.db)).rows;

  it('are all existing tables, each with its distribution', async () => {
    const tables = await asked(sql<{ name: string }>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname not like 'kysely%'`);
    const placed = [...distributedTables, ...localTables];
    expect(placed.toSorted()).to.deep.equal(tables.map(({ name }) => name).toSorted());
  });

  it('begin every key with the account if they are distributed by account', async () => {
    const keys = await asked(sql<{ table: string; first: string }>`
      select indrelid::regclass::text as table, attname as first
      from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]
      where indisunique and indrelid::regclass::text = any(${distributedTables}::text[])`);
    expect(keys.length).to.be.greaterThan(10);
    expect(keys.filter(({ first }) => first !== 'account_id')).to.deep.equal([]);
  });

  it('reference only tables with the same distribution, and with the account', async () => {
    const references = await asked(sql<{ from: string; to: string; hasAccount: boolean }>`
      select conrelid::regclass::text as from, confrelid::regclass::text as to,
        attname = 'account_id' as has_account
      from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
      where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`);
    const byAccount = new Set<string>(distributedTables);
    const wrong = references.filter(
      ({ from, to, hasAccount }) =>
        byAccount.has(from) !== byAccount.has(to) || byAccount.has(from) !== hasAccount,
    );
    expect(references.length).to.be.greaterThan(8);
    expect(wrong).to.deep.equal([]);
    const ledger = references.filter(({ from }) => from === 'ledger_entries');
    expect(ledger.map(({ to }) => to)).to.deep.equal(['accounts']);
  });

  it('are never mixed with local tables in one function', async () => {
    const functions = await asked(sql<{ name: string; text: string }>`
      select proname as name, prosrc as text from pg_proc
      where pronamespace = 'public'::regnamespace and probin is null`);
    const [distributed, local] = [new Set<string>(distributedTables), new Set<string>(localTables)];
    const mixed = functions.filter(({ text }) => {
      const tables = parseTables(text.toLowerCase().replace(/--.*$/gm, '').replace(/\s+/g, ' '));
      return tables.some((table) => distributed.has(table)) && tables.some((table) => local.has(table));
    });
    expect(functions.length).to.be.greaterThan(5);
    expect(mixed.map(({ name }) => name)).to.deep.equal([]);
  });

  (isCluster ? it : it.skip)('are distributed by the migrations, once, with their functions', async () => {
    const spread = await asked(
      sql<{ name: string }>`select logicalrelid::text as name from pg_dist_partition
        join pg_class on pg_class.oid = logicalrelid and not relispartition`,
    );
    expect(spread.map(({ name }) => name).toSorted()).to.deep.equal(distributedTables.toSorted());
    const functions = await asked(sql<{ name: string }>`
      select objid::regproc::text as name from pg_dist_object
      where classid = 'pg_proc'::regclass and distribution_argument_index is not null`);
    expect(functions.map(({ name }) => name).toSorted()).to.deep.equal(
      Object.keys(distributedFunctions).toSorted(),
    );
    expect(await distribute(records.db, 2000)).to.deep.equal([]);
  });

  (isCluster ? it : it.skip)(
    'have their functions called on the node of the account, within a transaction',
    async () => {
      const calls = [
        sql`record_outcomes(1::bigint, '00000000-0000-0000-0000-000000000000', '[]', '{}', '{}', '{}', '{}', false)`,
        sql`fill_job_window(1::bigint, 'http', 20)`,
      ];
      await records.db.transaction().execute(async (trx) => {
        for (const call of calls) {
          const { rows } = await sql<{ [plan: string]: string }>`explain (costs off) select ${call}`.execute(
            trx,
          );
          const plan = rows.flatMap((row) => Object.values(row));
          expect(plan[0], plan.join('\n')).to.include('Citus');
        }
      });
    },
  );
});
