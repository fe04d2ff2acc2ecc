import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect } from 'chai';
import * as sessions from '../../../../db/accounts/sessions.ts';
import * as users from '../../../../db/accounts/users.ts';
import { FormClient } from '../../../support/dashboard.ts';
import { TestService } from '../../../support/service.ts';
import { pathIn } from '../../../support/smtp.ts';

const password = 'correct horse';

describe('attacks on people', () => {
  let service: TestService;
  let passwordHash: users.PasswordHash;

  before(async () => {
    service = await TestService.start({}, { worker: true, mails: true });
    passwordHash = await users.hashPassword(password);
  });

  after(() => service.stop());

  async function person(email: string) {
    const { accountId } = await service.account(0);
    return { accountId, email, userId: await users.create(service.db, { accountId, email, passwordHash }) };
  }

  it('a host that a request makes up is in no link of the mail', async () => {
    const { email } = await person('poisoned@example.com');
    const browser = new FormClient(service.baseUrl);
    const page = await browser.get('/forgot');
    const token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const asking = request(`${service.baseUrl}/forgot`, {
      method: 'POST',
      headers: {
        Host: 'evil.example',
        'X-Forwarded-Host': 'evil.example',
        Forwarded: 'host=evil.example',
        Cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
        'Sec-Fetch-Site': 'same-origin',
        'Content-Type': 'application/x-www-form-urlencoded',
      },
    }).end(new URLSearchParams({ form_token: token, email }).toString());
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).to.equal(200);
    const { raw, text } = await service.mails.mailTo(email);
    expect(text).to.contain(`${service.config.web.baseUrl}/reset?token=`);
    expect(raw).not.to.contain('evil');
  });

  it('a session id that somebody else chose, or knew, is nobody’s after signing in', async () => {
    const { email, userId } = await person('fixed@example.com');
    const known = await sessions.begin(service.db, userId);
    for (const [planted, from] of [
      ['A'.repeat(43), '/sign-in'],
      [known, '/settings'],
    ] as const) {
      const browser = new FormClient(service.baseUrl);
      const attacker = new FormClient(service.baseUrl);
      for (const one of [browser, attacker]) one.cookies.set('sonde_session', planted);
      const { location } = await browser.post('/sign-in', { email, password }, { from });
      expect(location).to.equal('/');
      expect(browser.cookies.get('sonde_session'))
        .to.match(/^[\w-]{43}$/)
        .and.not.equal(planted);
      expect((await browser.get('/tokens')).status).to.equal(200);
      expect((await attacker.get('/tokens')).status).to.equal(303);
    }
  });

  it('the token of a reset, sent to where others are taken, opens nothing there and stays good', async () => {
    const { email } = await person('other@example.com');
    await new FormClient(service.baseUrl).post('/forgot', { email });
    const from = pathIn(await service.mails.mailTo(email));
    const token = from.split('token=')[1] ?? '';
    const browser = new FormClient(service.baseUrl);
    for (const path of ['/confirm', '/confirm-email', '/sign-in/link/follow', '/invitation']) {
      const { status } = await browser.post(path, { token, key: token, password }, { from });
      expect([path, status]).to.deep.equal([path, path === '/invitation' ? 404 : 403]);
    }
    expect(browser.cookies.has('sonde_session')).to.equal(false);
    expect((await browser.get(from)).status).to.equal(200);
  });
});
