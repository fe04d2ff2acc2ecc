import { expect } from 'chai';
import { sql } from 'kysely';
import { createAllowance } from '../../accounts/allowance.ts';
import { type AcceptDeps, acceptBatches, type BatchRequest, prepareBatches } from '../../batches/accept.ts';
import { createRequestIds } from '../../db/batches/request-ids.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { ApiError } from '../../process/api-error.ts';
import { accept } from '../support/accept.ts';
import { createTestBoss } from '../support/boss.ts';
import { borrowRecords, type Records } from '../support/records.ts';

describe('accepting a batch', () => {
  let records: Records;
  let boss: ReturnType<typeof createTestBoss>;
  let deps: AcceptDeps;

  before(async () => {
    records = await borrowRecords();
    boss = createTestBoss({ url: records.url, backend: 'postgres', max: 2, role: 'web' });
    await boss.start();
    const { db } = records;
    const allowance = createAllowance(db, { isOff: false });
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
    it(`with ${skipped} entries left out leaves nothing when the credits go between the look and the charge`, async () => {
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

  it('is refused, and nothing is kept, when the account has caused too much that nobody paid for', async () => {
    const accountId = await records.account(3);
    await deps.allowance.spend(accountId, { sitemaps: 1000 });
    for (const skipped of [0, 2]) {
      const error = await accept(deps, [requestFor(accountId, skipped)]).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(ApiError).and.include({ code: 'allowance_exhausted' });
    }
    expect(await kept(accountId)).to.equal(0);
  });

  it('takes what is left of the allowance to the last unit', async () => {
    const accountId = await records.account(3);
    const { perHour } = await deps.allowance.state(accountId);
    // Two short entries are kept for four units at least.
    await deps.allowance.spend(accountId, { keptRows: perHour / 2 - 2 });
    const [accepted] = await accept(deps, [requestFor(accountId, 2)]);
    expect(accepted?.total).to.equal(5);
  });
});
