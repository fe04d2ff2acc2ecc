import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { PgBoss } from 'pg-boss';
import { inTransaction } from '../../db/postgres/connect.ts';
import { type DeliveryPayload, deliveryQueue } from '../../db/queue/queue.ts';
import { createDelivery } from '../../webhooks/schedule.ts';
import { createTestBoss } from '../support/boss.ts';
import { useRecords } from '../support/records.ts';

describe('createDelivery', () => {
  const records = useRecords();
  let boss: PgBoss;

  before(async () => {
    boss = createTestBoss({ url: records.url, backend: 'postgres', max: 2, role: 'worker' });
    await boss.start();
  });

  after(() => boss.stop({ graceful: false }));

  it('puts the delivery of an account that waits for none before the backlog of others', async () => {
    const [greedy, other] = [await records.account(), await records.account()];
    for (const accountId of [greedy, greedy, greedy, other]) {
      const delivery = { accountId, eventId: randomUUID(), url: 'https://shop.example/hook' };
      await inTransaction(records.db, (trx) => createDelivery(trx, boss, delivery));
    }
    const jobs = await boss.fetch<DeliveryPayload>(deliveryQueue, { batchSize: 2 });
    expect(jobs.map(({ data }) => data.account_id)).to.have.members([greedy, other]);
  });
});
