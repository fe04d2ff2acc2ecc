import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import * as runs from '../../db/monitors/monitor-runs.ts';
import * as subjects from '../../db/monitors/subjects.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { monitored } from '../support/monitored.ts';
import { borrowRecords, type Records } from '../support/records.ts';

describe('who joined or left with a run that was skipped', () => {
  let records: Records;

  before(async () => {
    records = await borrowRecords();
  });

  after(() => records.giveBack());

  it('is told with the next run; who did both, with none', async () => {
    const accountId = await records.account();
    const inputs = ['stays', 'leaves'].map((path) => ({ url: `https://example.com/${path}` }));
    const monitor = await monitored(records, accountId, 'index', inputs);
    const skipped = { accountId, runId: randomUUID() };
    const next = randomUUID();
    const list = (paths: string[], runId: string) =>
      inTransaction(records.db, (trx) =>
        subjects.replace(trx, monitor, {
          inputs: paths.map((path) => ({ url: `https://example.com/${path}` })),
          leftReason: 'left_sitemap',
          runId,
        }),
      );
    const end = { status: 'skipped', reason: 'insufficient_credits', finishedAt: new Date() } as const;
    await inTransaction(records.db, (trx) =>
      runs.create(trx, { ...skipped, monitorId: monitor.monitorId, kind: 'check', ...end }),
    );
    await list(['stays', 'joins', 'visits'], skipped.runId);
    await list(['stays', 'joins', 'later'], next);
    await inTransaction(records.db, (trx) => subjects.carryMarks(trx, monitor, next));
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
