import { request } from 'node:http';
import { expect } from 'chai';
import { type Arrivals, noteArrivals } from '../../support/arrivals.ts';
import { eventually } from '../../support/eventually.ts';
import { TestService } from '../../support/service.ts';

describe('bodies in flight', () => {
  let service: TestService;
  let arrivals: Arrivals;

  before(async () => {
    service = await TestService.start();
    arrivals = noteArrivals();
  });

  after(async () => {
    arrivals.stop();
    await service.stop();
  });

  const eightMebibytes = 8 * 1024 * 1024;

  /** Says that a long body comes, and sends the first byte of it. */
  function begin(token: string): { status: Promise<number | null>; hangUp(): void } {
    const call = request(`${service.baseUrl}/api/v1/http-status/bulk`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Content-Length': eightMebibytes,
      },
    });
    const { promise: status, resolve } = Promise.withResolvers<number | null>();
    call.on('response', (response) => resolve(response.statusCode ?? null));
    call.on('error', () => resolve(null));
    call.write('{');
    return { status, hangUp: () => call.destroy() };
  }

  /** How many of those that came are let in: the first byte of them has been read. */
  const held = () => arrivals.bytesRead().filter((bytes) => bytes > 0).length;

  it('hold no more than 32 MiB of an account, and keep nobody else out', async () => {
    const [greedy, other] = [await service.account(), await service.account()];
    const calls = Array.from({ length: 12 }, () => begin(greedy.token));
    const refused: Array<number | null> = [];
    for (const { status } of calls) void status.then((code) => refused.push(code));
    await eventually(async () => (refused.length === 8 ? true : null));
    expect(new Set(refused)).to.deep.equal(new Set([429]));
    const body = { urls: ['nonsense'], on_invalid: 'skip' };
    const full = await service.call('/http-status/bulk', { token: other.token, body });
    expect(full.status).to.equal(202);
    for (const { hangUp } of calls) hangUp();
    await eventually(async () => {
      arrivals.forget();
      const again = begin(greedy.token);
      let isRefused = false;
      void again.status.then(() => {
        isRefused = true;
      });
      await eventually(async () => isRefused || held() > 0 || null);
      again.hangUp();
      return isRefused ? null : true;
    });
  });

  it('are refused where long, and never where small, once some accounts hold all there is', async () => {
    const begun: Array<ReturnType<typeof begin>> = [];
    let holders = 0;
    for (let isFull = false; !isFull; ) {
      const { token } = await service.account();
      const refused: unknown[] = [];
      arrivals.forget();
      // One more than an account may hold.
      for (let count = 0; count < 5; count++) {
        const one = begin(token);
        begun.push(one);
        void one.status.then((status) => refused.push(status));
      }
      await eventually(async () => refused.length + held() === 5 || null);
      isFull = refused.length === 5;
      if (!isFull) holders += 1;
    }
    expect(holders).to.equal(14);
    const { token } = await service.account();
    const body = { urls: ['nonsense'], on_invalid: 'skip' };
    const posts = Array.from({ length: 20 }, () => service.call('/http-status/bulk', { token, body }));
    const statuses = (await Promise.all(posts)).map(({ status }) => status);
    expect(new Set(statuses)).to.deep.equal(new Set([202]));
    const padded = JSON.stringify(body).padEnd(20 * 1024);
    expect((await service.call('/http-status/bulk', { token, raw: padded })).status).to.equal(429);
    for (const { hangUp } of begun) hangUp();
  });
});
