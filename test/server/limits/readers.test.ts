import { expect } from 'chai';
import { sql } from 'kysely';
import { createReaders } from '../../../server/limits/readers.ts';
import { TestService } from '../../support/service.ts';

describe('readers of results', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start({ RATE_LIMIT_PER_MINUTE: '5' });
  });

  after(() => service.stop());

  it('are four at once of an account, whatever it asks for, and nobody waits for another', async () => {
    const readers = createReaders(service.db, 0);
    const { promise: letGo, resolve } = Promise.withResolvers<void>();
    let atOnce = 0;
    const send = async () => {
      atOnce += 1;
      await letGo;
      atOnce -= 1;
    };
    const greedy = Array.from({ length: 20 }, () => readers.inTurn(1, send));
    await new Promise(setImmediate);
    expect(atOnce).to.equal(4);
    expect(await readers.inTurn(2, async () => 'sent')).to.equal('sent');
    resolve();
    await Promise.all(greedy);
    expect(atOnce).to.equal(0);
  });

  it('have one page of their account read at a time, and nobody waits for another', async () => {
    const readers = createReaders(service.db, 0);
    const { promise: letGo, resolve } = Promise.withResolvers<void>();
    let atOnce = 0;
    let mostAtOnce = 0;
    const read = async () => {
      mostAtOnce = Math.max(mostAtOnce, ++atOnce);
      await letGo;
      atOnce -= 1;
    };
    const pages = Array.from({ length: 20 }, () => readers.pageInTurn(1, read));
    expect(await readers.pageInTurn(2, async () => 'read')).to.equal('read');
    resolve();
    await Promise.all(pages);
    expect(mostAtOnce).to.equal(1);
  });

  it('count by the rows they are sent', async () => {
    const { accountId, token } = await service.account();
    const batchId = '00000000-0000-4000-8000-000000000001';
    await sql`
      insert into batches (account_id, batch_id, type, first_request_id, total, failed, status, started_at, completed_at)
      values (${accountId}, ${batchId}, 'http', 1, 1000, 1000, 'failed', now(), now())`.execute(service.db);
    await sql`
      insert into items (account_id, request_id, batch_id, position, type, state, input, error)
      select ${accountId}, 1 + n, ${batchId}, n, 'http', 'failed', '{"url":"https://example.com/"}', 'canceled'
      from generate_series(0, 999) as n`.execute(service.db);
    const left = async (path: string) => {
      const { headers } = await service.call(path, { token });
      return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
    };
    const before = await left('/credits');
    await left(`/batch/${batchId}`);
    await left(`/batch/${batchId}/results.csv`);
    // Three requests, and ten more for each thousand rows.
    expect(before - (await left('/credits'))).to.equal(3 + 2 * 10);
  });
});
