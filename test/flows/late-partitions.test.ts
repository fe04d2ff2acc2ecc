import { expect } from 'chai';
import { sql } from 'kysely';
import { findCurrentId, idsPerDay, list, toBound } from '../../db/retention/partitions.ts';
import { useGoogle } from '../support/google.ts';
import { TestService } from '../support/service.ts';

describe('a service that was down for longer than there were partitions', () => {
  const google = useGoogle();
  let service: TestService;

  before(async () => {
    service = await TestService.start(google.env());
  });

  after(async () => {
    await service.quiet();
    expect(await service.problems()).to.deep.equal([]);
    await service.stop();
  });

  it('completes the waiting work', async () => {
    const { token } = await service.account(5);
    const urls = ['https://indexed.example/a', 'https://indexed.example/b'];
    const { body } = await service.call('/check/bulk', { token, body: { urls } });
    await endHistoryYesterday();
    await service.addWorker();
    // The worker creates the partitions before its first job, which would fail without them.
    expect((await ofHistory()).at(-1)?.to).to.be.above(await findCurrentId(service.db));
    const ended = await service.ended(token, body.batch_id);
    expect(ended).to.include({ status: 'completed', successful: 2 });
  });

  const ofHistory = async () => (await list(service.db)).filter(({ table }) => table === 'history');

  async function endHistoryYesterday(): Promise<void> {
    const { db } = service;
    const today = Math.floor((await findCurrentId(db)) / idsPerDay) * idsPerDay;
    for (const { name } of await ofHistory()) await sql`drop table ${sql.table(name)}`.execute(db);
    await sql`
      create table history_first partition of history
      for values from (minvalue) to (${toBound('history', today - idsPerDay)})`.execute(db);
  }
});
