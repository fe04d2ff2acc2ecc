import { expect } from 'chai';
import { sql } from 'kysely';
import { monitorWebhookEvents } from '../../../schemas/operations/monitor-events.ts';
import { webhookEvents } from '../../../schemas/operations/webhooks.ts';
import { expectMatchesSchema } from '../../support/event-schemas.ts';
import { useReceiver, verifySignature } from '../../support/receiver.ts';
import { useAccount, useService } from '../../support/service.ts';

describe('webhooks', () => {
  const service = useService();
  const account = useAccount(service);
  const receiver = useReceiver();

  const call = (path: string, options: object = {}) =>
    service.call(`/webhooks${path}`, { token: account.token, ...options });
  /** Creates a batch of invalid entries. It has ended when accepted, so its delivery is pending. */
  const createPendingDelivery = async () => {
    const body = { urls: ['nonsense'], on_invalid: 'skip', webhook_url: receiver.url };
    const accepted = await service.call('/http-status/bulk', { token: account.token, body });
    return accepted.body.batch_id as string;
  };

  it('show the secret of the account, and rotate it', async () => {
    expect((await call('/secret')).body).to.deep.equal({
      success: true,
      secret: account.webhookSecret,
      previous_secret: null,
      previous_expires_at: null,
    });
    const { body } = await call('/secret/rotate', { method: 'POST' });
    expect(body.secret)
      .to.match(/^whsec_[A-Za-z0-9+/]{43}=$/)
      .and.not.equal(account.webhookSecret);
    expect(body.previous_secret).to.equal(account.webhookSecret);
    const hours = (Date.parse(body.previous_expires_at) - Date.now()) / 3_600_000;
    expect(hours).to.be.within(23.9, 24);
    expect((await call('/secret')).body).to.deep.equal(body);
  });

  it('store no rotated secret in plain text with the answer of an Idempotency-Key', async () => {
    await call('/secret/rotate', { method: 'POST', headers: { 'Idempotency-Key': 'rotate-once' } });
    const { body } = await service.db
      .selectFrom('idempotencyKeys')
      .select('body')
      .where('key', '=', 'rotate-once')
      .executeTakeFirstOrThrow();
    expect(body?.includes('whsec_')).to.equal(false);
  });

  it('send a signed sample of each type, and report the response', async () => {
    receiver.received.length = 0;
    const { body, status } = await call('/test', { body: { webhook_url: receiver.url } });
    expect(status).to.equal(200);
    const result = body.deliveries.map(({ type, delivered, status, error }: Record<string, unknown>) => [
      type,
      delivered,
      status,
      error,
    ]);
    expect(result).to.deep.equal(['index', 'http', 'keyword'].map((type) => [type, true, 204, null]));
    const { secret } = (await call('/secret')).body;
    for (const message of receiver.received) verifySignature(message, secret);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).to.have.members(
      body.deliveries.map(({ message_id }: { message_id: string }) => message_id),
    );
  });

  it('send samples that the OpenAPI document describes', async () => {
    for (const { schema, example } of [...monitorWebhookEvents, ...webhookEvents]) {
      const { event, ...rest } = example as { event: string; type?: string };
      const type = event === 'batch.completed' ? (rest.type ?? null) : null;
      receiver.received.length = 0;
      const request = { webhook_url: receiver.url, event, ...(type && { type }) };
      const { body, status } = await call('/test', { body: request });
      expect([status, body.deliveries[0].event, body.deliveries[0].type]).to.deep.equal([200, event, type]);
      const [message] = receiver.received;
      expect(message?.body).to.include({ event, test: true });
      expect(JSON.stringify(message?.body)).not.to.contain('sonde.example.com');
      expectMatchesSchema(schema, message?.body);
    }
    const both = await call('/test', {
      body: { webhook_url: receiver.url, event: 'credits.low', type: 'http' },
    });
    expect([both.status, Object.keys(both.body.errors)]).to.deep.equal([422, ['type']]);
  });

  it('are signed with both secrets for a day after a rotation', async () => {
    const rotating = await service.account();
    const rotated = await service.call('/webhooks/secret/rotate', { token: rotating.token, method: 'POST' });
    expect(rotated.body.previous_secret).to.equal(rotating.webhookSecret);
    const send = async () => {
      const body = { webhook_url: receiver.url, type: 'http' };
      await service.call('/webhooks/test', { token: rotating.token, body });
      const message = receiver.received.at(-1);
      if (!message) throw new Error('nothing arrived');
      return message;
    };
    const during = await send();
    verifySignature(during, rotating.webhookSecret);
    verifySignature(during, rotated.body.secret);
    await sql`update accounts set webhook_secret_rotated_at = now() - interval '24 hours 1 second'
      where account_id = ${rotating.accountId}`.execute(service.db);
    const after = await send();
    verifySignature(after, rotated.body.secret);
    expect(() => verifySignature(after, rotating.webhookSecret)).to.throw();
    const { body } = await service.call('/webhooks/secret', { token: rotating.token });
    expect(body).to.deep.equal({
      success: true,
      secret: rotated.body.secret,
      previous_secret: null,
      previous_expires_at: null,
    });
  });

  it('report an unreachable receiver', async () => {
    const { body } = await call('/test', { body: { webhook_url: 'http://127.0.0.1:1/', type: 'http' } });
    expect(body.deliveries).to.have.length(1);
    expect(body.deliveries[0]).to.include({ delivered: false, status: null, error: 'connect_refused' });
  });

  it('name invalid fields', async () => {
    const fields = async (body: object) => Object.keys((await call('/test', { body })).body.errors);
    expect(await fields({})).to.deep.equal(['webhook_url']);
    expect(await fields({ webhook_url: 'http://10.0.0.1/' })).to.deep.equal(['webhook_url']);
    expect(await fields({ webhook_url: receiver.url, type: 'html' })).to.deep.equal(['type']);
    expect(Object.keys((await call('/deliveries?state=lost')).body.errors)).to.deep.equal(['state']);
  });

  it('list deliveries newest first, by state, page by page', async () => {
    const ids = [await createPendingDelivery(), await createPendingDelivery(), await createPendingDelivery()];
    const first = await call('/deliveries?state=pending&per_page=2');
    expect(first.body.total).to.equal(3);
    const second = await call(`/deliveries?state=pending&per_page=2&cursor=${first.body.next_cursor}`);
    const listed = [...first.body.data, ...second.body.data];
    expect(listed.map(({ batch_id }: { batch_id: string }) => batch_id)).to.deep.equal(ids.reverse());
    expect(listed[0]).to.include({ state: 'pending', attempt_count: 0, ended_at: null, url: receiver.url });
    expect((await call('/deliveries?state=failed')).body.data).to.deep.equal([]);
  });

  it('answer 404 for an unknown delivery', async () => {
    const body = { urls: ['nonsense'], on_invalid: 'skip' };
    const without = await service.call('/http-status/bulk', { token: account.token, body });
    for (const batchId of [without.body.batch_id, 'nonsense']) {
      expect((await call(`/deliveries/${batchId}`)).status).to.equal(404);
      expect((await call(`/deliveries/${batchId}/resend`, { method: 'POST' })).status).to.equal(404);
    }
  });
});
