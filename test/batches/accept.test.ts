import { expect } from 'chai';
import { sql } from 'kysely';
import { type Allowance, createAllowance } from '../../accounts/allowance.ts';
import { type AcceptDeps, acceptBatches, type BatchRequest, prepareBatches } from '../../batches/accept.ts';
import { createRequestIds } from '../../db/batches/request-ids.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { accept } from '../support/accept.ts';
import { createTestBoss } from '../support/boss.ts';
import { borrowRecords, type Records } from '../support/records.ts';

describe('the acceptance of a batch', () => {
  let records: Records;
  let boss: ReturnType<typeof createTestBoss>;
  let deps: AcceptDeps;
  let allowance: Allowance;

  before(async () => {
    records = await borrowRecords();
    boss = createTestBoss({ url: records.url, backend: 'postgres', max: 2, role: 'web' });
    await boss.start();
    const { db } = records;
    allowance = createAllowance(db, { isOff: false });
    deps = { db, boss, requestIds: createRequestIds(db), allowance };
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
        + (select count(*) from pgboss.job where group_id = ${String(accountId)}) as kept`.execute(
      records.db,
    );
    return rows[0]?.kept ?? 0;
  }

  for (const skipped of [0, 2]) {
    it(`with ${skipped} skipped entries stores nothing if the credits are spent between the read and the charge`, async () => {
      const accountId = await records.account(3);
      const prepared = await prepareBatches(deps, [requestFor(accountId, skipped)]);
      await inTransaction(records.db, (trx) => ledger.adjust(trx, accountId, -1, 'Spent elsewhere.'));
      const error = await inTransaction(records.db, (trx) => acceptBatches(trx, deps, prepared)).catch(
        (thrown: unknown) => thrown,
      );
      expect(error)
        .to.be.instanceOf(ledger.InsufficientCreditsError)
        .and.include({ needed: 3, available: 2 });
      expect(await kept(accountId)).to.equal(0);
    });
  }

  it('counts skipped entries, also beyond the rest of the allowance, and only if the batch is accepted', async () => {
    const accountId = await records.account(3);
    const used = async () => (await allowance.state(accountId)).used;
    const { perHour } = await allowance.state(accountId);
    const { db } = records;
    await allowance.recordUnbilled(db, accountId, { keptRows: perHour / 2 - 1 });
    await accept(deps, [requestFor(accountId, 100)]);
    expect(await used()).to.be.above(perHour);
    const after = await used();
    const refused = await accept(deps, [requestFor(accountId, 100)]).catch((thrown: unknown) => thrown);
    expect(refused).to.be.instanceOf(ledger.InsufficientCreditsError);
    expect(await used()).to.be.at.most(after);
  });
});
