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

  it('give way where long, the oldest of whoever holds most, when an account that holds none comes', async () => {
    const begun: Array<ReturnType<typeof begin>> = [];
    const refused = new Map<ReturnType<typeof begin>, unknown>();
    const accounts = await Promise.all(Array.from({ length: 14 }, () => service.account()));
    for (const { token } of accounts) {
      const before = refused.size;
      arrivals.forget();
      // One more than an account may hold.
      for (let count = 0; count < 5; count++) {
        const one = begin(token);
        begun.push(one);
        void one.status.then((status) => refused.set(one, status));
      }
      await eventually(async () => refused.size - before + held() === 5 || null);
    }
    const waiting = begun.filter((one) => !refused.has(one));
    expect(waiting).to.have.length(32);
    const { token } = await service.account();
    const body = { urls: ['nonsense'], on_invalid: 'skip' };
    const post = (bytes: number) =>
      service.call('/http-status/bulk', { token, raw: JSON.stringify(body).padEnd(bytes) });
    const short = await Promise.all(Array.from({ length: 20 }, () => post(200 * 1024)));
    expect(new Set(short.map(({ status }) => status))).to.deep.equal(new Set([202]));
    expect(waiting.filter((one) => refused.has(one))).to.have.length(0);
    expect((await post(256 * 1024)).status).to.equal(202);
    const gone = await eventually(async () => {
      const some = waiting.filter((one) => refused.has(one));
      return some.length > 0 ? some : null;
    });
    expect(gone.map((one) => waiting.indexOf(one) < 4)).to.deep.equal([true]);
    expect(refused.get(gone[0] as ReturnType<typeof begin>)).to.equal(429);
    for (const { hangUp } of begun) hangUp();
  });
});
