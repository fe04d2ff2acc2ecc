import { expect } from 'chai';
import { sql } from 'kysely';
import * as ledger from '../../db/ledger/ledger.ts';
import { verify } from '../../db/ledger/verification.ts';
import { findDue } from '../../db/monitors/due-monitors.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { expectEventsMatchSchemas } from '../support/event-schemas.ts';
import { eventually } from '../support/eventually.ts';
import { receive } from '../support/receiver.ts';
import { useServiceStepper } from '../support/run-stepper.ts';
import { useAccount, useService } from '../support/service.ts';

describe('a monitor', () => {
  const service = useService({}, { worker: true });
  const stepper = useServiceStepper(service);
  const account = useAccount(service, 1000, { isForEach: true });

  const call = (path: string, options = {}) => service.call(path, { token: account.token, ...options });
  const urls = ['https://indexed.example/1', 'https://not-indexed.example/2'];
  const daily = { every: 'day', at: '06:00', timezone: 'Europe/Berlin' };
  const make = async (fields: object = {}) => {
    const body = { name: 'M', type: 'index', urls, schedule: daily, ...fields };
    const { body: answer, status } = await call('/monitors', { body });
    expect(status, JSON.stringify(answer)).to.equal(201);
    return answer.monitor;
  };
  const listRuns = async (id: string) => (await call(`/monitors/${id}/runs`)).body.data;
  const finished = (id: string, count = 1) =>
    eventually(async () => {
      const runs = await listRuns(id);
      const ended = runs.filter((run: { finished_at: string | null }) => run.finished_at);
      return ended.length >= count ? runs : null;
    });

  it('runs when it is due, once, charged like any batch, and is due again the next day', async () => {
    await stepper.moveClock('2026-11-20T12:00:00Z');
    const monitor = await make();
    expect(monitor.next_run_at).to.equal('2026-11-21T05:00:00+00:00');
    expect([monitor.credits_per_run, monitor.credits_per_month]).to.deep.equal([2, 60]);
    expect((await stepper.pass()).started).to.equal(0);
    await stepper.moveClock('2026-11-21T05:00:00Z');
    const passes = await Promise.all([stepper.pass(), stepper.pass(), stepper.pass()]);
    expect(passes.reduce((sum, { started }) => sum + started, 0)).to.equal(1);
    const [run] = await finished(monitor.monitor_id);
    expect(run).to.include({ status: 'completed', late: false, checked: 2, failed: 0, credits_charged: 2 });
    const { body: batch } = await call(`/batch/${run.batch_id}`);
    expect([batch.run_id, batch.monitor_id]).to.deep.equal([run.run_id, monitor.monitor_id]);
    expect((await call('/credits')).body.credits).to.equal(998);
    const after = (await call(`/monitors/${monitor.monitor_id}`)).body.monitor;
    expect(after.next_run_at).to.equal('2026-11-22T05:00:00+00:00');
  });

  it('that cannot be paid for is skipped, is paused the third time, both with an event, and continues when it can be paid for', async () => {
    const poor = await service.account(1);
    const schedule = { every: 'hour', at: '00:15' };
    await stepper.moveClock('2026-11-20T12:00:00Z');
    const receiver = await receive();
    const notify = { webhook_url: receiver.url };
    const body = { name: 'M', type: 'index', urls, schedule, notify };
    const ask = (path: string, options = {}) => service.call(path, { token: poor.token, ...options });
    const { monitor } = (await ask('/monitors', { body })).body;
    const path = `/monitors/${monitor.monitor_id}`;
    expect((await ask(`${path}/run`, { method: 'POST' })).status).to.equal(402);
    for (const hour of [12, 13, 14]) {
      await stepper.moveClock(`2026-11-20T${hour}:15:00Z`);
      expect((await stepper.pass()).skipped).to.equal(1);
    }
    const paused = (await ask(path)).body.monitor;
    expect([paused.status, paused.paused_reason, paused.next_run_at]).to.deep.equal([
      'paused',
      'insufficient_credits',
      null,
    ]);
    const runs = (await ask(`${path}/runs`)).body.data;
    expect(runs.map((run: { reason: string }) => run.reason)).to.deep.equal(
      Array(3).fill('insufficient_credits'),
    );
    await stepper.moveClock('2026-11-20T20:00:00Z');
    expect((await stepper.pass()).resumed).to.equal(0);
    await inTransaction(service.db, (trx) => ledger.grant(trx, poor.accountId, 5, null));
    expect((await stepper.pass()).resumed).to.equal(1);
    expect((await ask(path)).body.monitor).to.include({
      status: 'active',
      next_run_at: '2026-11-20T20:15:00+00:00',
    });
    await eventually(async () => (receiver.received.length >= 3 ? true : null));
    const told = receiver.received.map(({ body }) => `${body.event} ${body.monitor_status ?? ''}`);
    expect(told.sort()).to.deep.equal([
      'monitor.resumed ',
      'monitor.run_skipped active',
      'monitor.run_skipped paused',
    ]);
    await receiver.close();
  });

  it('completes a run in progress after its deletion', async () => {
    await stepper.moveClock('2026-11-20T12:00:00Z');
    const monitor = await make({ urls: ['https://slow.example/1'] });
    const path = `/monitors/${monitor.monitor_id}`;
    const { body: begun, status } = await call(`${path}/run`, { method: 'POST' });
    expect(status).to.equal(202);
    expect((await call(path, { method: 'DELETE' })).body).to.deep.equal({ success: true });
    expect((await call(path)).status).to.equal(404);
    expect((await call(`${path}/runs`)).status).to.equal(404);
    const ended = await eventually(async () => {
      const { rows } = await sql<{ status: string }>`
        select status from monitor_runs where run_id = ${begun.run.run_id} and finished_at is not null`.execute(
        service.db,
      );
      return rows[0] ?? null;
    });
    expect(ended.status).to.be.oneOf(['completed', 'failed']);
  });

  it('can be run manually while it is paused, without a skipped run', async () => {
    await stepper.moveClock('2026-11-20T12:00:00Z');
    const monitor = await make();
    const path = `/monitors/${monitor.monitor_id}`;
    expect((await call(`${path}/pause`, { method: 'POST' })).body.monitor).to.include({
      status: 'paused',
      paused_reason: 'by_hand',
    });
    await stepper.moveClock('2026-11-23T12:00:00Z');
    expect((await stepper.pass()).started).to.equal(0);
    const { body } = await call(`${path}/run`, { method: 'POST' });
    expect(body.run).to.include({ status: 'running', due_at: null, late: false });
    await finished(monitor.monitor_id);
    const { body: resumed } = await call(`${path}/resume`, { method: 'POST' });
    expect(resumed.monitor).to.include({ status: 'active', next_run_at: '2026-11-24T05:00:00+00:00' });
  });

  it('is completed when every address is indexed, notified once, and active again with another list', async () => {
    await stepper.moveClock('2026-11-20T12:00:00Z');
    const receiver = await receive();
    const notify = { webhook_url: receiver.url, when: 'always' };
    const monitor = await make({ urls: ['https://indexed.example/'], stop_when: 'indexed', notify });
    const path = `/monitors/${monitor.monitor_id}`;
    await call(`${path}/run`, { method: 'POST' });
    await eventually(async () => ((await call(path)).body.monitor.status === 'completed' ? true : null));
    const refused = await call(`${path}/run`, { method: 'POST' });
    expect([refused.status, refused.body.error]).to.deep.equal([409, 'monitor_completed']);
    await eventually(async () => (receiver.received.length >= 2 ? true : null));
    const told = receiver.received.map(({ body }) => body.event).sort();
    expect(told).to.deep.equal(['monitor.completed', 'monitor.run_completed']);
    const { data } = (await call('/webhooks/deliveries')).body;
    const one = data.find(({ event }: { event: string }) => event === 'monitor.completed');
    expect(one).to.include({ batch_id: null, message_id: `msg_${monitor.monitor_id}_completed` });
    expect((await call(`/webhooks/deliveries/${one.message_id}/resend`, { method: 'POST' })).status).to.equal(
      202,
    );
    await eventually(async () => (receiver.received.length >= 3 ? true : null));
    const { body } = await call(path, { method: 'PATCH', body: { urls: ['https://not-indexed.example/9'] } });
    expect(body.monitor).to.include({
      status: 'active',
      subjects: 1,
      next_run_at: '2026-11-21T05:00:00+00:00',
    });
    await receiver.close();
  });

  it('that is the second due one of its account starts after the first of another account', async () => {
    await stepper.moveClock('2026-11-20T12:00:00Z');
    const greedy = [await make(), await make(), await make()];
    const other = await service.account(10);
    const body = { name: 'O', type: 'index', urls, schedule: { ...daily, at: '06:30' } };
    const { monitor } = (await service.call('/monitors', { token: other.token, body })).body;
    const now = new Date('2026-11-21T12:00:00Z');
    const due = await findDue(service.db, now, 1000);
    const mine = due.filter(({ accountId }) => [account.accountId, other.accountId].includes(accountId));
    expect(mine[1]?.monitorId).to.equal(monitor.monitor_id);
    expect(mine).to.have.length(4);
    for (const { monitor_id: id } of greedy) await call(`/monitors/${id}`, { method: 'DELETE' });
  });

  it('leaves the ledger right', async () => {
    expect((await verify(service.db)).ok).to.equal(true);
  });

  it('has sent events as documented', () => expectEventsMatchSchemas(service.db));
});
