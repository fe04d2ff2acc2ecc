import { expect } from 'chai';
import { sql } from 'kysely';
import * as addresses from '../../../../db/accounts/user-emails.ts';
import * as users from '../../../../db/accounts/users.ts';
import { inTransaction } from '../../../../db/postgres/connect.ts';
import { FormClient, visit } from '../../../support/dashboard.ts';
import { eventually } from '../../../support/eventually.ts';
import { useService } from '../../../support/service.ts';
import { pathIn, type ReceivedMail } from '../../../support/smtp.ts';

const getSubject = ({ headers }: ReceivedMail) => headers.get('subject');

describe('mails about a new or deleted email address', () => {
  const service = useService({ SIGNUP: 'open', SIGNUP_CREDITS: '100' }, { worker: true, mails: true });

  // The limits have their own tests.
  afterEach(() => sql`truncate sign_in_tries`.execute(service.db));

  const client = () => new FormClient(service.baseUrl);

  const person = (email: string) => service.person(email, { password: 'old password' });

  it('confirm a new address at the new one, and notify the old one', async () => {
    const { accountId, userId, ...account } = await person('before@example.com');
    const browser = await visit(service, { accountId, ...account });
    const fields = { password: 'old password', email: 'after@example.com', new_password: '' };
    await browser.post('/settings/password', fields, { from: '/settings' });
    expect((await browser.get('/settings')).text).to.contain('value="before@example.com"');
    const path = pathIn(await service.mails.mailTo('after@example.com'));
    expect((await client().press(path)).status, 'without a session').to.equal(403);
    expect((await browser.press(path)).location).to.equal('/settings');
    expect((await service.mails.mailTo('before@example.com')).headers.get('subject')).to.equal(
      'Your email address was changed',
    );
    expect(await users.findByEmail(service.db, 'after@example.com')).to.equal(userId);
    expect((await client().get(path)).status).to.equal(403);
  });

  it('notify the old address even after its daily limit of requested mails', async () => {
    const email = 'victim@example.com';
    const victim = await person(email);
    await inTransaction(service.db, (trx) => addresses.confirm(trx, victim.userId));
    const stranger = client();
    for (let nth = 0; nth < 6; nth++) await stranger.post('/forgot', { email });
    await service.mails.mailTo(email, 3);
    const browser = await visit(service, victim);
    const fields = { password: 'old password', email: 'thief@example.com', new_password: '' };
    await browser.post('/settings/password', fields, { from: '/settings' });
    const path = pathIn(await service.mails.mailTo('thief@example.com'));
    expect((await browser.press(path)).location).to.equal('/settings');
    await service.quiet();
    const subjects = service.mails.received.filter(({ to }) => to.includes(email)).map(getSubject);
    expect(subjects.slice(3)).to.deep.equal(['Your email address was changed']);
  });

  it('notify only the holder when the address is taken, and change nothing', async () => {
    await person('holder@example.com');
    const { accountId, userId, ...account } = await person('mover@example.com');
    const browser = await visit(service, { accountId, ...account });
    const fields = { password: 'old password', email: 'holder@example.com', new_password: '' };
    await browser.post('/settings/password', fields, { from: '/settings' });
    expect((await browser.get('/settings')).text).to.contain('We sent an email to holder@example.com');
    expect((await service.mails.mailTo('holder@example.com')).headers.get('subject')).to.equal(
      'You already have an account',
    );
    expect(await users.findByEmail(service.db, 'mover@example.com')).to.equal(userId);
  });

  it('confirm the deletion of an account', async () => {
    const { accountId, userId, ...account } = await person('leaving@example.com');
    const browser = await visit(service, { accountId, ...account });
    await browser.post('/settings/delete', { password: 'old password' }, { from: '/settings' });
    const mail = await service.mails.mailTo('leaving@example.com');
    expect(getSubject(mail)).to.equal('Your account was deleted');
    expect(mail.text).to.contain('If you have no other account');
    await eventually(async () => {
      const { rows } = await sql`select from mails where address like 'leaving%'`.execute(service.db);
      return rows.length === 0 ? true : null;
    });
  });
});
