import { expect } from 'chai';
import { sql } from 'kysely';
import { refundCheck } from '../../batches/single-check.ts';
import * as tokens from '../../db/accounts/tokens.ts';
import * as singleChecks from '../../db/batches/single-checks.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { purgeLocal } from '../../db/retention/expired.ts';
import type { TestAccount } from '../support/accounts.ts';
import { httpAnswer } from '../support/answers.ts';
import { visit } from '../support/dashboard.ts';
import { createSteps, useServiceStepper } from '../support/run-stepper.ts';
import { useService } from '../support/service.ts';

const urls = ['https://example.com/1', 'https://example.com/2'];

describe('a token with a monthly limit', () => {
  // No worker: batches stay open until a test answers them.
  const service = useService();
  const stepper = useServiceStepper(service);
  let account: TestAccount;
  let limited: string;

  beforeEach(async () => {
    await at(1, 0);
    account = await service.account(1000);
    limited = await tokens.issue(service.db, account.accountId, 'limited', { creditsPerMonth: 4 });
  });
  const { at, last, eventNames } = createSteps(stepper);
  const spent = async (token = limited) =>
    (await service.call('/me', { token })).body.token.credits_this_month;
  const create = async (token = limited) => {
    const notify = { webhook_url: 'https://example.com/hook' };
    const body = { name: 'M', type: 'http', urls, schedule: { every: 'hour', at: '00:15' }, notify };
    const { status, body: made } = await service.call('/monitors', { token, body });
    expect(status, JSON.stringify(made)).to.equal(201);
    return { accountId: account.accountId, monitorId: String(made.monitor.monitor_id) };
  };
  const runNow = (monitorId: string, token = limited) =>
    service.call(`/monitors/${monitorId}/run`, { token, method: 'POST' });
  const settle = async (monitor: Awaited<ReturnType<typeof create>>) => {
    await stepper.answer(await last(monitor), () => httpAnswer());
    await stepper.advanceAll();
  };

  /** Ends the run of a monitor with the loss of all its subjects, which a confirmation checks again. */
  const endWithLosses = (monitorId: string) =>
    sql`
      update monitor_runs set status = 'completed', finished_at = now(), checked = 2, confirm_at = '2026-11-20T01:00:00Z',
        confirm_subjects = (select array_agg(subject_id) from subjects where monitor_id = ${monitorId}::uuid)
      where monitor_id = ${monitorId}::uuid`.execute(service.db);

  it('pays for the runs of its monitor, scheduled and manual, up to the limit', async () => {
    const monitor = await create();
    expect((await runNow(monitor.monitorId)).status).to.equal(202);
    expect(await spent()).to.equal(2);
    await settle(monitor);
    await at(2);
    await stepper.pass();
    expect(await last(monitor)).to.include({ status: 'running', creditsCharged: 2 });
    expect(await spent()).to.equal(4);
    await settle(monitor);
    const refused = await runNow(monitor.monitorId);
    expect([refused.status, refused.body.error]).to.deep.equal([402, 'token_limit']);
    for (const hour of [3, 4]) {
      await at(hour);
      await stepper.pass();
      expect(await last(monitor)).to.include({ status: 'skipped', reason: 'token_limit', creditsCharged: 0 });
    }
    expect(await service.credits(account.accountId)).to.equal(996);
    expect((await eventNames(monitor)).filter((event) => event === 'monitor.run_skipped')).to.have.length(1);
    const { body } = await service.call(`/monitors/${monitor.monitorId}/runs`, { token: limited });
    expect(body.data[0]).to.include({ status: 'skipped', reason: 'token_limit' });
    // If a caller without a limit starts a run, the run still counts against the token of the monitor.
    expect((await runNow(monitor.monitorId, account.token)).status).to.equal(402);
    const browser = await visit(service, account);
    const page = await browser.get(`/monitors/${monitor.monitorId}`);
    expect(page.text).to.contain(
      'would have exceeded the monthly credit limit of its token. Nothing was charged.',
    );
  });

  it('pays for confirmations of losses', async () => {
    const monitor = await create();
    await runNow(monitor.monitorId);
    await endWithLosses(monitor.monitorId);
    await stepper.pass();
    const { rows } = await sql<{ kind: string; credits: number }>`
      select kind, credits_charged as credits from monitor_runs where monitor_id = ${monitor.monitorId}::uuid
      order by created_at`.execute(service.db);
    expect(rows).to.deep.equal([
      { kind: 'check', credits: 2 },
      { kind: 'confirmation', credits: 2 },
    ]);
    expect(await spent()).to.equal(4);
  });

  it('skips a confirmation whose AI Overviews it cannot pay for', async () => {
    const include = ['ai_overview'];
    const queries = ['red', 'blue'].map((keyword) => ({ url: 'a.example', keyword, end_page: 1, include }));
    const body = { name: 'M', type: 'keyword', queries, schedule: { every: 'hour', at: '00:15' } };
    const token = await tokens.issue(service.db, account.accountId, 'seven', { creditsPerMonth: 7 });
    const { body: made } = await service.call('/monitors', { token, body });
    const monitorId = String(made.monitor.monitor_id);
    await runNow(monitorId, token);
    expect(await spent(token)).to.equal(4);
    await endWithLosses(monitorId);
    await stepper.pass();
    const monitor = { accountId: account.accountId, monitorId };
    expect(await last(monitor)).to.include({
      kind: 'confirmation',
      reason: 'token_limit',
      creditsCharged: 0,
    });
    expect(await spent(token)).to.equal(4);
  });

  it('pays for a monitor that it has changed or resumed, until a caller without a limit changes it', async () => {
    const monitor = await create(account.token);
    const path = `/monitors/${monitor.monitorId}`;
    const patch = (token: string) => service.call(path, { token, method: 'PATCH', body: { name: 'N' } });
    expect((await patch(limited)).status).to.equal(200);
    await runNow(monitor.monitorId, account.token);
    expect(await spent()).to.equal(2);
    await settle(monitor);
    expect((await patch(account.token)).status).to.equal(200);
    await runNow(monitor.monitorId, account.token);
    await settle(monitor);
    expect(await spent()).to.equal(2);
    for (const [act, token] of [
      ['pause', account.token],
      ['resume', limited],
    ] as const)
      await service.call(`${path}/${act}`, { token, method: 'POST' });
    await at(6);
    await stepper.pass();
    expect(await spent()).to.equal(4);
  });

  it('pays for a run that it starts, also of a monitor that another token pays for', async () => {
    const monitor = await create(account.token);
    expect((await runNow(monitor.monitorId)).status).to.equal(202);
    const again = await runNow(monitor.monitorId);
    expect([again.status, again.body.error]).to.deep.equal([409, 'run_in_progress']);
    expect(await spent()).to.equal(2);
  });

  it('still pays, up to its limit, after it is revoked', async () => {
    const monitor = await create();
    await runNow(monitor.monitorId);
    await settle(monitor);
    await sql`update api_tokens set revoked_at = now() where account_id = ${account.accountId} and name = 'limited'`.execute(
      service.db,
    );
    for (const hour of [7, 8]) {
      await at(hour);
      await stepper.pass();
      if ((await last(monitor)).status === 'running') await settle(monitor);
    }
    expect(await last(monitor)).to.include({ status: 'skipped', reason: 'token_limit' });
    expect(await service.credits(account.accountId)).to.equal(996);
  });

  it('pays for nothing after its deletion, 90 days after it was revoked', async () => {
    const monitor = await create();
    await sql`
      update api_tokens set revoked_at = now() - interval '91 days'
      where account_id = ${account.accountId} and name = 'limited'`.execute(service.db);
    expect(await inTransaction(service.db, (trx) => purgeLocal(trx, 'revokedTokens', 100))).to.equal(1);
    await at(9);
    await stepper.pass();
    expect(await last(monitor)).to.include({ status: 'skipped', reason: 'token_limit', creditsCharged: 0 });
    const refused = await runNow(monitor.monitorId, account.token);
    expect([refused.status, refused.body.error]).to.deep.equal([402, 'token_limit']);
    const path = `/monitors/${monitor.monitorId}`;
    expect(
      (await service.call(path, { token: account.token, method: 'PATCH', body: { name: 'N' } })).status,
    ).to.equal(200);
    expect((await runNow(monitor.monitorId, account.token)).status).to.equal(202);
  });

  it('gets refunds once, in the month of the charge', async () => {
    const { body } = await service.call('/http-status/bulk', { token: limited, body: { urls } });
    expect(await spent()).to.equal(2);
    const cancel = () => service.call(`/batch/${body.batch_id}/cancel`, { token: limited, method: 'POST' });
    expect((await cancel()).status).to.equal(200);
    await cancel();
    expect(await spent()).to.equal(0);
    // A refund of a charge of the previous month counts for the previous month.
    const { body: second } = await service.call('/http-status/bulk', { token: limited, body: { urls } });
    const lastMonth = new Date();
    lastMonth.setUTCDate(0);
    await sql`update batches set created_at = ${lastMonth}
      where account_id = ${account.accountId} and batch_id = ${second.batch_id}::uuid`.execute(service.db);
    await sql`
      insert into token_spending (token_id, month, credits)
      select token_id, month - interval '1 month', 3 from token_spending where credits = 2`.execute(
      service.db,
    );
    await service.call(`/batch/${second.batch_id}/cancel`, { token: limited, method: 'POST' });
    expect(await spent()).to.equal(2);
    const { rows } = await sql<{ credits: number }>`
      select credits from token_spending
      join api_tokens using (token_id) where account_id = ${account.accountId} order by month`.execute(
      service.db,
    );
    expect(rows.map(({ credits }) => credits)).to.deep.equal([1, 2]);
  });

  it('gets the cost of a failed single check back', async () => {
    const tokenId = (await service.call('/me', { token: limited })).body.token.token_id;
    const input = { url: urls[0] ?? '', follow_redirects: true };
    const check = { accountId: account.accountId, requestId: 4_000_000_001, type: 'http' as const, input };
    await inTransaction(service.db, (trx) => singleChecks.begin(trx, { ...check, tokenId }));
    await sql`insert into token_spending (token_id, month, credits)
      values (${tokenId}, date_trunc('month', now() at time zone 'utc')::date, 1)`.execute(service.db);
    for (const settled of [true, false])
      expect(
        await inTransaction(service.db, (trx) => refundCheck(trx, check as never, 'checker_failed')),
      ).to.equal(settled);
    expect(await spent()).to.equal(0);
  });
});
