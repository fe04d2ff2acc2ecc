import { expect } from 'chai';
import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import { type Allowance, createAllowance, unitCosts } from '../../accounts/allowance.ts';
import { cancelBatch } from '../../batches/cancel.ts';
import { recordBatchOutcomes } from '../../batches/record.ts';
import * as batches from '../../db/batches/batches.ts';
import * as chunks from '../../db/batches/chunks.ts';
import { createFailedItem } from '../../db/batches/items.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { accept } from '../support/accept.ts';
import { createTestBoss } from '../support/boss.ts';
import { eventually } from '../support/eventually.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { borrowRecords, type Records } from '../support/records.ts';

describe('concurrent cancels', () => {
  let records: Records;
  let boss: PgBoss;
  let allowance: Allowance;
  let nextId = 1;

  before(async () => {
    records = await borrowRecords();
    boss = createTestBoss({ url: records.url, backend: 'postgres', max: 2, role: 'web' });
    await boss.start();
    allowance = createAllowance(records.db, { isOff: false });
  });

  after(async () => {
    await boss.stop({ graceful: false });
    await records.giveBack();
  });

  const requestIds = {
    reserve: async (count: number) => {
      nextId += count;
      return nextId - count;
    },
  };
  const submit = async (
    accountId: number,
    count: number,
    webhookUrl: string | null,
  ): Promise<batches.BatchRef> => {
    const inputs = Array.from({ length: count }, (_, position) => ({
      position,
      input: { url: `https://a.example/${position}` },
    }));
    const request = { accountId, type: 'http' as const, inputs, skipped: [], duplicates: 0, webhookUrl };
    const options = { follow_redirects: true };
    const deps = { db: records.db, boss, requestIds, allowance };
    const [accepted] = await accept(deps, [{ ...request, options, reference: null }]);
    return { accountId, batchId: String(accepted?.batchId) };
  };
  const canceling = async (ref: batches.BatchRef, as: Partial<Allowance> = {}) => {
    const deps = { boss, allowance: { ...allowance, ...as } };
    return inTransaction(records.db, (trx) => cancelBatch(trx, deps, ref));
  };
  const used = async (accountId: number) => (await allowance.state(accountId)).used;

  it('of one batch cost as much allowance as one', async () => {
    const accountId = await records.account(2000);
    const batch = await submit(accountId, 2000, null);
    const before = await used(accountId);
    await Promise.all([1, 2, 3].map(() => canceling(batch)));
    const weight = (await used(accountId)) - before;
    expect(weight).to.be.within(1000 * unitCosts.keptRows, 2001 * unitCosts.keptRows);
  });

  itOnOneServer('have no deadlock with the end of another batch', async () => {
    const accountId = await records.account(10);
    const url = 'http://127.0.0.1:1/';
    const [canceled, ended] = [await submit(accountId, 2, url), await submit(accountId, 2, url)];
    const settleOne = (ref: batches.BatchRef, recordUnbilled = allowance.recordUnbilled) =>
      inTransaction(records.db, async (trx) => {
        const batch = await batches.find(trx, ref);
        const [open] = batch ? await chunks.listUnsettled(trx, batch) : [];
        if (!open) throw new Error('nothing is open');
        const failed = createFailedItem(open, 'target_not_allowed');
        await recordBatchOutcomes(trx, { boss, allowance: { recordUnbilled } }, ref, [failed]);
      });
    await settleOne(ended);
    const spent = Promise.withResolvers<void>();
    const refunded = Promise.withResolvers<void>();
    const isAnyoneWaiting = async () => {
      const { rows } = await sql`select from pg_locks where not granted`.execute(records.db);
      return rows[0] ?? null;
    };
    const done = await Promise.allSettled([
      canceling(canceled, {
        recordUnbilled: async (...work) => {
          await allowance.recordUnbilled(...work);
          spent.resolve();
          await Promise.race([refunded.promise, eventually(isAnyoneWaiting)]);
        },
      }),
      spent.promise.then(() =>
        settleOne(ended, async (...work) => {
          refunded.resolve();
          await allowance.recordUnbilled(...work);
        }),
      ),
    ]);
    expect(done.map(({ status }) => status)).to.deep.equal(['fulfilled', 'fulfilled']);
  });
});
