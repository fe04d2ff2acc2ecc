import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import * as changes from '../../db/monitors/changes.ts';
import * as runs from '../../db/monitors/monitor-runs.ts';
import * as points from '../../db/monitors/points.ts';
import * as subjects from '../../db/monitors/subjects.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { subjectBody } from '../../wire/changes.ts';
import { httpAnswer, indexAnswer, rankAnswer, rankQuery } from '../support/answers.ts';
import { monitored } from '../support/monitored.ts';
import { useRecords } from '../support/records.ts';

const toDate = (run: number) => new Date(Date.UTC(2026, 0, 1 + run, 6));
const page = httpAnswer;
const gone = () => page({ status: 0, error: 'connect_timeout', soft404_checked: false, title: null });

describe('the results of a run', () => {
  const records = useRecords();
  let accountId: number;

  before(async () => {
    accountId = await records.account();
  });

  it('report a loss under the run that found it first, whichever run confirms it', async () => {
    const monitor = await monitored(records, accountId, 'http', [{ url: 'https://example.com/' }]);
    await monitor.run(toDate(1), [page()]);
    const seen = await monitor.run(toDate(2), [gone()]);
    expect(seen.changes).to.equal(0);
    const stood = await monitor.run(toDate(3), [gone()]);
    expect(stood).to.deep.include({ changes: 1, counts: { unreachable: 1 }, losses: [] });
    const [row] = await changes.list(records.db, accountId, { monitorId: monitor.monitorId, limit: 10 });
    expect(row).to.include({ runId: seen.runId, notifiedBy: stood.runId });
    const { rows } = await sql<{ tally: { kinds: object; unconfirmed: number } }>`
      select tally from run_tallies where account_id = ${accountId} and run_id = ${seen.runId}`.execute(
      records.db,
    );
    expect(rows[0]?.tally).to.deep.include({ kinds: { unreachable: 1 }, unconfirmed: 1 });
  });

  it('report losses at once if no confirmation is needed', async () => {
    const options = { confirmLosses: false };
    const monitor = await monitored(records, accountId, 'index', [{ url: 'https://example.com/' }], options);
    await monitor.run(toDate(1), [indexAnswer(true)]);
    const lost = await monitor.run(toDate(2), [indexAnswer(false)]);
    expect(lost).to.deep.include({ changes: 1, losses: [] });
    expect(lost.inline).to.deep.equal([
      {
        ...(lost.inline[0] as object),
        subject: subjectBody({ url: 'https://example.com/' }),
        kind: 'deindexed',
        before: { is_indexed: true, matched_url: 'https://example.com/shoes' },
        after: { is_indexed: false, matched_url: null },
        run_id: lost.runId,
      },
    ]);
  });

  it('count a confirmed answer in the run whose loss it confirms', async () => {
    const inputs = ['a', 'b', 'c'].map((path) => ({ url: `https://example.com/${path}` }));
    const monitor = await monitored(records, accountId, 'index', inputs);
    await monitor.run(toDate(1), [indexAnswer(true), indexAnswer(true), indexAnswer(true)]);
    const second = await monitor.run(toDate(2), [indexAnswer(false), indexAnswer(false), null]);
    const readTally = async () =>
      (
        await sql<{ tally: object }>`
          select tally from run_tallies where account_id = ${accountId} and run_id = ${second.runId}`.execute(
          records.db,
        )
      ).rows[0]?.tally;
    expect(await readTally()).to.deep.equal({
      subjects: 3,
      answered: 0,
      failed: 1,
      unconfirmed: 2,
      kinds: {},
    });
    await monitor.run(
      new Date(toDate(2).getTime() + 600_000),
      [indexAnswer(false), indexAnswer(true), null],
      {
        confirms: second.runId,
        only: second.losses,
      },
    );
    expect(await readTally()).to.deep.equal({
      subjects: 3,
      answered: 2,
      failed: 1,
      unconfirmed: 0,
      kinds: { deindexed: 1 },
      counts: { indexed: 1 },
    });
  });

  it('are recorded in steps for a long run, without gaps', async () => {
    const inputs = Array.from({ length: 1200 }, (_, place) => ({ url: `https://example.com/${place}` }));
    const monitor = await monitored(records, accountId, 'index', inputs);
    await monitor.run(
      toDate(1),
      inputs.map(() => indexAnswer(true)),
    );
    const { indexed: found, losses } = await monitor.run(
      toDate(2),
      inputs.map((_, place) => indexAnswer(place > 0)),
    );
    expect([found.length, losses.length]).to.deep.equal([1199, 1]);
  });

  it('compare a query that is removed and added again with its answer before', async () => {
    const [shallow, bed] = [rankQuery({ keyword: 'desk', end_page: 2 }), rankQuery({ keyword: 'bed' })];
    const deep = { ...shallow, end_page: 5 };
    const monitor = await monitored(records, accountId, 'keyword', [shallow, bed]);
    await monitor.run(toDate(1), [rankAnswer(14), rankAnswer(1)]);
    for (const inputs of [[bed], [deep, bed]])
      await inTransaction(records.db, (trx) =>
        subjects.replace(trx, monitor, { inputs, removalReason: 'removed', runId: null }),
      );
    const { inline } = await monitor.run(toDate(40), [rankAnswer(3), null], { changed: [deep, bed] });
    expect(inline).to.have.length(1);
    expect(inline[0]).to.deep.include({ kind: 'rank_up', before: { rank: 14 }, after: { rank: 3 } });
    expect(inline[0]).to.have.property('subject_id', monitor.subjects[0]?.subjectId);
  });

  it('extend a period of equal answers over a missed run, but not over a pause', async () => {
    const monitor = await monitored(records, accountId, 'http', [{ url: 'https://example.com/' }]);
    for (const day of [1, 3, 9, 10]) await monitor.run(toDate(day), [page()]);
    const ids = monitor.subjects.map(({ subjectId }) => subjectId);
    const found = await points.listDuring(records.db, accountId, ids, { from: toDate(0), to: toDate(20) });
    expect(found.map(({ firstAt, lastAt }) => [firstAt, lastAt])).to.deep.equal([
      [toDate(1), toDate(3)],
      [toDate(9), toDate(10)],
    ]);
  });

  it('report added and removed entries of a skipped run with the next run, but none that was added and removed', async () => {
    const accountId = await records.account();
    const inputs = ['stays', 'leaves'].map((path) => ({ url: `https://example.com/${path}` }));
    const monitor = await monitored(records, accountId, 'index', inputs);
    const skipped = { accountId, runId: randomUUID() };
    const next = randomUUID();
    const list = (paths: string[], runId: string) =>
      inTransaction(records.db, (trx) =>
        subjects.replace(trx, monitor, {
          inputs: paths.map((path) => ({ url: `https://example.com/${path}` })),
          removalReason: 'left_sitemap',
          runId,
        }),
      );
    const end = { status: 'skipped', reason: 'insufficient_credits', finishedAt: new Date() } as const;
    await inTransaction(records.db, (trx) =>
      runs.create(trx, { ...skipped, monitorId: monitor.monitorId, kind: 'check', ...end }),
    );
    await list(['stays', 'joins', 'visits'], skipped.runId);
    await list(['stays', 'joins', 'later'], next);
    await inTransaction(records.db, (trx) => subjects.reassignSkipped(trx, monitor, next));
    const { rows } = await sql<{ path: string; joined: string | null; left: string | null }>`
      select split_part(input->>'url', '/', 4) as path, joined_run_id as joined, left_run_id as left
      from subjects where account_id = ${accountId} order by 1`.execute(records.db);
    expect(rows).to.deep.equal([
      { path: 'joins', joined: next, left: null },
      { path: 'later', joined: next, left: null },
      { path: 'leaves', joined: null, left: next },
      { path: 'stays', joined: null, left: null },
      { path: 'visits', joined: null, left: null },
    ]);
  });
});
