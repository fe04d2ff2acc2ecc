import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { confirm, findByEmail } from '../../db/accounts/user-emails.ts';
import * as users from '../../db/accounts/users.ts';
import { list } from '../../db/notifications/mails.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { enqueueMail } from '../../mail/enqueue.ts';
import { type TemplateName, templates } from '../../mail/templates.ts';
import { FormClient } from '../support/dashboard.ts';
import { TestService, useService } from '../support/service.ts';

describe('mails to an unconfirmed address', () => {
  const service = useService({ SIGNUP: 'open' }, { worker: true, mails: true });

  // The limits per browser and network have their own tests.
  afterEach(() => sql`truncate sign_in_tries`.execute(service.db));

  const sentTo = (address: string) => service.mails.received.filter(({ to }) => to.includes(address)).length;
  const forgetTries = () => sql`truncate sign_in_tries`.execute(service.db);

  it('are five a day, whatever is requested for it', async () => {
    const email = 'victim@example.com';
    const stranger = new FormClient(service.baseUrl);
    let password = 'quiet harbour lantern';
    const signUp = async () => {
      await stranger.post('/sign-up', { email, password });
      expect((await stranger.post('/sign-in', { email, password })).location).to.equal('/');
    };
    await signUp();
    for (let nth = 0; nth < 4; nth++) {
      const fields = { password, email, new_password: `harbour lantern ${nth}` };
      await stranger.post('/settings/password', fields, { from: '/settings' });
      password = fields.new_password;
    }
    await service.mails.mailTo(email, 5);
    // This browser has a session of the address. If the address were confirmed, these mails would not count.
    expect((await stranger.post('/sign-in/link', { email })).status).to.equal(200);
    const asked = await stranger.post('/settings/confirm', {}, { from: '/settings' });
    expect([asked.status, asked.text.includes('limit of 5 emails a day')]).to.deep.equal([429, true]);
    await forgetTries();
    await stranger.post('/settings/delete', { password }, { from: '/settings' });
    expect(await findByEmail(service.db, email)).to.equal(null);
    await signUp();
    expect((await stranger.post('/forgot', { email })).status).to.equal(200);
    await service.quiet();
    expect(sentTo(email)).to.equal(5);
  });

  it('are five a day of all kinds together, also at once', async () => {
    // This service has no worker, because mails that a worker drops would not count.
    const service = await TestService.start({}, { mails: true });
    const email = 'every@example.com';
    const { accountId } = await service.account(0);
    const userId = await users.create(service.db, { accountId, email, passwordHash: null });
    const post = { boss: await service.boss(), mail: 'smtp' as const };
    // Ids of the subjects of the mails, which need not exist.
    const ids = { about: randomUUID(), invitation_id: 0 };
    const kinds = Object.keys(templates) as TemplateName[];
    const enqueueAll = () =>
      Promise.all(
        kinds.flatMap((template) => [
          inTransaction(service.db, (trx) =>
            enqueueMail(trx, post, { template, accountId, userId, ids, isFromKnownBrowser: true }),
          ),
          inTransaction(service.db, (trx) =>
            enqueueMail(trx, post, { template, accountId, address: email, ids }),
          ),
        ]),
      );
    expect((await enqueueAll()).filter((mailId) => mailId !== null)).to.have.length(5);
    const named = await list(service.db, { limit: 100 });
    expect(named.filter((mail) => mail.userId === null && mail.accountId === null)).to.deep.equal([]);
    await inTransaction(service.db, (trx) => confirm(trx, userId));
    // A confirmed address gets all mails except those that can be requested without a session.
    const isUnasked = (name: TemplateName) => templates[name].canAnyoneCause;
    const enqueued = await inTransaction(service.db, (trx) =>
      Promise.all(
        kinds.map(
          async (template) =>
            [template, await enqueueMail(trx, post, { template, accountId, userId, ids })] as const,
        ),
      ),
    );
    expect(enqueued.filter(([, mailId]) => mailId === null).map(([name]) => name)).to.deep.equal(
      kinds.filter(isUnasked),
    );
    await service.stop();
  });

  it('can still be sent after others requested links for it', async () => {
    const email = 'future@example.com';
    const stranger = new FormClient(service.baseUrl);
    for (let nth = 0; nth < 5; nth++) await stranger.post('/forgot', { email });
    await service.quiet();
    expect(sentTo(email)).to.equal(0);
    await forgetTries();
    await stranger.post('/sign-up', { email, password: 'quiet harbour lantern' });
    await service.mails.mailTo(email);
    for (let nth = 0; nth < 5; nth++) await stranger.post('/forgot', { email });
    await service.quiet();
    expect(sentTo(email)).to.equal(4);
    const post = { boss: await service.boss(), mail: 'smtp' as const };
    const invitation = { template: 'invitation', address: email, ids: { invitation_id: 0 } } as const;
    expect(await inTransaction(service.db, (trx) => enqueueMail(trx, post, invitation))).to.be.a('string');
  });

  it('do not include one about an unchanged password', async () => {
    const email = 'same@example.com';
    const { accountId } = await service.account(0);
    const passwordHash = await users.hashPassword('the one of today');
    const userId = await users.create(service.db, { accountId, email, passwordHash });
    await inTransaction(service.db, (trx) => confirm(trx, userId));
    const browser = new FormClient(service.baseUrl);
    await browser.post('/sign-in', { email, password: 'the one of today' });
    const fields = { password: 'the one of today', email, new_password: 'the one of today' };
    const { status, text } = await browser.post('/settings/password', fields, { from: '/settings' });
    expect([status, text.includes('This is your current password. Choose another.')]).to.deep.equal([
      422,
      true,
    ]);
    expect((await browser.post('/forgot', { email })).status).to.equal(200);
    const link = /\/reset\?token=(\S+)/.exec((await service.mails.mailTo(email)).text) ?? [];
    const reset = { token: link[1] ?? '', new_password: 'the one of today' };
    await browser.post('/reset', reset, { from: link[0] ?? '' });
    expect((await browser.get('/settings')).status, 'every session has ended').to.equal(303);
    await service.quiet();
    expect(sentTo(email)).to.equal(1);
  });
});
