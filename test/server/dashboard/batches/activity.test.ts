import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { findActivity } from '../../../../server/dashboard/batches/activity.ts';
import { httpAnswer } from '../../../support/answers.ts';
import { monitored } from '../../../support/monitored.ts';
import { useRecords } from '../../../support/records.ts';

describe('the recent activity on the first page', () => {
  const records = useRecords();

  const check = (accountId: number, name: string) =>
    sql`
      insert into batches (account_id, batch_id, name, type, first_request_id, total, successful, status, started_at,
        completed_at)
      values (${accountId}, ${randomUUID()}, ${name}, 'http', 1, 1, 1, 'completed', now(), now())`.execute(
      records.db,
    );
  const listNames = async (accountId: number) =>
    (await findActivity(records.db, accountId)).recent.map(({ name }) => name);

  it("shows the account's own checks, even after many runs of monitors", async () => {
    const accountId = await records.account(0);
    await check(accountId, 'Mine');
    const monitor = await monitored(records, accountId, 'http', [{ url: 'https://example.com/' }]);
    for (const hour of [1, 2]) await monitor.run(new Date(Date.UTC(2026, 10, 20, hour)), [httpAnswer()]);
    expect(await listNames(accountId)).to.deep.equal(['Mine']);
    await sql`
      insert into batches (account_id, batch_id, monitor_id, run_id, submission_id, type, first_request_id, total, successful,
        status, started_at, completed_at)
      select ${accountId}, id, ${monitor.monitorId}, id, id, 'http', 1, 1, 1, 'completed', now(), now()
      from (select gen_random_uuid() as id from generate_series(1, 250)) as runs`.execute(records.db);
    expect(await listNames(accountId)).to.deep.equal(['Mine']);
  });

  it('is empty where only monitors have checked, although the account is not new', async () => {
    const accountId = await records.account(0);
    expect((await findActivity(records.db, accountId)).isNew).to.equal(true);
    const monitor = await monitored(records, accountId, 'http', [{ url: 'https://example.com/' }]);
    await monitor.run(new Date(Date.UTC(2026, 10, 20)), [httpAnswer()]);
    const { recent, isNew } = await findActivity(records.db, accountId);
    expect({ recent, isNew }).to.deep.equal({ recent: [], isNew: false });
  });
});
