import { expect } from 'chai';
import { FormClient, signedIn } from '../../support/dashboard.ts';
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
});
