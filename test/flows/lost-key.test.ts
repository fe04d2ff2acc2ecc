import { expect } from 'chai';
import { readConfig } from '../../config/config.ts';
import { storeKeyCanary } from '../../db/accounts/secret-rotation.ts';
import { createSecretBox } from '../../process/secret-box.ts';
import { startWeb } from '../../server/main.ts';
import { reencryptAll } from '../../upkeep/secret-rotation.ts';
import { startWorker } from '../../worker/main.ts';
import { afterTest } from '../support/after-test.ts';
import { FormClient, signedIn } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { captureLog, silentLog } from '../support/log.ts';
import { receive } from '../support/receiver.ts';
import { type Answer, secretKey, useService } from '../support/service.ts';

const anotherKey = 'another secret key for tests, as long';

describe('a changed SECRET_KEY', () => {
  const service = useService();

  /** Starts a web process on the same database with other keys. */
  async function withKeys<T>(keys: Record<string, string>, act: (url: string) => Promise<T>): Promise<T> {
    const web = await startWeb(readConfig({ ...service.env, ...keys }), silentLog);
    try {
      return await act(`http://127.0.0.1:${web.port}`);
    } finally {
      await web.stop();
    }
  }

  const callAt = async (url: string, path: string, token: string, init: RequestInit = {}) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...init.headers };
    const response = await fetch(`${url}/api/v1${path}`, { ...init, headers });
    const body = (await response.json()) as Answer['body'];
    return { status: response.status, body };
  };

  it('still decrypts old values with SECRET_KEY_PREVIOUS', async () => {
    const { token, webhookSecret } = await service.account();
    const keys = { SECRET_KEY: anotherKey, SECRET_KEY_PREVIOUS: secretKey };
    const { status, body } = await withKeys(keys, (url) => callAt(url, '/webhooks/secret', token));
    expect([status, body.secret]).to.deep.equal([200, webhookSecret]);
  });

  it('is applied to all values, after which the previous one is no longer needed', async () => {
    const { token, webhookSecret } = await service.account();
    const toNew = createSecretBox(anotherKey, secretKey);
    expect(await reencryptAll(service.db, toNew)).to.be.at.least(1);
    expect(await reencryptAll(service.db, toNew)).to.equal(0);
    const { body } = await withKeys({ SECRET_KEY: anotherKey }, async (url) => {
      expect((await fetch(`${url}/readyz`)).status).to.equal(200);
      return callAt(url, '/webhooks/secret', token);
    });
    expect(body.secret).to.equal(webhookSecret);
    await reencryptAll(service.db, createSecretBox(secretKey, anotherKey));
  });

  it('is reported at start and by readiness if the previous one is unknown', async () => {
    const { log, lines } = captureLog();
    const web = await startWeb(readConfig({ ...service.env, SECRET_KEY: anotherKey }), log);
    expect((await fetch(`http://127.0.0.1:${web.port}/readyz`)).status).to.equal(503);
    await web.stop();
    expect(lines.join('')).to.match(/"level":"error".*SECRET_KEY cannot decrypt/);
    await storeKeyCanary(service.db, createSecretBox(anotherKey), { isReplaced: true });
    const status = await withKeys(
      { SECRET_KEY: anotherKey },
      async (url) => (await fetch(`${url}/readyz`)).status,
    );
    expect(status).to.equal(200);
    await storeKeyCanary(service.db, createSecretBox(secretKey), { isReplaced: true });
  });

  it('disables encrypted values, and breaks nothing else', async () => {
    const account = await service.account();
    const { token } = account;
    const receiver = await receive();
    const request = {
      method: 'POST',
      body: JSON.stringify({ urls: ['https://example.com/'] }),
      headers: { 'Idempotency-Key': 'once' },
    };
    await callAt(service.baseUrl, '/http-status/bulk', token, request);
    await withKeys({ SECRET_KEY: anotherKey }, async (url) => {
      expect((await callAt(url, '/webhooks/secret', token)).body.secret).to.equal(null);
      const again = await callAt(url, '/http-status/bulk', token, request);
      expect([again.status, again.body.error]).to.deep.equal([409, 'idempotency_key_reused']);
      expect(again.body.message).to.match(/^This request was already processed, .* before you send it again/);
      expect(await service.credits(account.accountId)).to.equal(9_999);

      const sample = { method: 'POST', body: JSON.stringify({ webhook_url: receiver.url, type: 'http' }) };
      const tested = await callAt(url, '/webhooks/test', token, sample);
      expect(tested.body.deliveries[0]).to.include({ delivered: false, error: 'no_signing_secret' });

      const browser = new FormClient(url);
      browser.cookies.set('sonde_session', await signedIn(service, account));
      const page = await browser.get('/webhooks?secret=shown');
      expect([page.status, /We cannot read the secret/.test(page.text)]).to.deep.equal([200, true]);

      const rotated = await callAt(url, '/webhooks/secret/rotate', token, { method: 'POST' });
      expect(rotated.status).to.equal(200);
      expect(rotated.body.secret).to.match(/^whsec_/);
      expect(rotated.body.previous_secret).to.equal(null);
      expect((await callAt(url, '/webhooks/test', token, sample)).body.deliveries[0].delivered).to.equal(
        true,
      );
    });
    expect(receiver.received).to.have.length(1);
    await receiver.close();
  });

  it('records unsignable deliveries, and does not call the receiver', async () => {
    const { token } = await service.account();
    const receiver = await receive();
    afterTest(() => receiver.close());
    const request = { urls: ['nonsense'], on_invalid: 'skip', webhook_url: receiver.url };
    const { body } = await service.call('/http-status/bulk', { token, body: request });
    const worker = await startWorker(readConfig({ ...service.env, SECRET_KEY: anotherKey }), silentLog);
    afterTest(() => worker.stop());
    const delivery = await eventually(async () => {
      const answer = await service.call(`/webhooks/deliveries/${body.batch_id}`, { token });
      return answer.body.attempt_count > 0 ? answer.body : null;
    });
    expect(delivery.attempts[0]).to.include({ attempt: 1, status: null, error: 'no_signing_secret' });
    expect(receiver.received).to.have.length(0);
  });
});
