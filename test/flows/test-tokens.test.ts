import { expect } from 'chai';
import { sql } from 'kysely';
import * as tokens from '../../db/accounts/tokens.ts';
import { operations } from '../../schemas/openapi.ts';
import { purge } from '../../upkeep/retention.ts';
import { eventually } from '../support/eventually.ts';
import { useReceiver, verifySignature } from '../support/receiver.ts';
import { useAccount, useService } from '../support/service.ts';

const nobody = 'http://127.0.0.1:1/';

describe('a test token', () => {
  // A paid provider that does not exist, so that any request to it fails.
  const provider = { SERP_PROVIDERS: 'serper', SERPER_API_KEY: 'x', SERPER_BASE_URL: nobody };
  const service = useService({ ...provider, RATE_LIMIT_PER_MINUTE: '100000' }, { worker: true });
  const account = useAccount(service, 100);
  const receiver = useReceiver();
  let test: string;

  before(async () => {
    test = await tokens.issue(service.db, account.accountId, 'trial', { isTest: true });
  });

  const call = (path: string, body?: object, token = test) =>
    service.call(path, { token, ...(body ? { body } : {}) });
  const runBatch = async (path: string, body: object) => {
    const { body: accepted } = await call(path, body);
    expect(accepted).to.include({ success: true, is_test: true });
    return service.ended(test, accepted.batch_id);
  };
  const countRows = async (table: string) => {
    const { rows } = await sql<{ rows: number }>`
      select count(*)::int as rows from ${sql.table(table)} where account_id = ${account.accountId}`.execute(
      service.db,
    );
    return rows[0]?.rows;
  };

  it('is recognizable by its prefix, by /me and in lists', async () => {
    expect(test).to.match(/^sonde_test_/);
    expect((await call('/me')).body.token).to.include({ name: 'trial', is_test: true });
    const made = await call('/tokens', { name: 'more', is_test: true }, account.token);
    expect(made.body.token).to.match(/^sonde_test_/);
    const { data } = (await call('/tokens', undefined, account.token)).body;
    expect(data[0]).to.include({ name: 'more', is_test: true });
    const limited = { name: 'x', is_test: true, credits_per_month: 5 };
    expect((await call('/tokens', limited, account.token)).body.errors).to.have.key('credits_per_month');
  });

  it('gets the same errors as a live one, without a charge', async () => {
    const { status, body } = await call('/http-status', { url: 'https://unreachable.example/' });
    expect([status, body.error]).to.deep.equal([503, 'checker_unreachable']);
    expect((await call('/check', { url: 'https://blocked.example/' })).status).to.equal(503);
    expect((await call('/http-status', { url: 'http://10.0.0.1/' })).status).to.equal(422);
  });

  it('has batches that run, notify and export like any, marked as test and without a charge', async () => {
    const urls = ['status-404', 'soft404', 'unreachable'].map((name) => `https://${name}.example/`);
    const batch = await runBatch('/http-status/bulk', { urls, webhook_url: receiver.url });
    expect(batch).to.include({ is_test: true, status: 'partial', credits_charged: 0, credits_refunded: 0 });
    expect(batch.results[0]).to.include({ status: 404, credits: 0, simulated: true });
    expect(batch.results[2].message).to.match(/You were not charged\.$/);
    const days = Date.parse(batch.results_expire_at) - Date.parse(batch.completed_at);
    expect(days / 86_400_000).to.equal(7);
    const message = await eventually(async () => receiver.received[0] ?? null);
    expect(message.body).to.include({ batch_id: batch.batch_id, test: true, credits_charged: 0 });
    const csv = (await call(`/batch/${batch.batch_id}/results.csv`)).text.split('\n');
    const columns = String(csv[0]).split(',');
    const cells = String(csv[1]).split(',');
    expect([cells[columns.indexOf('simulated')], cells[columns.indexOf('credits')]]).to.deep.equal([
      'true',
      '0',
    ]);
    const ranks = await runBatch('/keyword-track', {
      queries: ['a', 'b'].map((keyword) => ({ url: 'rank-3.example', keyword, include: ['results'] })),
    });
    expect(ranks.summary).to.include({ ranked: 2, top_3: 2 });
    const { body: again } = await service.call(`/batch/${batch.batch_id}/retry`, {
      token: test,
      method: 'POST',
    });
    expect(await service.ended(test, again.batch_id)).to.include({ is_test: true, total: 1 });
    const { body: more } = await service.call(`/batch/${batch.batch_id}/again`, {
      token: test,
      method: 'POST',
    });
    expect(await service.ended(test, more.batch_id)).to.include({ is_test: true, total: 3 });
  });

  it('charges nothing, is in no ledger, history or statistics, and requests no provider', async () => {
    await service.quiet();
    expect(await service.credits(account.accountId)).to.equal(100);
    // The only entry is the grant.
    expect(await countRows('ledger_entries')).to.equal(1);
    expect(await countRows('history')).to.equal(0);
    const { rows } = await sql`select from provider_usage`.execute(service.db);
    expect(rows).to.have.length(0);
    const metrics = await fetch(`${service.baseUrl}/metrics`);
    expect(await metrics.text()).not.to.match(/sonde_checks_total\{[^}]*\} [1-9]/);
    expect(await service.problems()).to.deep.equal([]);
  });

  it('uses the allowance for all stored rows, and for its webhook as for a webhook test', async () => {
    const used = async () => (await call('/credits/allowance')).body.used;
    const before = await used();
    await call('/http-status', { url: 'https://silent.example/' });
    const urls = Array.from({ length: 50 }, (_, i) => `https://silent.example/${i}`);
    await runBatch('/http-status/bulk', { urls, webhook_url: receiver.url });
    // This is the cost of fifty entries, their options and the single check, two units each, and of a webhook. A part
    // decays meanwhile.
    expect((await used()) - before).to.be.within(300, 404);
    await service.setAllowanceUsed(account.accountId, 1e6);
    for (const [path, body] of [
      ['/http-status', { url: 'https://silent.example/' }],
      ['/http-status/bulk', { urls }],
    ] as const) {
      expect((await call(path, body)).body.error).to.equal('allowance_exhausted');
    }
    await sql`delete from allowances where account_id = ${account.accountId}`.execute(service.db);
  });

  it('is rejected only for operations of live tokens', async () => {
    for (const operation of operations.filter(({ isOpen }) => !isOpen)) {
      const path = operation.path.replace('/api/v1', '').replaceAll(/\{\w+\}/g, '0');
      const { status, body } = await service.call(path, {
        token: test,
        method: operation.method.toUpperCase(),
      });
      if (operation.isLiveOnly) expect([status, body.error], operation.id).to.deep.equal([403, 'test_token']);
      else expect(status, operation.id).not.to.equal(403);
    }
    const named = operations.filter(({ isLiveOnly }) => isLiveOnly).map(({ id }) => id);
    expect(named).to.include.members([
      'listHistory',
      'listLedger',
      'createMonitor',
      'listMonitors',
      'makeToken',
    ]);
    const ofMonitors = operations
      .filter(({ path }) => path.startsWith('/api/v1/monitors'))
      .map(({ id }) => id);
    expect(named).to.include.members(ofMonitors);
  });

  it('sees nothing of live work, and live tokens see nothing of test work', async () => {
    // A closed port, which is an answer.
    const urls = [nobody];
    const kinds = [test, account.token];
    const made = [];
    for (const token of kinds) {
      const { body: batch } = await call('/http-status/bulk', { urls }, token);
      const ended = await service.ended(token, batch.batch_id);
      made.push({ batchId: batch.batch_id, requestId: ended.results[0].request_id });
      expect(ended.is_test).to.equal(token === test);
    }
    const { body: single } = await call('/http-status', { url: 'https://silent.example/' });
    for (const [index, token] of kinds.entries()) {
      const [own, others] = [made[index], made[1 - index]];
      if (!own || !others) throw new Error('both were made');
      expect((await call(`/checks/${own.requestId}`, undefined, token)).status).to.equal(200);
      const paths = [
        `/batch/${others.batchId}`,
        `/batch/${others.batchId}/results.csv`,
        `/batch/${others.batchId}/comparison`,
        `/checks/${others.requestId}`,
      ];
      for (const path of paths) expect((await call(path, undefined, token)).status, path).to.equal(404);
      const { body } = await call(
        `/batch/${own.batchId}/comparison?with=${others.batchId}`,
        undefined,
        token,
      );
      expect(body.errors).to.have.key('with');
      const listed = (await call('/batches?per_page=100', undefined, token)).body.data;
      expect(listed.every((one: { is_test: boolean }) => one.is_test === (token === test))).to.equal(true);
      expect(listed.length).to.be.above(0);
      const { data } = (await call('/webhooks/deliveries', undefined, token)).body;
      expect(data.length > 0).to.equal(token === test);
    }
    expect((await call(`/checks/${single.request_id}`, undefined, account.token)).status).to.equal(404);
    expect(await service.problems()).to.deep.equal([]);
  });

  it('gets the signing secret of test webhooks, not the live one', async () => {
    const getSecret = async (token: string) => (await call('/webhooks/secret', undefined, token)).body;
    const live = await getSecret(account.token);
    const own = await getSecret(test);
    expect(live.secret).to.equal(account.webhookSecret);
    expect(own.secret)
      .to.match(/^whsec_/)
      .and.not.equal(live.secret);
    const body = { webhook_url: receiver.url };
    const sentBy = async (act: () => Promise<unknown>) => {
      const before = receiver.received.length;
      await act();
      return eventually(async () => receiver.received[before] ?? null);
    };
    const sample = (token: string) => call('/webhooks/test', { ...body, type: 'http' }, token);
    const batch = () => runBatch('/http-status/bulk', { ...body, urls: ['https://status-404.example/'] });
    verifySignature(await sentBy(() => sample(account.token)), live.secret);
    for (const act of [() => sample(test), batch]) {
      const message = await sentBy(act);
      verifySignature(message, own.secret);
      expect(() => verifySignature(message, live.secret)).to.throw();
    }
    await call('/webhooks/secret/rotate', {}, account.token);
    const rotated = await getSecret(test);
    expect(rotated.secret).not.to.equal(own.secret);
    expect(rotated.previous_secret).to.equal(own.secret);
  });

  it('shares no Idempotency-Key with a live one, which gets 409 for it', async () => {
    const headers = { 'Idempotency-Key': 'one' };
    const body = { url: 'https://silent.example/' };
    expect((await service.call('/http-status', { token: test, body, headers })).status).to.equal(200);
    expect((await service.call('/http-status', { token: account.token, body, headers })).status).to.equal(
      409,
    );
  });

  it('has batches that the verification of the books reports if they were charged, like live ones without a charge', async () => {
    const flip = (isTest: boolean) =>
      sql`update batches set is_test = ${isTest} where account_id = ${account.accountId}`.execute(service.db);
    const { rows } = await sql<{ batchId: string }>`
      select batch_id from batches where account_id = ${account.accountId} and is_test`.execute(service.db);
    await flip(false);
    expect((await service.problems()).join()).to.include('batch_credits');
    await flip(true);
    expect((await service.problems()).join()).to.include('batch_credits');
    const ids = rows.map(({ batchId }) => batchId);
    await sql`update batches set is_test = batch_id = any(${ids}::uuid[])`.execute(service.db);
    expect(await service.problems()).to.deep.equal([]);
  });

  it('loses its batches after a week, live batches stay', async () => {
    const counts = async () => [
      await countRows('items'),
      await countRows('chunks'),
      await countRows('result_pages'),
    ];
    expect((await counts()).every((rows) => Number(rows) > 0)).to.equal(true);
    // Ended batches may change only for a purge in the future.
    await sql`alter table batches disable trigger batch_ends_once`.execute(service.db);
    await sql`update batches set completed_at = now() - interval '8 days'`.execute(service.db);
    await sql`alter table batches enable trigger batch_ends_once`.execute(service.db);
    await sql`update chunks set created_at = now() - interval '8 days'`.execute(service.db);
    const purged = await purge(service.db, { days: 90, historyDays: 1100 });
    expect(purged).to.include({ batches: 0, singleChecks: 0 });
    expect(Math.min(purged.testBatches, purged.testChecks)).to.be.above(0);
    // The only live batch.
    expect(await counts()).to.deep.equal([1, 1, 0]);
    expect(await service.problems()).to.deep.equal([]);
  });
});
