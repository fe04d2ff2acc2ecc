import { expect } from 'chai';
import { sql } from 'kysely';
import { secondsSince } from '../../db/queue/chores.ts';
import { workerChore } from '../../upkeep/chores.ts';
import { createTestBoss } from '../support/boss.ts';
import { runChores } from '../support/chores.ts';
import { captureLog } from '../support/log.ts';
import { useRecords } from '../support/records.ts';

describe('a round of chores', () => {
  const { log, lines } = captureLog();
  const records = useRecords();
  let boss: ReturnType<typeof createTestBoss>;

  before(() => {
    boss = createTestBoss({ url: records.url, backend: 'postgres', max: 1, role: 'web' });
  });

  it('records that a worker is alive', async () => {
    await runChores(records.db, boss);
    expect(await secondsSince(records.db, workerChore)).to.equal(null);
    await runChores(records.db, boss, {}, { isWorker: true });
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
    await runChores(db, boss, { log });
    const { rows } = await sql<{ left: number }>`select count(*) as left from rate_limits`.execute(db);
    expect(rows).to.deep.equal([{ left: 0 }]);
    const purged = lines
      .map((line) => JSON.parse(line))
      .filter(({ message }) => message === 'Expired records were deleted');
    expect(purged.reduce((sum, { rateLimits }) => sum + rateLimits, 0)).to.equal(51_001);
  });
});
