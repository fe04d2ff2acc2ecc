import { expect } from 'chai';
import * as activity from '../../../../db/accounts/activity.ts';
import * as memberships from '../../../../db/accounts/memberships.ts';
import * as tokens from '../../../../db/accounts/tokens.ts';
import * as users from '../../../../db/accounts/users.ts';
import * as links from '../../../../db/notifications/mail-links.ts';
import { inTransaction } from '../../../../db/postgres/connect.ts';
import { browserName } from '../../../../server/dashboard/people/own-sessions.ts';
import { visitAs } from '../../../support/dashboard.ts';
import { useService } from '../../../support/service.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1';

describe('the sessions in the settings', () => {
  const service = useService();

  const browser = (userId: number, agent: string | null, address: string | null) =>
    visitAs(service, userId, { agent, address });

  const listEndPaths = (text: string) => text.match(/\/settings\/sessions\/\d+\/end/g) ?? [];

  it('are listed, and ended one by one', async () => {
    const { userId, accountId } = await service.person('ada@example.com');
    const desktop = await browser(userId, firefox, '192.0.2.1');
    const lost = await browser(userId, phone, '192.0.2.2');
    const { text } = await desktop.get('/settings');
    expect(text).to.match(/Firefox on Linux <span class="muted">This session/);
    for (const part of ['Safari on iOS', '192.0.2.1', '192.0.2.2']) expect(text).to.include(part);
    const [path = '', ...others] = listEndPaths(text);
    expect(others, 'the present session has sign-out instead').to.deep.equal([]);
    await desktop.post(path);
    expect((await desktop.get('/settings')).text).to.include('Session ended.');
    expect((await lost.get('/settings')).status).to.equal(303);
    expect((await desktop.post(path)).status, 'already ended').to.equal(404);
    const [entry] = await activity.list(service.db, accountId, { limit: 1 });
    expect([entry?.what, entry?.email, entry?.about]).to.deep.equal([
      'sessions_ended',
      'ada@example.com',
      'one',
    ]);
  });

  it('can be ended only by their user', async () => {
    const eve = await service.person('eve@example.com');
    const thief = await service.person('thief@example.com');
    const hers = await browser(eve.userId, firefox, '192.0.2.3');
    await browser(eve.userId, null, null);
    const { text } = await hers.get('/settings');
    expect(text)
      .to.contain('<td data-label="Browser">Unknown browser</td>')
      .and.to.contain('<td data-label="From"><span class="muted">Unknown</span></td>');
    const [path = ''] = listEndPaths(text);
    const his = await browser(thief.userId, firefox, '192.0.2.5');
    expect((await his.get('/settings')).text).not.to.include('192.0.2.3');
    for (const bad of [path, '/settings/sessions/x/end', '/settings/sessions/99999999999999999999/end']) {
      expect((await his.post(bad)).status, bad).to.equal(404);
    }
    expect(listEndPaths((await hers.get('/settings')).text)).to.deep.equal([path]);
  });

  for (const how of ['ended in the settings', 'signed out', 'removed with its member'] as const) {
    it(`end together with the pending link to a new address: ${how}`, async () => {
      const { userId, accountId } = await service.person(`new-address-${how.length}@example.com`);
      const own = await browser(userId, firefox, null);
      const lost = await browser(userId, phone, null);
      const asked = { purpose: 'new_email', userId, address: 'new@example.com', lifeMinutes: 60 } as const;
      const linkId = await inTransaction(service.db, (trx) => links.create(trx, asked));
      if (how === 'ended in the settings') {
        const [path = ''] = listEndPaths((await own.get('/settings')).text);
        await own.post(path);
      } else if (how === 'signed out') await lost.post('/sign-out');
      else {
        // The user is also in another account, so that it is not deleted.
        const other = await service.account(0);
        await inTransaction(service.db, (trx) => memberships.add(trx, other.accountId, userId, 'viewer'));
        const token = await tokens.issue(service.db, accountId, 'operator');
        await users.create(service.db, { accountId, email: 'owner@example.com', passwordHash: null });
        expect((await service.call(`/members/${userId}`, { token, method: 'DELETE' })).status).to.equal(200);
      }
      expect(await links.find(service.db, linkId)).to.equal(null);
    });
  }

  it('show known browsers in two words, and unknown ones by their user agent', () => {
    expect(browserName(`${phone} <b>`)).to.equal('Safari on iOS');
    expect(browserName('Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0')).to.equal(
      'Edge on Windows',
    );
    expect(browserName('curl/8.0')).to.equal('curl/8.0');
    expect(browserName('x'.repeat(500))).to.have.length(60);
    for (const silent of [null, '']) expect(browserName(silent)).to.equal(null);
  });
});
