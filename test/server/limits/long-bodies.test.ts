import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect } from 'chai';
import { noteArrivals } from '../../support/arrivals.ts';
import { eventually } from '../../support/eventually.ts';
import { TestService } from '../../support/service.ts';

describe('long bodies', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start({ RATE_LIMIT_PER_MINUTE: '100' });
  });

  after(() => service.stop());

  const kibibyte = 1024;
  const mebibyte = 1024 * kibibyte;
  const padded = (body: object, bytes: number) => JSON.stringify(body).padEnd(bytes);
  const urls = ['https://example.com/a', 'https://example.com/b'];
  const counted = async (accountId: number) => {
    const row = await service.db
      .selectFrom('rateLimits')
      .select('points')
      .where('key', '=', `post:${accountId}`)
      .executeTakeFirst();
    return row?.points ?? 0;
  };
  const untilCounted = (accountId: number, points: number) =>
    eventually(async () => (await counted(accountId)) === points || null);

  it('for which nothing was done count with each 128 KiB, and soon no more are read', async () => {
    const { token, accountId } = await service.account(0);
    const post = (bytes: number) => service.call('/check/bulk', { token, raw: padded({ urls }, bytes) });
    expect((await post(100 * kibibyte)).status).to.equal(402);
    expect(await counted(accountId)).to.equal(1);
    expect((await post(8 * mebibyte)).status).to.equal(402);
    await untilCounted(accountId, 2 + 64);
    expect((await post(8 * mebibyte)).status).to.equal(402);
    await untilCounted(accountId, 3 + 2 * 64);
    expect((await post(10)).status).to.equal(429);
  });

  it('that have too many values are refused by the bytes that have come, and the rest is not waited for', async () => {
    const { token, accountId } = await service.account(0);
    const call = request(`${service.baseUrl}/api/v1/check/bulk`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Content-Length': 8 * mebibyte,
      },
    });
    call.on('error', () => {});
    const answered = once(call, 'response') as Promise<[IncomingMessage]>;
    call.write(`{"urls":[${'{},'.repeat(100_000)}`);
    const [{ statusCode }] = await answered;
    call.destroy();
    expect(statusCode).to.equal(413);
    await untilCounted(accountId, 1 + 1);
  });

  it('are no part of a request that only reads', async () => {
    const { token } = await service.account(0);
    const get = request(`${service.baseUrl}/api/v1/keyword-track`, {
      method: 'GET',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Content-Length': mebibyte,
      },
    });
    get.on('error', () => {});
    const answered = once(get, 'response') as Promise<[IncomingMessage]>;
    // Nothing of it is waited for.
    get.flushHeaders();
    const [{ statusCode }] = await answered;
    get.destroy();
    expect(statusCode).to.equal(413);
  });

  it('count once when they are accepted, and with their length when that is repeated', async () => {
    const { token, accountId } = await service.account(10);
    const raw = padded({ urls }, mebibyte);
    const headers = { 'Idempotency-Key': 'a' };
    expect((await service.call('/check/bulk', { token, raw, headers })).status).to.equal(202);
    expect(await counted(accountId)).to.equal(1);
    const again = await service.call('/check/bulk', { token, raw, headers });
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    await untilCounted(accountId, 2 + 8);
  });

  it('count for what was read of them when their caller leaves', async () => {
    const { token, accountId } = await service.account(0);
    const arrivals = noteArrivals();
    const call = request(`${service.baseUrl}/api/v1/check/bulk`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Content-Length': 8 * mebibyte,
      },
    });
    call.on('error', () => {});
    call.write(Buffer.alloc(mebibyte, ' '));
    await eventually(async () => arrivals.bytesRead().includes(mebibyte) || null);
    arrivals.stop();
    call.destroy();
    await untilCounted(accountId, 1 + 8);
  });
});
