import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { type Allowance, createAllowance } from '../../accounts/allowance.ts';
import { type AcceptDeps, acceptBatches, type BatchRequest, prepareBatches } from '../../batches/accept.ts';
import { createRequestIds } from '../../db/batches/request-ids.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { accept } from '../support/accept.ts';
import { useService } from '../support/service.ts';

describe('the acceptance of batches', () => {
  const service = useService();
  let deps: AcceptDeps;
  let allowance: Allowance;

  before(async () => {
    const { db } = service;
    allowance = createAllowance(db, { isOff: false });
    deps = { db, boss: await service.boss(), requestIds: createRequestIds(db), allowance };
  });

  const createRequest = (accountId: number, { size = 3, skipped = 0 } = {}): BatchRequest => ({
    accountId,
    type: 'index',
    inputs: Array.from({ length: size }, (_, position) => ({
      position,
      input: { url: `https://a.example/${position}` },
    })),
    skipped: Array.from({ length: skipped }, (_, at) => ({
      position: size + at,
      input: { url: '' },
      problem: 'It is empty.',
    })),
    duplicates: 0,
    options: {},
    reference: null,
    webhookUrl: null,
  });
  const createSubmission = (accountId: number, sizes: number[]): BatchRequest[] => {
    const submissionId = randomUUID();
    return sizes.map((size) => ({ ...createRequest(accountId, { size }), submissionId }));
  };
  const refusalOf = (accepting: Promise<unknown>) =>
    accepting.then(
      () => expect.fail('it was accepted'),
      (error: Error) => error,
    );

  async function countKept(accountId: number): Promise<number> {
    const { rows } = await sql<{ kept: number }>`
      select (select count(*) from batches where account_id = ${accountId})
        + (select count(*) from chunks where account_id = ${accountId})
        + (select count(*) from items where account_id = ${accountId})
        + (select count(*) from history where account_id = ${accountId})
        + (select count(*) from pgboss.job where group_id = ${String(accountId)}) as kept`.execute(
      service.db,
    );
    return rows[0]?.kept ?? 0;
  }

  for (const skipped of [0, 2]) {
    it(`with ${skipped} skipped entries stores nothing if the credits are spent between the read and the charge`, async () => {
      const { accountId } = await service.account(3);
      const prepared = await prepareBatches(deps, [createRequest(accountId, { skipped })]);
      await inTransaction(service.db, (trx) => ledger.adjust(trx, accountId, -1, 'Spent elsewhere.'));
      const refused = await refusalOf(inTransaction(service.db, (trx) => acceptBatches(trx, deps, prepared)));
      expect(refused)
        .to.be.instanceOf(ledger.InsufficientCreditsError)
        .and.include({ needed: 3, available: 2 });
      expect(await countKept(accountId)).to.equal(0);
    });
  }

  it('counts skipped entries, also beyond the rest of the allowance, and only if the batch is accepted', async () => {
    const { accountId } = await service.account(3);
    const used = async () => (await allowance.state(accountId)).used;
    const { perHour } = await allowance.state(accountId);
    await allowance.recordUnbilled(service.db, accountId, { keptRows: perHour / 2 - 1 });
    await accept(deps, [createRequest(accountId, { skipped: 100 })]);
    expect(await used()).to.be.above(perHour);
    const after = await used();
    const refused = await refusalOf(accept(deps, [createRequest(accountId, { skipped: 100 })]));
    expect(refused).to.be.instanceOf(ledger.InsufficientCreditsError);
    expect(await used()).to.be.at.most(after);
  });

  it('charges for all batches of a submission', async () => {
    const { accountId } = await service.account(100);
    const accepted = await accept(deps, createSubmission(accountId, [40, 40, 3]));
    expect(accepted.map(({ total, credits }) => [total, credits])).to.deep.equal([
      [40, 60],
      [40, 20],
      [3, 17],
    ]);
  });

  it('is of all batches of a submission or of none', async () => {
    const { accountId } = await service.account(50);
    const refused = await refusalOf(accept(deps, createSubmission(accountId, [40, 40])));
    expect(refused)
      .to.be.instanceOf(ledger.InsufficientCreditsError)
      .and.to.include({ needed: 80, available: 50 });
    const broken = createSubmission(accountId, [20, 20]);
    Object.assign(broken[1] as BatchRequest, { reference: 'x'.repeat(300) });
    expect(String(await refusalOf(accept(deps, broken)))).to.contain('violates check constraint');
    expect([await countKept(accountId), await service.credits(accountId)]).to.deep.equal([0, 50]);
  });
});
