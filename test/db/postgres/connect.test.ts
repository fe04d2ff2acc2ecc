import { expect } from 'chai';
import { sql } from 'kysely';
import { inTransaction } from '../../../db/postgres/connect.ts';
import { isDatabaseUnavailable } from '../../../db/postgres/errors.ts';
import { eventually } from '../../support/eventually.ts';
import { useRecords } from '../../support/records.ts';

describe('a connection', () => {
  const records = useRecords({ isForEach: true });

  const pid = async () => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(records.db);
    return rows[0]?.pid;
  };

  const isThere = async (pid: number | undefined) => {
    const query = sql`select from pg_stat_activity where pid = ${pid}`;
    return (await query.execute(records.db)).rows.length > 0;
  };

  it('that the server ends during a transaction fails only that one', async () => {
    const broken = inTransaction(records.db, async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      await sql`select pg_terminate_backend(${rows[0]?.pid}::int)`.execute(records.db);
      await eventually(async () => ((await isThere(rows[0]?.pid)) ? null : true));
      await sql`select 1`.execute(trx);
    });
    const error = await broken.catch((reason) => reason);
    expect(isDatabaseUnavailable(error), String(error)).to.equal(true);
    expect(await pid()).to.be.a('number');
  });

  it('to a server that became a standby is not used again', async () => {
    await sql`set default_transaction_read_only = on`.execute(records.db);
    const before = await pid();
    const write = () => sql`create table written (id int)`.execute(records.db);
    const error = await write().catch((reason) => reason);
    expect(error).to.include({ code: '25006' });
    expect(isDatabaseUnavailable(error)).to.equal(true);
    await write();
    expect(await pid()).not.to.equal(before);
  });
});
