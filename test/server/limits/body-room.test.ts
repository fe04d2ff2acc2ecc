import { request } from 'node:http';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { TestService } from '../../support/service.ts';

describe('bodies in flight', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });

  after(() => service.stop());

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
      const again = begin(greedy.token);
      const status = await Promise.race([
        again.status,
        new Promise((resolve) => setTimeout(resolve, 200, 'read')),
      ]);
      again.hangUp();
      return status === 'read' ? true : null;
    });
  });
});
