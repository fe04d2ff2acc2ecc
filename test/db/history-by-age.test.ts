import { expect } from 'chai';
import { sql } from 'kysely';
import * as history from '../../db/batches/history.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { purgeHistory } from '../../db/retention/expired.ts';
import { planOf } from '../support/plans.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { useRecords } from '../support/records.ts';

describe('a history that expires by age and is listed by account', () => {
  const records = useRecords();
  let accountId: number;

  before(async () => {
    accountId = await records.account();
    // The rows are in the order of their checks. Every fifth row belongs to our account.
    const other = await records.account();
    await sql`
      insert into history (account_id, request_id, type, state, input, series, is_indexed, checked_at)
      select case n % 5 when 0 then ${accountId}::bigint else ${other}::bigint end, n, 'index', 'success',
        json_build_object('url', 'https://example.com/' || n), sha256(n::text::bytea), true,
        date_trunc('milliseconds', now()) - (20000 - n) * interval '1 second'
      from generate_series(1, 20000) as n`.execute(records.db);
    await sql`vacuum analyze history`.execute(records.db);
  });

  itOnOneServer('reads a page from the index of the account', async () => {
    const filter = { type: 'index' as const, days: 1100, limit: 100 };
    const after = { checkedAt: new Date(Date.now() - 3_600_000), requestId: 10_000 };
    for (const page of [filter, { ...filter, after }]) {
      const steps = await planOf(records.db, (db) => history.list(db, accountId, page));
      expect(steps.slice(0, 2)).to.deep.equal(['Limit', 'Append']);
      expect(steps.at(-1)).to.equal('Index Scan history_first_account_id_type_checked_at_request_id_idx');
      for (const step of steps.slice(2, -1))
        expect(step).to.match(/^Index Scan history_\d+_account_id_type_checked_at_request_id_idx$/);
    }
  });

  itOnOneServer('finds the oldest entries by an index of ages', async () => {
    const steps = await inTransaction(records.db, (trx) =>
      planOf(trx, (db) => purgeHistory(db as typeof trx, 1000, 100)),
    );
    expect(steps).to.include('Index Scan history_first_timezone_idx');
  });
});
