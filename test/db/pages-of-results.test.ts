import { expect } from 'chai';
import { sql } from 'kysely';
import * as batches from '../../db/batches/batches.ts';
import * as results from '../../db/batches/results.ts';
import { planOf } from '../support/plans.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { useRecords } from '../support/records.ts';

const total = 2000;

describe('a page of the results of a batch', () => {
  const records = useRecords();
  let accountId: number;

  before(async () => {
    accountId = await records.account();
  });

  /** Creates an ended batch whose items have the ids from `firstId` on. */
  async function made(firstId: number): Promise<batches.BatchRow> {
    const { rows } = await sql<{ batchId: string }>`
      insert into batches (account_id, batch_id, type, status, total, successful, started_at, completed_at, first_request_id)
      values (${accountId}, gen_random_uuid(), 'http', 'completed', ${total}, ${total}, now(), now(), ${firstId})
      returning batch_id`.execute(records.db);
    const ref = { accountId, batchId: rows[0]?.batchId ?? '' };
    // The rows are not in the order of their positions, because results arrive in any order.
    await sql`
      insert into items (account_id, request_id, batch_id, position, type, state, input, outcome)
      select ${accountId}, ${firstId}::bigint + n, ${ref.batchId}::uuid, n, 'http', 'success', '{"url":"https://example.com"}',
        '{"status":200}' from generate_series(${total - 1}::int, 0, -1) as n`.execute(records.db);
    return (await batches.find(records.db, ref)) as batches.BatchRow;
  }

  it('has the items after a position, in order', async () => {
    const batch = await made(1_000_000);
    for (const afterPosition of [-1, 49, 1949]) {
      const positions = Array.from({ length: 50 }, (_, n) => afterPosition + 1 + n);
      const rows = await results.pageAfter(records.db, batch, { afterPosition, limit: 50 });
      expect(rows.map(({ position }) => position)).to.deep.equal(positions);
    }
    expect(await results.pageAfter(records.db, batch, { afterPosition: total - 1, limit: 50 })).to.deep.equal(
      [],
    );
  });

  itOnOneServer('is read by the keys of its own rows, also without statistics of the batch', async () => {
    for (let n = 0; n < 20; n++) await made(3_000_000 + n * total);
    await sql`analyze items`.execute(records.db);
    const batch = await made(4_000_000);
    for (const afterPosition of [-1, 999, 1949]) {
      const steps = await planOf(records.db, (db) =>
        results.pageAfter(db, batch, { afterPosition, limit: 50 }),
      );
      expect(steps).to.deep.equal(['Limit', 'Index Scan items_first_pkey']);
    }
  });
});
