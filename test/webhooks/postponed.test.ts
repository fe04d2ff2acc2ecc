import { expect } from 'chai';
import { sql } from 'kysely';
import { toUnits } from '../../accounts/allowance.ts';
import { deliveryQueue } from '../../db/queue/queue.ts';
import { eventually } from '../support/eventually.ts';
import { makeJobsDue } from '../support/jobs.ts';
import { useReceiver } from '../support/receiver.ts';
import { useAccount, useService } from '../support/service.ts';
import { useSite } from '../support/web.ts';

describe('a retry to a failing receiver', () => {
  const service = useService({ RATE_LIMIT_PER_MINUTE: '600' }, { worker: true });
  const dead = useReceiver((res) => res.writeHead(500).end());
  const site = useSite();
  const account = useAccount(service, 10);

  const submit = async (body: object) => {
    const all = { ...body, webhook_url: dead.url };
    const answer = await service.call('/http-status/bulk', { token: account.token, body: all });
    return answer.body.batch_id as string;
  };
  /** Waits for at least `count` attempts. There may be one more, because the second follows within seconds. */
  const attempted = (batchId: string, count: number) =>
    eventually(async () => {
      const { body } = await service.call(`/webhooks/deliveries/${batchId}`, { token: account.token });
      return body.attempt_count >= count ? body : null;
    });
  /** Makes the next attempt due now. */
  const hurry = async (batchId: string) => makeJobsDue(service.db, deliveryQueue, await nextJob(batchId));
  const setUsed = (units: number) => service.setAllowanceUsed(account.accountId, units);
  const nextJob = async (batchId: string) => {
    const { rows } = await sql<{ jobId: string }>`
      select job_id from deliveries where event_id = ${batchId}`.execute(service.db);
    return rows[0]?.jobId ?? expect.fail('no delivery is pending');
  };

  it('costs as much as a resent delivery if no answer pays for it, and waits if the allowance is used up', async () => {
    const unpaid = await submit({ urls: ['nonsense'], on_invalid: 'skip' });
    const { attempt_count: made } = await attempted(unpaid, 1);
    await setUsed(0);
    await hurry(unpaid);
    await attempted(unpaid, made + 1);
    expect(await service.allowanceUsed(account.token)).to.be.within(
      toUnits({ deliveries: 1 }) / 2,
      toUnits({ deliveries: 1 }),
    );
    const job = await nextJob(unpaid);
    await setUsed(21_000);
    await hurry(unpaid);
    await eventually(async () => ((await nextJob(unpaid)) !== job ? true : null));
    const delivery = await attempted(unpaid, made + 1);
    expect(delivery.attempt_count).to.equal(made + 1);
    expect(delivery.state).to.equal('pending');
    const waitMs = Date.parse(delivery.next_attempt_at) - Date.now();
    expect(waitMs).to.be.above(200_000);
  });

  it('costs nothing if an answer was paid for', async () => {
    await setUsed(0);
    const paid = await submit({ urls: [`${site.url}/good`] });
    await attempted(paid, 1);
    await hurry(paid);
    await attempted(paid, 2);
    expect(await service.allowanceUsed(account.token)).to.equal(0);
  });
});
