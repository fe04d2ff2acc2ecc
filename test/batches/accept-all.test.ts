import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { uncounted } from '../../accounts/allowance.ts';
import type { BatchRequest } from '../../batches/accept.ts';
import { acceptAll } from '../../batches/accept-all.ts';
import { perform } from '../../db/act.ts';
import { InsufficientCreditsError } from '../../db/ledger.ts';
import { createRequestIds } from '../../db/request-ids.ts';
import { createTestBoss } from '../support/boss.ts';
import { TestService } from '../support/service.ts';

describe('a submission of several batches', () => {
  let service: TestService;
  let boss: ReturnType<typeof createTestBoss>;

  before(async () => {
    service = await TestService.start();
    const { directUrl: url, backend } = service.config.database;
    boss = createTestBoss({ url, backend, max: 2, role: 'web' });
    await boss.start();
  });

  after(async () => {
    await boss.stop({ graceful: false });
    await service.stop();
  });

  const requestsOf = (accountId: number, sizes: number[]): BatchRequest[] => {
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
  const submit = (requests: BatchRequest[]) => {
    const allowance = {
      ...uncounted,
      take: async () => {},
      admit: async () => {},
      level: async () => 0,
      state: async () => null as never,
    };
    return perform(
      service.db,
      acceptAll({ boss, requestIds: createRequestIds(service.db), allowance }, requests),
    );
  };
  const sizesOf = async (accountId: number) => {
    const rows = await service.db
      .selectFrom('batches')
      .select('total')
      .where('accountId', '=', accountId)
      .execute();
    return rows.map(({ total }) => total).sort((a, b) => b - a);
  };

  it('is charged for all of them, each with its turn behind the one before', async () => {
    const { accountId } = await service.account(100);
    const accepted = await submit(requestsOf(accountId, [40, 40, 3]));
    expect(accepted.map(({ total, credits }) => [total, credits])).to.deep.equal([
      [40, 60],
      [40, 20],
      [3, 17],
    ]);
    expect(await sizesOf(accountId)).to.deep.equal([40, 40, 3]);
    const { rows } = {
      rows: await service.db
        .selectFrom('batches')
        .select(['firstTurn', 'batchId'])
        .where('accountId', '=', accountId)
        .execute(),
    };
    const turns = accepted.map(({ batchId }) => rows.find((row) => row.batchId === batchId)?.firstTurn ?? -1);
    expect(turns).to.deep.equal(turns.toSorted((a, b) => a - b));
  });

  it('is accepted whole or not at all', async () => {
    const { accountId } = await service.account(50);
    const refused = await submit(requestsOf(accountId, [40, 40])).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(InsufficientCreditsError).and.to.include({ needed: 80, available: 50 });
    const broken = requestsOf(accountId, [20, 20]);
    Object.assign(broken[1] as BatchRequest, { reference: 'x'.repeat(300) });
    expect(await submit(broken).catch((error: Error) => error)).to.be.instanceOf(Error);
    expect(await sizesOf(accountId)).to.deep.equal([]);
    expect(await service.credits(accountId)).to.equal(50);
  });
});
