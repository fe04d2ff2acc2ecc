import { expect } from 'chai';
import { sql } from 'kysely';
import { createAllowance } from '../../accounts/allowance.ts';
import { accept, type BatchRequest, type Desk } from '../../batches/accept.ts';
import { performFor } from '../../db/accounts/open-account.ts';
import { createRequestIds } from '../../db/batches/request-ids.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { Refused } from '../../process/refused.ts';
import { authorize } from '../support/accounts.ts';
import { createTestBoss } from '../support/boss.ts';
import { borrowRecords, type Records } from '../support/records.ts';

describe('accepting a batch', () => {
  let records: Records;
  let boss: ReturnType<typeof createTestBoss>;
  let desk: Desk;

  before(async () => {
    records = await borrowRecords();
    boss = createTestBoss({ url: records.url, backend: 'postgres', max: 2, role: 'web' });
    await boss.start();
    const { db } = records;
    desk = { boss, requestIds: createRequestIds(db), allowance: createAllowance(db, { isOff: false }) };
  });

  after(async () => {
    await boss.stop({ graceful: false });
    await records.giveBack();
  });

  const requestFor = (accountId: number, skipped: number): BatchRequest => ({
    accountId,
    type: 'index',
    inputs: [0, 1, 2].map((position) => ({ position, input: { url: `https://a.example/${position}` } })),
    skipped: Array.from({ length: skipped }, (_, at) => ({
      position: 3 + at,
      input: { url: '' },
      problem: 'It is empty.',
    })),
    duplicates: 0,
    options: {},
    reference: null,
    webhookUrl: null,
  });

  async function kept(accountId: number): Promise<number> {
    const { rows } = await sql<{ kept: number }>`
      select (select count(*) from batches where account_id = ${accountId})
        + (select count(*) from chunks where account_id = ${accountId})
        + (select count(*) from items where account_id = ${accountId})
        + (select count(*) from history where account_id = ${accountId})
        + (select count(*) from turns where account_id = ${accountId})
        + (select count(*) from pgboss.job where group_id = ${String(accountId)}) as kept`.execute(
      records.db,
    );
    return rows[0]?.kept ?? 0;
  }

  for (const skipped of [0, 2]) {
    it(`with ${skipped} entries left out leaves nothing when the credits go between the look and the charge`, async () => {
      const accountId = await records.account(3);
      // What is charged by somebody else at that moment.
      const spendElsewhere = () =>
        inTransaction(records.db, async (other) => {
          await ledger.adjust(other, accountId, -1, 'Spent elsewhere.');
        });
      const act = accept(desk, requestFor(accountId, skipped), spendElsewhere);
      const error = await performFor(records.db, await authorize(records.db, accountId), act).catch(
        (thrown: unknown) => thrown,
      );
      expect(error)
        .to.be.instanceOf(ledger.InsufficientCreditsError)
        .and.include({ needed: 3, available: 2 });
      expect(await kept(accountId)).to.equal(0);
    });
  }

  it('is refused, and nothing is kept, when the account has caused too much that nobody paid for', async () => {
    const accountId = await records.account(3);
    await desk.allowance.spend(accountId, { sitemaps: 1000 });
    for (const skipped of [0, 2]) {
      const act = accept(desk, requestFor(accountId, skipped));
      const error = await performFor(records.db, await authorize(records.db, accountId), act).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).to.be.instanceOf(Refused).and.include({ word: 'allowance_exhausted' });
    }
    expect(await kept(accountId)).to.equal(0);
  });

  it('takes what is left of the allowance to the last unit', async () => {
    const accountId = await records.account(3);
    const { perHour } = await desk.allowance.state(accountId);
    // Two short entries are kept for four units at least.
    await desk.allowance.spend(accountId, { keptRows: perHour / 2 - 2 });
    const { total } = await performFor(
      records.db,
      await authorize(records.db, accountId),
      accept(desk, requestFor(accountId, 2)),
    );
    expect(total).to.equal(5);
  });
});
