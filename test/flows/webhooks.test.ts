import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { sql } from 'kysely';
import { inTransaction } from '../../db/postgres/connect.ts';
import { deliveryQueue } from '../../db/queue/queue.ts';
import { payloadSchemas } from '../../schemas/webhook.ts';
import { eventually } from '../support/eventually.ts';
import { makeJobsDue } from '../support/jobs.ts';
import { type Receiver, receive, verifySignature } from '../support/receiver.ts';
import { useAccount, useService } from '../support/service.ts';
import { useSite } from '../support/web.ts';

describe('the webhook of a batch', () => {
  const receivers: Receiver[] = [];
  after(async () => {
    for (const receiver of receivers) await receiver.close();
  });
  const service = useService({}, { worker: true });
  const site = useSite();
  const account = useAccount(service);
  /** This delivery takes the whole timeout, so it is started first and read last. */
  let toHanging: string;

  before(async () => {
    const hanging = await listen(() => {});
    toHanging = await submit(hanging.url);
  });

  const listen = async (...args: Parameters<typeof receive>) => {
    const receiver = await receive(...args);
    receivers.push(receiver);
    return receiver;
  };
  const submit = async (webhook_url: string, path = '/http-status/bulk', more: object = {}) => {
    const body = { urls: [`${site.url}/good`], webhook_url, ...more };
    const { body: accepted } = await service.call(path, { token: account.token, body });
    return accepted.batch_id as string;
  };
  const shown = async (batchId: string) =>
    (await service.call(`/webhooks/deliveries/${batchId}`, { token: account.token })).body;
  /** Waits for at least `count` attempts. There may be one more, because the second follows within seconds. */
  const attempted = (batchId: string, count: number) =>
    eventually(async () => {
      const delivery = await shown(batchId);
      return delivery.attempt_count >= count ? delivery : null;
    });
  /**
   * Returns the number of attempts and the seconds from the last to the next, and makes the next one due.
   * Runs under a lock, since an attempt may be recorded at any time.
   */
  const skipWait = (batchId: string): Promise<[attempts: number, seconds: number]> =>
    inTransaction(service.db, async (trx) => {
      const isOf = sql`account_id = ${account.accountId} and event_id = ${batchId}`;
      const { rows } = await sql<{ attempts: number; nextAttemptAt: Date; jobId: string }>`
        select attempts::integer, next_attempt_at, job_id from deliveries
        where ${isOf} and next_attempt_at is not null for update`.execute(trx);
      const [due] = rows;
      if (!due) return [0, 0];
      await sql`update deliveries set next_attempt_at = now() where ${isOf}`.execute(trx);
      await makeJobsDue(trx, deliveryQueue, due.jobId);
      const last = await sql<{
        at: Date;
      }>`select max(attempted_at) as at from attempts where ${isOf}`.execute(trx);
      return [due.attempts, (due.nextAttemptAt.getTime() - Number(last.rows[0]?.at)) / 1000];
    });
  /** Skips all waits until there were `count` attempts, and returns each wait by the number of attempts before it. */
  const skipWaits = async (batchId: string, count: number): Promise<Map<number, number>> => {
    const waits = new Map<number, number>();
    for (let made = 0; made < count; ) {
      made = (await attempted(batchId, made + 1)).attempt_count;
      if (made < count) waits.set(...(await skipWait(batchId)));
    }
    return waits;
  };

  it('arrives signed, with the results, and one id', async () => {
    const receiver = await listen();
    const batchId = await submit(receiver.url, '/http-status/bulk', { reference: 'october' });
    const delivery = await attempted(batchId, 1);
    expect(delivery).to.include({ success: true, batch_id: batchId, state: 'delivered', url: receiver.url });
    expect(delivery.attempts).to.have.length(1);
    expect(delivery.attempts[0]).to.include({ attempt: 1, status: 204, error: null });
    const [message] = receiver.received;
    if (!message) throw new Error('nothing arrived');
    verifySignature(message, account.webhookSecret);
    expect(message.headers).to.include({
      'webhook-id': `msg_${batchId}`,
      'content-type': 'application/json',
    });
    expect(message.body).to.include({ event: 'batch.completed', type: 'http', batch_id: batchId, total: 1 });
    expect(message.body).to.include({ reference: 'october', status: 'completed', credits_charged: 1 });
    expect(message.body.results[0]).to.include({ status: 200, state: 'success', credits: 1 });
  });

  it('has three payload types, each as documented', async () => {
    const ajv = new Ajv2020({ strict: false });
    ajv.addFormat('date-time', true).addFormat('uuid', true);
    const receiver = await listen();
    const urls = ['https://indexed.example/', 'https://blocked.example/'];
    const queries = [
      { url: 'rank-7.example', keyword: 'shoes' },
      { url: 'rank-7.example', keyword: 'boots' },
    ];
    await submit(receiver.url);
    await submit(receiver.url, '/check/bulk', { urls });
    await submit(receiver.url, '/keyword-track', { queries });
    const bodies = await eventually(async () =>
      receiver.received.length >= 3 ? receiver.received.map(({ body }) => body) : null,
    );
    for (const [type, schema] of [
      ['http', payloadSchemas.http],
      ['index', payloadSchemas.index],
      ['keyword', payloadSchemas.keyword],
    ] as const) {
      const body = bodies.find((candidate) => candidate.type === type);
      expect(ajv.validate(schema as AnySchema, body), ajv.errorsText()).to.equal(true);
    }
  });

  it('omits results of more than 100 items', async () => {
    const receiver = await listen();
    const urls = Array.from({ length: 101 }, (_, n) => `${site.url}/good?${n}`);
    const batchId = await submit(receiver.url, '/http-status/bulk', { urls });
    await attempted(batchId, 1);
    const body = receiver.received[0]?.body;
    expect(body.results).to.equal(null);
    expect(body.results_url).to.equal(`${service.config.web.baseUrl}/api/v1/batch/${batchId}`);
  });

  it('is retried on schedule until the receiver accepts it, and each attempt is recorded', async () => {
    const answers = [500, 503, 200];
    const receiver = await listen((res, nth) => res.writeHead(answers[nth - 1] ?? 500).end());
    const batchId = await submit(receiver.url);
    const waits = await skipWaits(batchId, 3);
    // The first wait may have passed already.
    expect(waits.get(1) ?? 5).to.be.within(4.9, 36);
    expect(waits.get(2)).to.be.within(299, 390);
    const delivery = await shown(batchId);
    expect(delivery).to.include({ state: 'delivered', next_attempt_at: null });
    expect(delivery.attempts.map(({ status }: { status: number }) => status)).to.deep.equal(answers);
    for (const message of receiver.received) verifySignature(message, account.webhookSecret);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).to.equal(1);
    expect(new Set(receiver.received.map(({ text }) => text)).size).to.equal(1);
  });

  it('ends after ten attempts over three days', async () => {
    const receiver = await listen((res) => res.writeHead(500).end());
    const batchId = await submit(receiver.url);
    const hours = 3600;
    const schedule = [5, 300, 1800, 2 * hours, 5 * hours, 10 * hours, 14 * hours, 20 * hours, 24 * hours];
    const waits = await skipWaits(batchId, 10);
    for (const [index, seconds] of schedule.entries()) {
      // The first wait may have passed already.
      const waited = waits.get(index + 1) ?? (index === 0 ? seconds : 0);
      expect(waited).to.be.within(seconds - 1, seconds * 1.2 + 30);
    }
    expect(await shown(batchId)).to.include({ state: 'failed', next_attempt_at: null });
  });

  it('waits as long as the receiver asks, up to an hour', async () => {
    const seconds = ['120', '1000000'];
    const receiver = await listen((res, nth) => {
      res.writeHead(429, { 'Retry-After': seconds[nth - 1] ?? '0' }).end();
    });
    const batchId = await submit(receiver.url);
    await attempted(batchId, 1);
    expect((await skipWait(batchId))[1]).to.be.within(119, 150);
    await attempted(batchId, 2);
    expect((await skipWait(batchId))[1]).to.be.within(3599, 3630);
  });

  it('is not retried after 410, and follows no redirect', async () => {
    const gone = await listen((res) => res.writeHead(410).end());
    const elsewhere = await listen();
    const moved = await listen((res) => res.writeHead(308, { Location: elsewhere.url }).end());
    const [goneId, movedId] = [await submit(gone.url), await submit(moved.url)];
    expect(await attempted(goneId, 1)).to.include({ state: 'failed', next_attempt_at: null });
    const delivery = await attempted(movedId, 1);
    expect([delivery.state, delivery.attempts[0].status]).to.deep.equal(['pending', 308]);
    expect(elsewhere.received).to.deep.equal([]);
  });

  it('can be resent in any state', async () => {
    const receiver = await listen((res, nth) => res.writeHead(nth === 1 ? 410 : 200).end());
    const batchId = await submit(receiver.url);
    await attempted(batchId, 1);
    const path = `/webhooks/deliveries/${batchId}/resend`;
    const resent = await service.call(path, { token: account.token, method: 'POST' });
    expect(resent.status).to.equal(202);
    expect(resent.body).to.include({ success: true, state: 'pending', attempt_count: 1, ended_at: null });
    const delivery = await attempted(batchId, 2);
    expect(delivery.state).to.equal('delivered');
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).to.deep.equal([
      `msg_${batchId}`,
      `msg_${batchId}`,
    ]);
  });

  it('waits 15 seconds for a receiver that does not answer, and not at all for a closed port', async () => {
    const absent = await submit('http://127.0.0.1:1/');
    expect((await attempted(absent, 1)).attempts[0]).to.include({ status: null, error: 'connect_refused' });
    const { attempts, state } = await attempted(toHanging, 1);
    expect(state).to.equal('pending');
    expect(attempts[0]).to.include({ status: null, error: 'response_timeout' });
    expect(attempts[0].duration_ms).to.be.at.least(14_900);
  });
});
