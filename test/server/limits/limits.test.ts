import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import { sql } from 'kysely';
import { limitInvalidTokens } from '../../../server/limits/limits.ts';
import { purge } from '../../../upkeep/retention.ts';
import { afterTest } from '../../support/after-test.ts';
import { silentLog } from '../../support/log.ts';
import { startProcess } from '../../support/processes.ts';
import { type Answer, TestService, useService } from '../../support/service.ts';

describe('rate limits', () => {
  const service = useService({ RATE_LIMIT_PER_MINUTE: '5', METRICS_TOKEN: 'm', TRUST_PROXY: '1' });

  // The body is invalid, so that a request which passes costs nothing.
  const post = (token: string) => service.call('/check/bulk', { token, body: {} });
  const statuses = (answers: Answer[]) => answers.map(({ status }) => status);
  const times = async <T>(count: number, act: () => Promise<T>): Promise<T[]> => {
    const done: T[] = [];
    while (done.length < count) done.push(await act());
    return done;
  };

  it('reject the POST after the last one of a minute, with Retry-After', async () => {
    const { token } = await service.account(0);
    const answers = await times(6, () => post(token));
    expect(statuses(answers)).to.deep.equal([422, 422, 422, 422, 422, 429]);
    const refused = answers[5]!;
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    expect(refused.body).to.deep.equal({
      success: false,
      message: `The limit is 5 write requests (POST, PATCH, DELETE) per minute. Try again in ${refused.headers.get('retry-after')} seconds.`,
      error: 'rate_limited',
    });
  });

  it('report the remaining requests in every answer', async () => {
    const { token } = await service.account(0);
    const [first, second] = await times(2, () => post(token));
    expect(first?.headers.get('ratelimit')).to.match(/^"post"; r=4; t=\d+$/);
    expect(first?.headers.get('ratelimit-policy')).to.match(/^"post"; q=5; w=60; pk=:[\w+/]+=*:$/);
    expect(second?.headers.get('ratelimit')).to.match(/^"post"; r=3; t=\d+$/);
    expect(first?.headers.get('x-ratelimit-limit')).to.equal(null);
  });

  it('count reads separately, with ten times the limit, and each account on its own', async () => {
    const { token } = await service.account(0);
    const read = () => service.call('/credits', { token });
    expect(new Set(statuses(await times(50, read)))).to.deep.equal(new Set([200]));
    expect((await read()).status).to.equal(429);
    expect((await post(token)).status).to.equal(422);
    const other = await service.account(0);
    expect((await service.call('/credits', { token: other.token })).status).to.equal(200);
  });

  it('are checked before the body is read', async () => {
    const { token } = await service.account(0);
    await times(5, () => post(token));
    expect((await service.call('/check/bulk', { token, raw: '{"urls": [' })).status).to.equal(429);
  });

  it('begin again after a minute, and delete old windows', async () => {
    const { token, accountId } = await service.account(0);
    // The window ends while the process has not rejected any request yet.
    await times(5, () => post(token));
    await sql`update rate_limits set expire = 1 where key = ${`post:${accountId}`}`.execute(service.db);
    expect((await post(token)).headers.get('ratelimit')).to.match(/^"post"; r=4;/);

    await sql`update rate_limits set expire = 1 where key = ${`post:${accountId}`}`.execute(service.db);
    await purge(service.db, { days: 1, historyDays: 1 });
    const rows = await service.db.selectFrom('rateLimits').select('key').execute();
    expect(rows.map(({ key }) => key)).to.not.include(`post:${accountId}`);
    expect(rows.length).to.be.greaterThan(0);
  });

  it('do not cover probes and metrics', async () => {
    const headers = { Authorization: 'Bearer m' };
    for (const path of ['//healthz', '//readyz', '//metrics']) {
      const answers = await times(60, () => service.call(path, { headers }));
      const refused = answers.find(({ status }) => status !== 200);
      expect(refused && { status: refused.status, body: refused.body }, path).to.equal(undefined);
      expect(answers[0]?.headers.get('ratelimit')).to.equal(null);
    }
  });

  it('are kept in memory while Postgres fails, and shared again afterwards', async () => {
    const { token } = await service.account(0);
    expect((await post(token)).headers.get('ratelimit')).to.match(/^"post"; r=4;/);
    await sql`alter table rate_limits rename to elsewhere`.execute(service.db);
    try {
      expect(statuses(await times(6, () => post(token)))).to.deep.equal([422, 422, 422, 422, 422, 429]);
      expect((await service.call('/credits', { token })).status).to.equal(200);
    } finally {
      await sql`alter table elsewhere rename to rate_limits`.execute(service.db);
    }
    expect((await post(token)).headers.get('ratelimit')).to.match(/^"post"; r=3;/);
  });

  it('block a wrong token that is sent repeatedly, and nothing else', async () => {
    const { token } = await service.account(0);
    const from = (bearer: string, address = '192.0.2.9') =>
      service.call('/credits', { token: bearer, headers: { 'X-Forwarded-For': address } });
    const answers = await runConcurrently(300, () => from('revoked'));
    expect(new Set(statuses(answers))).to.deep.equal(new Set([401]));
    expect((await from('revoked')).status).to.equal(429);
    // The proxy writes the last address. Addresses that the caller sends are ignored.
    expect((await from('revoked', '198.51.100.1, 192.0.2.9')).status).to.equal(429);
    expect((await from('revoked', '192.0.2.8')).status).to.equal(401);
    expect((await from(token)).status).to.equal(200);
  });

  it('block an address that sends many wrong tokens, and no other, and do not count its valid requests', async () => {
    const limit = limitInvalidTokens({ config: service.config, db: service.db, log: silentLog });
    /** Returns the seconds to wait; 0 if the request passes and gets the status. */
    const ask = async (ip: string, token: string, statusCode = 401) => {
      let seconds = 0;
      const set = (_name: 'Retry-After', value: string) => {
        seconds = Number(value);
      };
      const answer = Object.assign(new EventEmitter(), { statusCode, set });
      const asked = { ip, get: () => `Bearer ${token}` };
      try {
        await limit(asked as never, answer as never, () => answer.emit('finish'));
      } catch (error) {
        expect(error).to.include({ status: 429, code: 'rate_limited' });
      }
      return seconds;
    };
    // These requests bypass HTTP, because each of 6,000 requests would query Postgres for its token.
    for (let n = 0; n < 3000; n++) expect(await ask('192.0.2.7', 'right', n % 2 ? 200 : 429)).to.equal(0);
    for (let n = 0; n < 3000; n++) expect(await ask('192.0.2.7', `wrong-${n}`)).to.equal(0);
    expect(await ask('192.0.2.7', 'right')).to.be.within(1, 60);
    expect(await ask('192.0.2.8', 'right')).to.equal(0);
  });
});

/** Runs `act` repeatedly, fifty at once: a busy machine cannot open thousands of connections in time. */
async function runConcurrently<T>(count: number, act: (nth: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  let next = 0;
  const runner = async () => {
    while (next < count) done.push(await act(next++));
  };
  await Promise.all(Array.from({ length: 50 }, runner));
  return done;
}

describe('rate limits over two web processes', () => {
  it('let exactly the limit of 100 requests pass in one window', async () => {
    const service = await TestService.start({ RATE_LIMIT_PER_MINUTE: '40' });
    afterTest(() => service.stop());
    const other = await startProcess(
      ['server/main.ts'],
      { ...service.env, LOG_FORMAT: 'json' },
      /"port":(\d+)/,
    );
    afterTest(() => other.stop());
    const ports = [new URL(service.baseUrl).port, other.said];
    const { token, accountId } = await service.account(100);
    const post = async (port: string | undefined) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/http-status/bulk`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: '{"urls":["https://example.com/"]}',
      });
      await response.arrayBuffer();
      return response.status;
    };
    const answered = [await post(ports[0])];
    // The first request began the window. It now lasts for another hour, so that it does not end in this test.
    await sql`update rate_limits set expire = expire + 3600000`.execute(service.db);
    const hands = Array.from({ length: 30 }, async (_, runner) => {
      for (let at = 1 + runner; at < 100; at += 30) answered.push(await post(ports[at % 2]));
    });
    await Promise.all(hands);
    expect(answered.filter((status) => status === 202)).to.have.lengthOf(40);
    expect(answered.filter((status) => status === 429)).to.have.lengthOf(60);
    expect(await service.credits(accountId)).to.equal(60);
  });
});
