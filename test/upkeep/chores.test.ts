import { expect } from 'chai';
import { secondsSince } from '../../db/queue/chores.ts';
import { workerChore } from '../../upkeep/chores.ts';
import { createTestBoss } from '../support/boss.ts';
import { runChores } from '../support/chores.ts';
import { useRecords } from '../support/records.ts';

describe('a round of chores', () => {
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
  });
});
