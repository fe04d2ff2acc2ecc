import { expect } from 'chai';
import { FormClient, signedIn } from '../../support/dashboard.ts';
import { eventually } from '../../support/eventually.ts';
import { TestService } from '../../support/service.ts';

describe('the limits of the dashboard', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start({ RATE_LIMIT_PER_MINUTE: '3' });
  });

  after(() => service.stop());

  it('count an account’s pages and forms with its requests of the API', async () => {
    const account = await service.account(0);
    const browser = new FormClient(service.baseUrl);
    browser.cookies.set('sonde_session', await signedIn(service, account));
    const form = () => browser.post('/tokens', { name: 'one' });
    await service.call('/check/bulk', { token: account.token, body: {} });
    expect([(await form()).status, (await form()).status]).to.deep.equal([303, 303]);
    const refused = await form();
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    expect(refused.text).to.contain('At most 3 POST requests a minute.');
    const api = await service.call('/check/bulk', { token: account.token, body: {} });
    expect(api.status).to.equal(429);

    const statuses = new Set<number>();
    for (let count = 0; count < 30; count++) statuses.add((await browser.get('/')).status);
    expect([...statuses]).to.deep.equal([200, 429]);
    expect((await new FormClient(service.baseUrl).get('/')).status).to.equal(200);
  });

  it('weigh what is read for nothing, in the box as in the API', async () => {
    const roomy = await TestService.start({ RATE_LIMIT_PER_MINUTE: '100' });
    const account = await roomy.account(0);
    const browser = new FormClient(roomy.baseUrl);
    browser.cookies.set('sonde_session', await signedIn(roomy, account));
    const counted = async () => {
      const rows = roomy.db.selectFrom('rateLimits').select('points');
      return (await rows.where('key', '=', `post:${account.accountId}`).executeTakeFirst())?.points ?? 0;
    };
    const until = (points: number) => eventually(async () => (await counted()) === points || null);
    const box = { text: 'x'.repeat(8 * 1024 * 1024 - 1000) };
    expect((await browser.post('/read', box, { from: '/' })).status).to.equal(200);
    await until(1 + 63);
    // No line of it is an address.
    expect((await browser.post('/', { ...box, check: 'http' })).status).to.equal(422);
    await until(2 + 2 * 63);
    expect((await browser.post('/read', { text: 'a' }, { from: '/' })).status).to.equal(429);
    await roomy.stop();
  });
});
