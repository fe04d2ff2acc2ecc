import { expect } from 'chai';
import type { BatchRow } from '../../../../db/batches/batches.ts';
import { toBatchView } from '../../../../server/dashboard/batches/batch-view.ts';
import { sampleBatch } from '../../../../server/dashboard/batches/sample-batch.ts';
import { toPartViews, toSubmissionView } from '../../../../server/dashboard/batches/submission-view.ts';
import { renderView } from '../../../../server/dashboard/render.ts';
import { plainBatch } from '../../../support/accept.ts';

const submissionId = '0e0bd036-ac62-4143-9dfa-84aa98ff32d4';

describe('the view of a batch', () => {
  const running = createBatch({
    total: 1000,
    skipped: 10,
    successful: 695,
    failed: 15,
    overviews: 0,
    overviewsRefunded: 0,
    summary: { indexed: 695 },
  });
  const ended = createBatch({ successful: 995, failed: 5, status: 'partial', completedAt: new Date(1) });

  it('counts checked items the same way during the run and afterwards', () => {
    const { checked, total, percent, settled, shares } = toBatchView(running);
    expect({ checked, total, percent, settled }).to.deep.equal({
      checked: 695,
      total: 990,
      percent: 70,
      settled: 710,
    });
    expect(shares.find(({ show }) => show === 'not_checked')?.count).to.equal(5);
    const { status } = toBatchView({ ...running, completedAt: new Date(1), status: 'partial' });
    expect(status).to.equal('Done, some not checked');
    expect(toBatchView({ ...running, completedAt: new Date(1), status: 'partial' }).checked).to.equal(
      checked,
    );
  });

  it('has consistent sums in the sample that is shown before sign-in', () => {
    const { findings, shares } = sampleBatch;
    const disjoint = findings.filter(({ show, count }) => show !== 'redirected' && count > 0);
    const sum = (of: Array<{ count: number }>) => of.reduce((total, { count }) => total + count, 0);
    expect([sum(disjoint), sum(shares)]).to.deep.equal([1840, 1840]);
    expect(sampleBatch.pieces.map(({ tone }) => tone).toSorted()).to.deep.equal(
      disjoint.map(({ tone }) => tone).toSorted(),
    );
  });

  it('has a tile for every outcome of URLs, and marks those that overlap', () => {
    const words = ['status_1xx', 'status_2xx', 'status_3xx', 'status_4xx', 'status_5xx', 'status_other'];
    const summary = Object.fromEntries([...words, 'unreachable'].map((word, place) => [word, 10 + place]));
    const counts = { total: 100, skipped: 1, successful: 91, failed: 9 };
    const row = { type: 'http' as const, completedAt: new Date(1), ...counts };
    const { findings } = toBatchView(
      createBatch({ ...row, summary: { ...summary, soft404: 4, redirected: 20, bot_wall: 3, canceled: 2 } }),
    );
    const disjoint = findings.filter(({ show }) => show !== 'redirected' && show !== 'bot_wall');
    expect(findings.length - disjoint.length).to.equal(2);
    expect(disjoint.reduce((total, { count }) => total + count, 0)).to.equal(100);
    const ended = toBatchView(
      createBatch({ ...row, total: 1, skipped: 0, successful: 1, failed: 0, summary: { status_3xx: 1 } }),
    );
    expect(renderView('outcome', { batch: ended }))
      .to.contain('3xx <strong>1</strong>')
      .and.not.to.contain('more');
  });

  it('names three findings in a list, and the number of the others', () => {
    const found = sampleBatch.findings.filter(({ count }) => count > 0);
    const text = renderView('outcome', { batch: sampleBatch });
    expect(text.match(/<strong>/g)).to.have.length(3);
    expect(text).to.contain(`and ${found.length - 3} more`);
    for (const { label } of found.slice(3)) expect(text).to.contain(`${label} `);
  });

  it('marks overlapping counts in a report, and hides the charges', () => {
    const row = { type: 'http', createdAt: new Date(0) };
    const profile = { name: null, timezone: null };
    const text = renderView('report-head', { batch: sampleBatch, row, isKept: true, profile });
    expect(text)
      .to.contain('<small>Includes redirect targets</small>')
      .and.to.contain('<small>4xx, 5xx or unreachable</small>')
      .and.not.to.match(/charged|refunded|\*\//i);
  });

  it('has no bar in a list when it has ended without counts', () => {
    const renderRows = (batch: BatchRow) => renderView('batch-rows', { batches: [toBatchView(batch)] });
    const over = { status: 'completed', completedAt: new Date(1), successful: 1000 } as const;
    expect(renderRows(createBatch(over)))
      .to.contain('<td class="outcome"></td>')
      .and.to.contain('>Done<');
    expect(renderRows(createBatch({ ...over, summary: { indexed: 1000 } }))).to.contain('role="progressbar"');
    expect(renderRows(createBatch({}))).to.contain('role="progressbar"');
  });

  it('sums up the batches of a submission', () => {
    const rows = [ended, running];
    const parts = toPartViews(rows, undefined).map(({ checked }) => checked);
    expect(parts).to.deep.equal([995, 695]);
    expect(toSubmissionView(rows, submissionId).checked).to.equal(1690);
  });
});

function createBatch(of: Partial<BatchRow>): BatchRow {
  return {
    ...plainBatch,
    ...{ accountId: 1, batchId: submissionId, type: 'index', status: 'processing', submissionId },
    ...{ firstRequestId: 1, total: 1000, successful: 0, failed: 0, overviewsRefunded: 0, summary: {} },
    ...{ createdAt: new Date(0), startedAt: new Date(0), completedAt: null, canceledAt: null },
    ...{ retriedAs: null, waitingReason: null, waitingUntil: null, purgedAt: null },
    options: {} as never,
    ...of,
  };
}
