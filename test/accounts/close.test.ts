import { expect } from 'chai';
import { sql } from 'kysely';
import { close } from '../../accounts/close.ts';
import { createBoss } from '../../db/queue.ts';
import { receive } from '../support/receiver.ts';
import { TestService } from '../support/service.ts';

describe('an account that is closed', () => {
  let service: TestService;
  let boss: ReturnType<typeof createBoss>;

  before(async () => {
    service = await TestService.start();
    boss = createBoss({ url: service.config.database.url, backend: 'postgres', max: 1, role: 'web' });
    await boss.start();
  });

  after(async () => {
    await boss.stop({ graceful: false });
    await service.stop();
  });

  it('leaves nothing that names a person, and sends nobody anything', async () => {
    const receiver = await receive();
    const { accountId, token } = await service.account();
    const { token: neighbour } = await service.account();
    const request = { reference: 'for Ann', webhook_url: receiver.url };
    const ended = { urls: ['nonsense'], on_invalid: 'skip', ...request };
    const open = { urls: ['https://example.com/'], ...request };
    for (const body of [ended, open])
      await service.call('/http-status/bulk', {
        token,
        body,
        headers: { 'Idempotency-Key': JSON.stringify(body).length.toString() },
      });
    await service.call('/http-status/bulk', { token: neighbour, body: ended });
    const { data } = (await service.call('/batches', { token })).body;
    for (const { batch_id: id } of data) {
      await service.call(`/batch/${id}/rename`, { token, body: { name: 'Ann, weekly' } });
    }

    await close(service.db, boss, accountId);
    const { rows } = await sql<{ row: object }>`
      select row_to_json(batches) as row from batches where account_id = ${accountId}
      union all select row_to_json(deliveries) from deliveries where account_id = ${accountId}
      union all select row_to_json(idempotency_keys) from idempotency_keys where account_id = ${accountId}
      union all select row_to_json(job)::json from pgboss.job where data->>'account_id' = ${String(accountId)}
        and name = 'deliveries'`.execute(service.db);
    expect(rows).to.have.length(2);
    expect(JSON.stringify(rows)).not.to.match(/Ann|127\.0\.0\.1/);

    await service.addWorker();
    await service.quiet();
    expect(receiver.received).to.have.length(1);
    expect(await service.credits(accountId)).to.equal(10_000);
    expect(await service.problems()).to.deep.equal([]);
    await receiver.close();
  });
});
