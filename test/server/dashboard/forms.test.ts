import { expect } from 'chai';
import { FormClient, visit } from '../../support/dashboard.ts';
import { TestService } from '../../support/service.ts';

describe('the forms of the dashboard', () => {
  let service: TestService;
  let browser: FormClient;

  before(async () => {
    service = await TestService.start();
    browser = await visit(service, await service.account(0));
  });

  after(() => service.stop());

  const send = async (path: string, body: string, type = 'application/x-www-form-urlencoded') => {
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { 'Content-Type': type, 'Sec-Fetch-Site': 'same-origin', Cookie: cookie };
    return (await fetch(`${service.baseUrl}${path}`, { method: 'POST', body, headers })).status;
  };

  it('are not taken in an encoding that is costly to read', async () => {
    const many = 'a&'.repeat(1024 * 1024);
    for (const path of ['/', '/read']) {
      expect([path, await send(path, many)]).to.deep.equal([path, 415]);
    }
    expect(await send('/tokens', many)).to.equal(413);
    expect(await send('/tokens', 'a&'.repeat(101))).to.equal(413);
  });

  const ofParts = (parts: string) =>
    send('/', `${parts}--x--\r\n`, 'multipart/form-data; charset=utf-8; boundary="x"');
  const partOf = (head: string) => `--x\r\n${head}\r\n\r\n\r\n`;
  const plain = 'Content-Disposition: form-data; name="a"';

  it('are refused without a token', async () => {
    expect(await ofParts(partOf(plain).repeat(99))).to.equal(403);
  });

  it('are not taken apart where that costs more than our pages come to', async () => {
    const costly = {
      parts: partOf(plain).repeat(101),
      lines: partOf(`${'a:\r\n'.repeat(300)}${plain}`),
      name: partOf(`Content-Disposition: form-data; name="${'%0A'.repeat(400)}"`),
    };
    for (const [what, parts] of Object.entries(costly))
      expect([what, await ofParts(parts)]).to.deep.equal([what, 400]);
  });

  it('hold text that can be stored, whatever was typed', async () => {
    const fields = { email: 'a\0@b.co', password: 'correct horse' };
    expect((await new FormClient(service.baseUrl).post('/sign-in', fields)).status).to.equal(401);
    expect((await browser.post('/tokens', { name: 'a\0b' })).status).to.equal(303);
  });

  it('have no field that is longer than a URL may be', async () => {
    const email = `${'a'.repeat(4097)}@example.com`;
    const refused = await new FormClient(service.baseUrl).post('/sign-in', { email, password: 'a guess' });
    expect(refused.status).to.equal(422);
    expect(refused.text).to.contain('A field is too long.');
  });
});
