import { expect } from 'chai';
import { sql } from 'kysely';
import { closeAccount } from '../../accounts/close.ts';
import * as activity from '../../db/accounts/activity.ts';
import * as memberships from '../../db/accounts/memberships.ts';
import * as sessions from '../../db/accounts/sessions.ts';
import * as users from '../../db/accounts/users.ts';
import * as alerts from '../../db/ledger/credit-alerts.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { indexAnswer } from '../support/answers.ts';
import { monitored } from '../support/monitored.ts';
import { receive } from '../support/receiver.ts';
import { useService } from '../support/service.ts';
import { words } from '../support/words.ts';

const remembering = words(`
  monitors subjects monitor_runs events baselines changes points run_tallies history_passes`);

describe('a closed account', () => {
  const service = useService();
  it('keeps nothing that names a person, and sends no more messages', async () => {
    const receiver = await receive();
    const { accountId, token } = await service.account();
    const { token: neighbour } = await service.account();
    const request = { reference: 'for Ann', webhook_url: receiver.url };
    const ended = { urls: ['nonsense'], on_invalid: 'skip', ...request };
    const open = { urls: ['https://example.com/'], ...request };
    for (const body of [ended, open])
      await service.call('/http-status/bulk', {
        token,
        body,
        headers: { 'Idempotency-Key': JSON.stringify(body).length.toString() },
      });
    await service.call('/http-status/bulk', { token: neighbour, body: ended });
    const { data } = (await service.call('/batches', { token })).body;
    for (const { batch_id: id } of data) {
      await service.call(`/batch/${id}/rename`, { token, body: { name: 'Ann, weekly' } });
    }

    const alert = { threshold: 1, webhook_url: receiver.url };
    await service.call('/credits/alert', { token, method: 'PATCH', body: alert });

    const people = await shared(accountId);
    await closeAccount(service.db, { boss: await service.boss(), mail: 'off' }, accountId);
    await expectErased(accountId, people);
    expect(await alerts.find(service.db, accountId)).to.include({ threshold: null, url: null });
    const { rows } = await sql<{ row: object }>`
      select row_to_json(batches) as row from batches where account_id = ${accountId}
      union all select row_to_json(deliveries) from deliveries where account_id = ${accountId}
      union all select row_to_json(idempotency_keys) from idempotency_keys where account_id = ${accountId}
      union all select row_to_json(job)::json from pgboss.job where data->>'account_id' = ${String(accountId)}
        and name = 'deliveries'`.execute(service.db);
    expect(rows).to.have.length(2);
    expect(JSON.stringify(rows)).not.to.match(/Ann|127\.0\.0\.1/);

    await service.addWorker();
    await service.quiet();
    expect(receiver.received).to.have.length(1);
    expect(await service.credits(accountId)).to.equal(10_000);
    expect(await service.problems()).to.deep.equal([]);
    await receiver.close();
  });

  it('keeps nothing of its monitors, running or not, and leaves those of others', async () => {
    const { accountId, token } = await service.account();
    const { accountId: neighbour } = await service.account();
    for (const owner of [accountId, neighbour]) {
      const { run } = await monitored(service, owner, 'index', [{ url: 'https://example.com/' }]);
      for (const [hour, isIndexed] of [false, true].entries())
        await run(new Date(Date.now() + hour * 3_600_000), [indexAnswer(isIndexed)]);
    }
    const notify = { webhook_url: 'https://example.com/hook', when: 'always' };
    const schedule = { every: 'day' };
    const body = { name: 'Of Ann', type: 'index', urls: ['https://example.com/'], schedule, notify };
    const { monitor } = (await service.call('/monitors', { token, body })).body;
    const begun = await service.call(`/monitors/${monitor.monitor_id}/run`, { token, method: 'POST' });
    expect(begun.body.run.status).to.equal('running');

    await closeAccount(service.db, { boss: await service.boss(), mail: 'off' }, accountId);
    for (const table of remembering) {
      const { rows } = await sql<{ gone: number; other: number }>`
        select count(*) filter (where account_id = ${accountId})::int as gone,
          count(*) filter (where account_id = ${neighbour})::int as other
        from ${sql.table(table)}`.execute(service.db);
      expect(rows[0]?.gone, table).to.equal(0);
      if (table !== 'events' && table !== 'monitor_runs') expect(rows[0]?.other, table).to.be.greaterThan(0);
    }
  });

  /** Creates a person of this account only, and one of two accounts. */
  async function shared(accountId: number) {
    const { db } = service;
    const { accountId: elsewhere } = await service.account();
    const alone = { accountId, email: 'alone@example.com', passwordHash: null };
    const elsewhereToo = { accountId, email: 'two@example.com', passwordHash: null };
    const [gone, stays] = [await users.create(db, alone), await users.create(db, elsewhereToo)];
    await inTransaction(db, (trx) => memberships.add(trx, elsewhere, stays, 'member'));
    for (const userId of [gone, stays]) await sessions.begin(db, userId);
    const by = { ...activity.operator, userId: gone, email: alone.email };
    await activity.record(db, { accountId, what: 'signed_in', by });
    return { gone, stays, elsewhere };
  }

  async function expectErased(accountId: number, { stays, elsewhere }: Awaited<ReturnType<typeof shared>>) {
    const { rows } = await sql<{ dump: string }>`
      select concat((select string_agg(users::text, ' ') from users),
        (select string_agg(activity::text, ' ') from activity),
        (select string_agg(sessions::text, ' ') from sessions)) as dump`.execute(service.db);
    expect(rows[0]?.dump).to.equal(await userRow(stays, elsewhere));
    expect(await memberships.list(service.db, accountId)).to.deep.equal([]);
  }

  async function userRow(userId: number, accountId: number) {
    const { rows } = await sql<{ dump: string }>`
      select users::text as dump from users where user_id = ${userId} and account_id = ${accountId}`.execute(
      service.db,
    );
    return rows[0]?.dump;
  }
});
