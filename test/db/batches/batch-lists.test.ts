import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { listSubmission } from '../../../db/batches/batch-lists.ts';
import { useRecords } from '../../support/records.ts';

describe('the batches of a submission', () => {
  const records = useRecords();

  it('are listed in the order of submission, even if all were accepted at the same time', async () => {
    const accountId = await records.account();
    const submissionId = randomUUID();
    const createdAt = new Date('2026-11-01T00:00:00Z');
    const batchIds = Array.from({ length: 20 }, () => randomUUID());
    const rows = batchIds.map((batchId, place) => ({
      ...{ accountId, batchId, submissionId, createdAt, firstRequestId: 1 + place },
      ...{ type: 'http' as const, total: 1 },
    }));
    await records.db.insertInto('batches').values(rows).execute();
    const found = await listSubmission(records.db, accountId, submissionId, 15);
    expect(found.map(({ batchId }) => batchId)).to.deep.equal(batchIds.slice(0, 15));
  });
});
