import { expect } from 'chai';
import { FormClient, signedIn } from '../../support/dashboard.ts';
import { TestService } from '../../support/service.ts';

describe('the forms of the dashboard', () => {
  let service: TestService;
  let browser: FormClient;

  before(async () => {
    service = await TestService.start();
    browser = new FormClient(service.baseUrl);
    browser.cookies.set('sonde_session', await signedIn(service, await service.account(0)));
  });

  after(() => service.stop());

  const send = async (path: string, body: string, type = 'application/x-www-form-urlencoded') => {
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { 'Content-Type': type, 'Sec-Fetch-Site': 'same-origin', Cookie: cookie };
    const began = performance.now();
    const { status } = await fetch(`${service.baseUrl}${path}`, { method: 'POST', body, headers });
    return { status, ms: performance.now() - began };
  };

  it('are not taken in an encoding that is costly to read', async () => {
    const many = 'a&'.repeat(1024 * 1024);
    for (const path of ['/', '/read']) {
      const { status, ms } = await send(path, many);
      expect([path, status]).to.deep.equal([path, 415]);
      expect(ms).to.be.below(500);
    }
    expect((await send('/tokens', many)).status).to.equal(413);
    expect((await send('/tokens', 'a&'.repeat(101))).status).to.equal(413);
  });

  it('are refused without a token, however many parts they have', async () => {
    const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
    const { status, ms } = await send(
      '/',
      `${part.repeat(40_000)}--x--\r\n`,
      'multipart/form-data; boundary=x',
    );
    expect(status).to.equal(403);
    expect(ms).to.be.below(3000);
  });

  it('hold text that can be stored, whatever was typed', async () => {
    const fields = { email: 'a\0@b.co', password: 'correct horse' };
    expect((await new FormClient(service.baseUrl).post('/sign-in', fields)).status).to.equal(401);
    expect((await browser.post('/tokens', { name: 'a\0b' })).status).to.equal(303);
  });
});
