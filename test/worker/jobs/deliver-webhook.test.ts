import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { deadlines } from '../../../config/deadlines.ts';
import { inTransaction } from '../../../db/postgres/connect.ts';
import { deliveryQueue, enqueueDelivery } from '../../../db/queue/queue.ts';
import { afterTest } from '../../support/after-test.ts';
import { eventually } from '../../support/eventually.ts';
import { makeJobsDue } from '../../support/jobs.ts';
import { receive } from '../../support/receiver.ts';
import { TestService } from '../../support/service.ts';

describe('deliveries of one account', () => {
  let service: TestService;

  beforeEach(async () => {
    service = await TestService.start();
  });

  afterEach(() => service.stop());

  /** Submits a batch that ends when it is accepted, with a pending delivery. */
  async function submit(token: string, webhook_url: string): Promise<void> {
    const body = { urls: ['none'], on_invalid: 'skip', webhook_url };
    const { status } = await service.call('/http-status/bulk', { token, body });
    expect(status).to.equal(202);
  }

  it('to many receivers that do not answer hold twelve slots, and others are delivered meanwhile', async () => {
    const hanging = await receive(() => {});
    afterTest(() => hanging.close());
    const fine = await receive();
    afterTest(() => fine.close());
    const greedy = await service.account(1);
    // Each address is a host of its own.
    for (let host = 1; host <= 40; host++) {
      await submit(greedy.token, `http://greedy-${host}.localhost:${hanging.port}/`);
    }
    const begunMs = Date.now();
    await service.addWorker();
    await eventually(async () => (hanging.received.length >= 12 ? true : null));
    const victim = await service.account(1);
    for (let nth = 0; nth < 3; nth++) await submit(victim.token, `${fine.url}/${nth}`);
    await eventually(async () => (fine.received.length >= 3 ? true : null));
    expect(hanging.received.length).to.be.at.most(12 * roundsSince(begunMs));
    // Deliveries without a slot are postponed, without a counted attempt.
    const rows = await service.db
      .selectFrom('deliveries')
      .select('attempts')
      .where('accountId', '=', greedy.accountId)
      .execute();
    const ended = rows.filter(({ attempts }) => attempts > 0).length;
    expect(ended).to.be.at.most(12 * (roundsSince(begunMs) - 1));
    expect(rows).to.have.lengthOf(40);
  });

  it('are sent side by side while four other accounts hold all the slots that they may have', async () => {
    const hanging = await receive(() => {});
    afterTest(() => hanging.close());
    const greedy = await Promise.all(Array.from({ length: 4 }, () => service.account(1)));
    for (const [nth, { token }] of greedy.entries())
      for (let host = 1; host <= 12; host++)
        await submit(token, `http://greedy-${nth}-${host}.localhost:${hanging.port}/`);
    await service.addWorker();
    await eventually(async () => (hanging.received.length >= 48 ? true : null));
    const slow = await receive(() => {});
    afterTest(() => slow.close());
    const victim = await service.account(1);
    for (let nth = 0; nth < 6; nth++)
      await submit(victim.token, `http://victim-${nth}.localhost:${slow.port}/`);
    // None of them ends before the timeout, so they are in progress at the same time.
    await eventually(async () => (slow.received.length === 6 ? true : null));
  });

  it('are retried after those with a first attempt', async () => {
    const boss = await service.boss();
    const enqueue = (inSeconds: number) => {
      const delivery = { accountId: 1, eventId: randomUUID(), url: 'http://a.example', inSeconds };
      return inTransaction(service.db, (trx) => enqueueDelivery(boss, trx, delivery));
    };
    const [repeated, first] = [await enqueue(60), await enqueue(0)];
    await makeJobsDue(service.db, deliveryQueue, repeated);
    const order = [await boss.fetch(deliveryQueue), await boss.fetch(deliveryQueue)];
    expect(order.flat().map(({ id }) => id)).to.deep.equal([first, repeated]);
  });

  it('to one host that does not answer are four at a time, and do not delay those to others', async () => {
    const hanging = await receive(() => {});
    afterTest(() => hanging.close());
    const fine = await receive();
    afterTest(() => fine.close());
    const { token } = await service.account(1);
    for (let nth = 0; nth < 10; nth++) await submit(token, `${hanging.url}/${nth}`);
    await submit(token, fine.url);
    const begunMs = Date.now();
    await service.addWorker();
    await eventually(async () => (fine.received.length >= 1 ? true : null));
    const held = () => (hanging.received.length >= 4 ? hanging.received.length : null);
    expect(await eventually(async () => held())).to.be.within(4, 4 * roundsSince(begunMs));
    // Another account has its own slots at that host.
    const other = await service.account(1);
    await submit(other.token, `${hanging.url}/other`);
    // Earlier deliveries may have timed out by now, and other deliveries may have started.
    await eventually(async () => (hanging.received.length >= 5 ? true : null));
  });
});

/**
 * Returns how many times a slot can have been taken so far. An attempt without an answer releases its slot at the
 * timeout.
 */
function roundsSince(begunMs: number): number {
  return 1 + Math.floor((Date.now() - begunMs) / deadlines.deliveryMs);
}
