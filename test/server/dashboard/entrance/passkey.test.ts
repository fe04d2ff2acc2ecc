import { expect } from 'chai';
import { sql } from 'kysely';
import * as sessions from '../../../../db/accounts/sessions.ts';
import * as users from '../../../../db/accounts/users.ts';
import { borrowBrowser, openWindow } from '../../../support/browser.ts';
import { enter, FormClient } from '../../../support/dashboard.ts';
import { eventually } from '../../../support/eventually.ts';
import { freePort } from '../../../support/free-port.ts';
import { TestService } from '../../../support/service.ts';

describe('passkeys', () => {
  let service: TestService;
  let url: string;

  before(async () => {
    const port = await freePort();
    url = `http://localhost:${port}`;
    service = await TestService.start({ PORT: String(port), BASE_URL: url });
  });

  after(() => service.stop());

  it('are added and used in a browser, and an answer that was given once, or by a stranger, is worth nothing', async function () {
    const browser = await borrowBrowser(this);
    const account = await service.account(0);
    const { accountId } = account;
    // Without a password, so that none has to be derived.
    const person = { accountId, email: 'key@example.com', passwordHash: null };
    const userId = await users.create(service.db, person);
    const { context, page, complaints } = await openWindow(browser, url);
    try {
      await enter(context, { ...service, db: service.db, baseUrl: url } as unknown as TestService, account);
      const cdp = await context.newCDPSession(page);
      await cdp.send('WebAuthn.enable');
      await cdp.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      await page.goto('/settings/second-factor');
      await page.getByText('Add a passkey…').click();
      await page.getByLabel('Its name').fill('Laptop');
      // The page may be there before its script is: until then there is nothing to press.
      const script = Promise.withResolvers<void>();
      await page.route('**/passkeys.js', async (route) => {
        await script.promise;
        await route.continue();
      });
      await page.getByRole('button', { name: 'Add a passkey' }).click({ noWaitAfter: true });
      const goOn = page.getByRole('button', { name: 'Go on' });
      await goOn.waitFor();
      expect(await goOn.isDisabled()).to.equal(true);
      script.resolve();
      await goOn.click();
      await page.getByText('Your recovery codes').waitFor();
      expect(await page.locator('#codes ~ ul li').count()).to.equal(10);

      await context.clearCookies();
      const key = await sessions.makeLink(service.db, userId);
      await page.goto(`/start?key=${key}`);
      const sending = page.waitForRequest((request) => request.method() === 'POST');
      await page.getByRole('button', { name: 'Use your passkey' }).click();
      const sent = new URLSearchParams((await sending).postData() ?? '').get('credential') ?? '';
      await page.waitForURL(`${url}/`);
      expect(complaints).to.deep.equal([]);

      // What was answered once is worth nothing, and neither is it from another site or for another person.
      const answered = await eventually(async () => {
        const { rows } = await sql<{
          used: Date | null;
        }>`select last_used_at as used from passkeys where user_id = ${userId}`.execute(service.db);
        return rows[0]?.used ?? null;
      });
      expect(answered).to.be.instanceOf(Date);
      const thief = new FormClient(service.baseUrl);
      const arrived = await thief.get(`/start?key=${await sessions.makeLink(service.db, userId)}`);
      expect(arrived.location).to.equal('/sign-in/second');
      expect(JSON.parse(sent)).to.have.nested.property('response.signature');
      for (const credential of [sent, '{}', 'no json', '{"id":"AAAA","response":{}}'])
        expect((await thief.post('/sign-in/second', { credential })).status).to.equal(401);
    } finally {
      await context.close();
    }
  });
});
