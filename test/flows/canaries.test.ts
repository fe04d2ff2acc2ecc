import { expect } from 'chai';
import { sql } from 'kysely';
import * as tokens from '../../db/accounts/tokens.ts';
import { useDns } from '../support/dns.ts';
import { eventually } from '../support/eventually.ts';
import { captureLog } from '../support/log.ts';
import { secretKey, useAccount, useService } from '../support/service.ts';
import { useSite } from '../support/web.ts';

/** A marker in every value that a caller can set. */
const canary = 'c4n4ry';
const forged = '{"level":"error","message":"forged"}';

describe('logs and metrics', () => {
  const { log, lines } = captureLog();
  const dns = useDns({ 'failing.test': 'servfail', 'inside.test': { a: ['10.0.0.1'] } });
  const env = () => ({ METRICS_TOKEN: `metrics-${canary}`, DNS_SERVERS: dns.server });
  const service = useService(env, { worker: true, log });
  const site = useSite();
  const account = useAccount(service, 1000);
  let revoked: string;

  before(async () => {
    revoked = await tokens.issue(service.db, account.accountId, 'to be revoked');
  });

  const secretUrl = (base: string) => `${base}?key=${canary}&next=%0d%0a${forged}#${canary}`;

  async function everythingACallerCanSay(): Promise<void> {
    const { token } = account;
    const headers = {
      'User-Agent': `agent-${canary}`,
      'X-Forwarded-For': canary,
      'X-Request-Id': `${canary}${forged}`,
      Referer: `http://referer.example/?${canary}`,
      Cookie: `session=${canary}`,
      'Idempotency-Key': `key-${canary}-${forged}`,
    };
    const call = (path: string, options: object = {}) => service.call(path, { token, headers, ...options });
    await call('/http-status', { body: { url: secretUrl(`${site.url}/good`) } });
    await call('/http-status', { body: { url: secretUrl('http://failing.test/') }, headers: {} });
    await call('/http-status', { body: { url: secretUrl('http://inside.test/') }, headers: {} });
    await call('/check', { body: { url: secretUrl('https://blocked.example/') }, headers: {} });
    await call('/keyword-track', {
      body: { queries: [{ keyword: `${canary} blocked`, url: 'blocked.example', tag: canary }] },
      headers: {},
    });
    await call(`/nothing/${canary}%0a${forged}`);
    await call(`/batch/${canary}`);
    await call(`/batches?type=${canary}`);
    await call('/http-status', { raw: `{"url":"${canary}` });
    await call('/http-status', { body: { url: canary, [canary]: forged } });
    await service.call('/credits', { token: revoked });
    await service.call('/credits', { token: `sonde_${canary}` });
    await service.call(`//${canary}?${canary}`, { method: 'PURGE' });
    const urls = ['/good', '/soft', '/loop'].map((path) => secretUrl(site.url + path));
    const webhookUrl = secretUrl('http://127.0.0.1:9/hook');
    const body = { urls, reference: `${canary}\n${forged}`, webhook_url: webhookUrl };
    const { body: accepted } = await call('/http-status/bulk', { body, headers: {} });
    await service.ended(token, accepted.batch_id);
    await eventually(async () => {
      const attempts = await service.db.selectFrom('attempts').select('attemptNo').execute();
      return attempts.length > 0 ? true : null;
    });
  }

  /** Causes internal errors, which are logged with all details. */
  async function everythingThatCanFail(): Promise<void> {
    const { token } = account;
    await sql`alter table chunks rename to chunks_away`.execute(service.db);
    const body = { url: secretUrl(`${site.url}/good`) };
    expect((await service.call('/http-status', { token, body })).status).to.equal(500);
    const urls = [secretUrl(`${site.url}/good`)];
    expect((await service.call('/http-status/bulk', { token, body: { urls } })).status).to.equal(500);
    await sql`alter table chunks_away rename to chunks`.execute(service.db);
    await sql`alter table items add constraint breaks check (input::text not like '%breaks%')`.execute(
      service.db,
    );
    const breaking = { url: secretUrl(`${site.url}/good?breaks`) };
    const answer = await service.call('/http-status', { token, body: breaking });
    expect(answer.status).to.equal(500);
    expect(answer.text).to.not.match(/constraint|items|breaks|postgres|\bat \//i);
    await sql`alter table items drop constraint breaks`.execute(service.db);
  }

  it('contain no token, no secret, no query string and no forged line of a caller', async () => {
    await everythingACallerCanSay();
    await everythingThatCanFail();
    const metrics = (await service.call('//metrics', { token: `metrics-${canary}` })).text;
    expect(metrics).to.match(/sonde_http_request_duration_seconds_count/);
    expect(lines.length).to.be.greaterThan(3);
    for (const text of [...lines, metrics]) {
      expect(text).to.not.include(canary);
      expect(text).to.not.include('forged');
      for (const secret of [account.token, revoked, account.webhookSecret, secretKey]) {
        expect(text).to.not.include(secret);
        expect(text).to.not.include(secret.slice(8, 24));
      }
    }
    for (const line of lines) {
      expect(line.trimEnd()).to.not.include('\n');
      expect(JSON.parse(line)).to.include.keys('level', 'message', 'timestamp');
    }
  });
});
