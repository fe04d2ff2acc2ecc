import { expect } from 'chai';
import { sql } from 'kysely';
import * as memberships from '../../db/accounts/memberships.ts';
import * as users from '../../db/accounts/users.ts';
import { afterTest } from '../support/after-test.ts';
import { eventually } from '../support/eventually.ts';
import { TestService } from '../support/service.ts';
import { makeDue } from '../support/smtp.ts';

describe('mails about the runs of monitors', () => {
  it('go to owners with a confirmed address, one for all that ended since the last', async () => {
    const service = await TestService.start({}, { worker: true, mails: true });
    afterTest(() => service.stop());
    const { accountId, token } = await service.account(1000);
    const owner = await service.confirmedUser(accountId, 'owner@example.com');
    await users.create(service.db, { accountId, email: 'unproved@example.com', passwordHash: null });
    expect(await memberships.listOwners(service.db, accountId)).to.have.length(2);

    const make = async (name: string, fields: object = {}) => {
      const body = {
        ...{ name, type: 'index', urls: ['https://indexed.example/1'] },
        schedule: { every: 'day', at: '06:00', timezone: 'UTC' },
        notify: { when: 'always', email: true },
        ...fields,
      };
      const answer = await service.call('/monitors', { token, body });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body.monitor.monitor_id as string;
    };
    const run = async (monitorId: string) => {
      const { body } = await service.call(`/monitors/${monitorId}/run`, { token, body: {} });
      return eventually(async () => {
        const { body: seen } = await service.call(`/monitors/${monitorId}/runs`, { token });
        const ended = seen.data.find((of: { run_id: string }) => of.run_id === body.run.run_id);
        return ended?.status === 'completed' ? (body.run.run_id as string) : null;
      });
    };
    const listDigests = async () => {
      const { rows } = await sql<{ userId: number; state: string; about: string }>`
        select user_id, state, ids->>'about' as about from mails order by created_at`.execute(service.db);
      return rows;
    };

    const shop = await make('Shop www.example.com');
    const quiet = await make('Quiet', { notify: { when: 'always', email: false } });
    const first = await run(shop);
    const { text, html, headers } = await service.mails.mailTo('owner@example.com');
    expect(headers.get('subject')).to.equal('Update from your monitors');
    expect(text).to.contain('No changes.').and.contain(`/monitors/${shop}`);
    // The name of a monitor is not a link.
    expect(html).to.contain('Shop').and.not.contain('www.example.com');
    await eventually(async () => ((await listDigests())[0]?.state === 'sent' ? true : null));
    expect((await listDigests()).map(({ userId, about }) => [userId, about])).to.deep.equal([[owner, first]]);

    // The next digest waits until an hour has passed, and covers all runs that end meanwhile.
    await run(quiet);
    await sql`update baselines set facts = facts || '{"is_indexed": false}'`.execute(service.db);
    const later = [await run(shop), await run(shop)];
    // On a cluster events are written after the end of the run.
    const findNext = async () => (await listDigests())[1]?.about;
    await eventually(async () => ((await findNext()) === later.join(' ') ? true : null));
    const [, waiting, ...others] = await listDigests();
    expect([waiting?.state, others]).to.deep.equal(['pending', []]);

    await makeDue(service.db);
    const changed = await service.mails.mailTo('owner@example.com', 2);
    expect(changed.headers.get('subject')).to.equal('Your monitors found changes');
    expect(changed.text).to.contain("The URL is now in Google's index (1)");
    await eventually(async () => ((await listDigests())[1]?.state === 'sent' ? true : null));
  });
});
