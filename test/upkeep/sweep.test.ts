import { expect } from 'chai';
import { sql } from 'kysely';
import * as singleChecks from '../../db/batches/single-checks.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { secondsSince } from '../../db/queue/chores.ts';
import { workerChore } from '../../upkeep/chores.ts';
import { sweepOrphans } from '../../upkeep/sweep.ts';
import { runChores } from '../support/chores.ts';
import { useService } from '../support/service.ts';

describe('the sweep', () => {
  const service = useService();

  it('refunds the other checks if one refund fails', async () => {
    const boss = await service.boss();
    const { accountId } = await service.account(10);
    for (const requestId of [1_000_001, 1_000_002, 1_000_003]) {
      const check = { accountId, requestId, type: 'http' as const, input: { url: 'https://example.com/' } };
      await inTransaction(service.db, (trx) => singleChecks.begin(trx, check));
    }
    await sql`update chunks set created_at = now() - interval '36 seconds'`.execute(service.db);
    // The database rejects one item. Our code creates no such item. If it did, other items must not be affected.
    await sql`alter table items add constraint refused check (request_id <> 1000001)`.execute(service.db);
    const failures: unknown[] = [];
    const swept = await sweepOrphans(service.db, boss, (error) => failures.push(error));
    expect(swept.singleChecksRefunded).to.equal(2);
    expect(failures).to.have.length(1);
    expect(String(failures[0])).to.match(/refused/);
    await sql`alter table items drop constraint refused`.execute(service.db);
    expect(
      (await sweepOrphans(service.db, boss, (error) => failures.push(error))).singleChecksRefunded,
    ).to.equal(1);
    expect(await service.problems()).to.deep.equal([]);
  });

  it('refunds nothing for a check of a test token, because nothing was paid', async () => {
    const { accountId } = await service.account(10);
    const check = { accountId, requestId: 77, type: 'http', input: { url: 'https://a.example/' } } as const;
    await inTransaction(service.db, (trx) => singleChecks.begin(trx, { ...check, isTest: true }));
    await sql`update chunks set created_at = now() - interval '1 hour' where chunk_id = 77`.execute(
      service.db,
    );
    const boss = await service.boss();
    await sweepOrphans(service.db, boss, (error) => {
      throw error;
    });
    const { rows } = await sql`select from chunks where chunk_id = 77 and settled = 1`.execute(service.db);
    expect(rows).to.have.length(1);
    expect(await service.credits(accountId)).to.equal(10);
    expect(await service.problems()).to.deep.equal([]);
  });

  it('is one of the chores, which record that a worker is alive only if a worker runs them', async () => {
    const boss = await service.boss();
    await runChores(service.db, boss);
    expect(await secondsSince(service.db, workerChore)).to.equal(null);
    await runChores(service.db, boss, {}, { isWorker: true });
    expect(await secondsSince(service.db, workerChore)).to.be.a('number');
  });
});
