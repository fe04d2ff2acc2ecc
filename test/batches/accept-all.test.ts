import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { uncountedAllowance } from '../../accounts/allowance.ts';
import type { BatchRequest } from '../../batches/accept.ts';
import { createRequestIds } from '../../db/batches/request-ids.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { accept } from '../support/accept.ts';
import { untilWaiting } from '../support/locks.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { useService } from '../support/service.ts';

describe('a submission of several batches', () => {
  const service = useService();

  const createRequests = (accountId: number, sizes: number[]): BatchRequest[] => {
    const submissionId = randomUUID();
    return sizes.map((size) => ({
      accountId,
      type: 'index',
      inputs: Array.from({ length: size }, (_, position) => ({
        position,
        input: { url: `https://indexed.example/${position}` },
      })),
      skipped: [],
      duplicates: 0,
      options: {},
      reference: null,
      webhookUrl: null,
      submissionId,
    }));
  };
  const submit = async (requests: BatchRequest[]) => {
    const { db } = service;
    const boss = await service.boss();
    return accept({ db, boss, requestIds: createRequestIds(db), allowance: uncountedAllowance }, requests);
  };
  const listSizes = async (accountId: number) => {
    const rows = await service.db
      .selectFrom('batches')
      .select('total')
      .where('accountId', '=', accountId)
      .execute();
    return rows.map(({ total }) => total).sort((a, b) => b - a);
  };

  it('is charged for all of them', async () => {
    const { accountId } = await service.account(100);
    const accepted = await submit(createRequests(accountId, [40, 40, 3]));
    expect(accepted.map(({ total, credits }) => [total, credits])).to.deep.equal([
      [40, 60],
      [40, 20],
      [3, 17],
    ]);
    expect(await listSizes(accountId)).to.deep.equal([40, 40, 3]);
  });

  // A data node's lock waits are not visible at the coordinator.
  itOnOneServer('is refused with the current balance if credits are spent meanwhile', async () => {
    const { accountId } = await service.account(100);
    const { db } = service;
    // The balance is read before this transaction commits.
    const { refusing } = await inTransaction(db, async (other) => {
      await ledger.adjust(other, accountId, -50, 'Spent.');
      const refusing = submit(createRequests(accountId, [60, 40])).catch((error: unknown) => error);
      await untilWaiting(db, 1, '%charge_new_batch%');
      return { refusing };
    });
    const refused = await refusing;
    expect(refused)
      .to.be.instanceOf(ledger.InsufficientCreditsError)
      .and.to.include({ needed: 100, available: 50 });
    expect(await listSizes(accountId)).to.deep.equal([]);
    expect(await service.credits(accountId)).to.equal(50);
  });

  it('is accepted as a whole or not at all', async () => {
    const { accountId } = await service.account(50);
    const refused = await submit(createRequests(accountId, [40, 40])).catch((error: unknown) => error);
    expect(refused)
      .to.be.instanceOf(ledger.InsufficientCreditsError)
      .and.to.include({ needed: 80, available: 50 });
    const broken = createRequests(accountId, [20, 20]);
    Object.assign(broken[1] as BatchRequest, { reference: 'x'.repeat(300) });
    expect(await submit(broken).catch((error: Error) => error)).to.be.instanceOf(Error);
    expect(await listSizes(accountId)).to.deep.equal([]);
    expect(await service.credits(accountId)).to.equal(50);
  });
});
