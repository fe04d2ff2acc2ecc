import { expect } from 'chai';
import { FormClient, signedIn } from '../../support/dashboard.ts';
import { TestService } from '../../support/service.ts';
import { serve } from '../../support/web.ts';

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
});

describe('the limits of what pages call on', () => {
  it('hold for webhook tests and sitemaps together', async () => {
    const receiver = await serve((_req, res) => res.writeHead(204).end());
    const service = await TestService.start();
    try {
      const browser = new FormClient(service.baseUrl);
      browser.cookies.set('sonde_session', await signedIn(service, await service.account(0)));
      const read = () => browser.post('/', { check: 'sitemap', sitemap: `${receiver.url}/sitemap.xml` });
      expect((await read()).status).to.equal(422);
      const test = () => browser.post('/webhooks/test', { url: receiver.url }, { from: '/webhooks' });
      for (let count = 0; count < 29; count++) await test();
      expect((await browser.get('/webhooks')).text).to.contain('status 204');
      await test();
      expect((await browser.get('/webhooks')).text).to.match(/Too many tries\. Try again in 1?\d minutes\./);
      const refused = await read();
      expect(refused.status).to.equal(429);
      expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 900);
    } finally {
      await service.stop();
      await receiver.close();
    }
  });
});
