import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { mock } from 'node:test';
import { expect } from 'chai';
import { FormClient, visit } from '../../support/dashboard.ts';
import { useService } from '../../support/service.ts';

describe('the forms of the dashboard', () => {
  const service = useService();
  let browser: FormClient;

  before(async () => {
    browser = await visit(service, await service.account(0));
  });

  const send = async (path: string, body: string, type = 'application/x-www-form-urlencoded') => {
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { 'Content-Type': type, 'Sec-Fetch-Site': 'same-origin', Cookie: cookie };
    return (await fetch(`${service.baseUrl}${path}`, { method: 'POST', body, headers })).status;
  };

  it('reject an encoding that is expensive to parse', async () => {
    const many = 'a&'.repeat(1024 * 1024);
    for (const path of ['/', '/read']) {
      expect([path, await send(path, many)]).to.deep.equal([path, 415]);
    }
    expect(await send('/tokens', many)).to.equal(413);
    expect(await send('/tokens', 'a&'.repeat(101))).to.equal(413);
  });

  const ofParts = (parts: string) =>
    send('/', `${parts}--x--\r\n`, 'multipart/form-data; charset=utf-8; boundary="x"');
  const createPart = (head: string) => `--x\r\n${head}\r\n\r\n\r\n`;
  const plain = 'Content-Disposition: form-data; name="a"';

  it('are rejected without a form token', async () => {
    expect(await ofParts(createPart(plain).repeat(99))).to.equal(403);
  });

  it('are not parsed beyond the limits of our pages', async () => {
    const costly = {
      parts: createPart(plain).repeat(101),
      lines: createPart(`${'a:\r\n'.repeat(300)}${plain}`),
      name: createPart(`Content-Disposition: form-data; name="${'%0A'.repeat(400)}"`),
    };
    for (const [what, parts] of Object.entries(costly))
      expect([what, await ofParts(parts)]).to.deep.equal([what, 400]);
  });

  it('are refused above 4 MiB, before they arrive if they state their length', async () => {
    const formData = mock.method(Response.prototype, 'formData');
    const answerTo = async (length: Record<string, number>, body: string) => {
      const headers = { 'Content-Type': 'multipart/form-data; boundary=x', 'Sec-Fetch-Site': 'same-origin' };
      const sending = request(service.baseUrl, {
        method: 'POST',
        headers: { ...headers, ...length, Cookie: `sonde_session=${browser.cookies.get('sonde_session')}` },
      });
      sending.on('error', () => {}).write(body);
      if (!('Content-Length' in length)) sending.end();
      const [answer] = (await once(sending, 'response')) as [IncomingMessage];
      const text = await textOf(answer);
      sending.destroy();
      return [answer.statusCode, text.includes('This form is too large.')];
    };
    const longest = 4 * 1024 * 1024;
    expect(await answerTo({ 'Content-Length': longest + 1 }, '-')).to.deep.equal([413, true]);
    expect(await answerTo({}, '&'.repeat(longest + 1))).to.deep.equal([413, true]);
    expect(formData.mock.callCount()).to.equal(0);
    formData.mock.restore();
  });

  it('accept any text, changed so that Postgres can store it', async () => {
    const fields = { email: 'a\0@b.co', password: 'correct horse' };
    expect((await new FormClient(service.baseUrl).post('/sign-in', fields)).status).to.equal(401);
    expect((await browser.post('/tokens', { name: 'a\0b' })).status).to.equal(303);
  });

  it('have no field longer than a URL', async () => {
    const email = `${'a'.repeat(4097)}@example.com`;
    const refused = await new FormClient(service.baseUrl).post('/sign-in', { email, password: 'a guess' });
    expect(refused.status).to.equal(422);
    expect(refused.text).to.contain('A field is too long.').and.contain('<h1>Invalid input</h1>');
  });
});
