import { expect } from 'chai';
import { sql } from 'kysely';
import { secondsSince } from '../../db/queue/chores.ts';
import { createSecretBox } from '../../process/secret-box.ts';
import { runDueChores, workerChore } from '../../upkeep/chores.ts';
import { createReports } from '../../upkeep/reports.ts';
import { createTestBoss } from '../support/boss.ts';
import { captureLog } from '../support/log.ts';
import { useRecords } from '../support/records.ts';
import { secretKey } from '../support/service.ts';

describe('a round of chores', () => {
  const { log, lines } = captureLog();
  const records = useRecords();
  let boss: ReturnType<typeof createTestBoss>;

  before(() => {
    boss = createTestBoss({ url: records.url, backend: 'postgres', max: 1, role: 'web' });
  });

  const options = () => ({
    retention: { days: 90, historyDays: 1100 },
    secretBox: createSecretBox(secretKey),
    reports: createReports(log),
  });

  it('records that a worker is alive', async () => {
    await runDueChores(records.db, boss, options());
    expect(await secondsSince(records.db, workerChore)).to.equal(null);
    await runDueChores(records.db, boss, { ...options(), isWorker: true });
    expect(await secondsSince(records.db, workerChore)).to.be.a('number');
    // After this, all chores are due in the next test.
    await sql`delete from chores`.execute(records.db);
  });

  it('purges all that has expired, however much', async () => {
    const { db } = records;
    // A step deletes a thousand of them.
    await sql`
      insert into rate_limits (key, points, expire)
      select 'window-' || number, 1, 0 from generate_series(1, 51001) as number`.execute(db);
    await runDueChores(db, boss, options());
    const { rows } = await sql<{ left: number }>`select count(*) as left from rate_limits`.execute(db);
    expect(rows).to.deep.equal([{ left: 0 }]);
    const purged = lines
      .map((line) => JSON.parse(line))
      .filter(({ message }) => message === 'Expired records were deleted');
    expect(purged.reduce((sum, { rateLimits }) => sum + rateLimits, 0)).to.equal(51_001);
  });
});
