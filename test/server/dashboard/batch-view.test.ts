import { expect } from 'chai';
import type { BatchRow } from '../../../db/batches.ts';
import { viewOf } from '../../../server/dashboard/batch-view.ts';
import { partsOf, submissionView } from '../../../server/dashboard/submission-view.ts';

const submissionId = '0e0bd036-ac62-4143-9dfa-84aa98ff32d4';

describe('a batch as pages show it', () => {
  const running = rowOf({ total: 1000, skipped: 10, successful: 695, failed: 15, summary: { indexed: 695 } });
  const ended = rowOf({ successful: 995, failed: 5, status: 'partial', completedAt: new Date(1) });

  it('counts as checked what has an answer, while it runs as afterwards', () => {
    const { checked, total, percent, settled, shares } = viewOf(running);
    expect({ checked, total, percent, settled }).to.deep.equal({
      checked: 695,
      total: 990,
      percent: 70,
      settled: 710,
    });
    expect(shares.find(({ show }) => show === 'not_checked')?.count).to.equal(5);
    const { status } = viewOf({ ...running, completedAt: new Date(1), status: 'partial' });
    expect(status).to.equal('Done, some not checked');
    expect(viewOf({ ...running, completedAt: new Date(1), status: 'partial' }).checked).to.equal(checked);
  });

  it('says of a submission what its batches come to', () => {
    const rows = [ended, running];
    const parts = partsOf(rows, undefined).map(({ checked }) => checked);
    expect(parts).to.deep.equal([995, 695]);
    expect(submissionView(rows, submissionId).checked).to.equal(1690);
  });
});

function rowOf(of: Partial<BatchRow>): BatchRow {
  return {
    ...{ accountId: 1, isTest: false, batchId: submissionId, type: 'index', status: 'processing' },
    ...{ firstRequestId: 1, total: 1000, skipped: 0, successful: 0, failed: 0, duplicates: 0 },
    ...{ options: {} as never, summary: {}, name: null, reference: null, webhookUrl: null, submissionId },
    ...{ againOf: null, retryOf: null, retriedAs: null, monitorId: null, runId: null },
    ...{
      createdAt: new Date(0),
      startedAt: new Date(0),
      completedAt: null,
      canceledAt: null,
      purgedAt: null,
    },
    ...of,
  };
}
