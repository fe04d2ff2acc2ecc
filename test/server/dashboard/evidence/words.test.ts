import { expect } from 'chai';
import { sql } from 'kysely';
import { parse } from 'node-html-parser';
import type { TestAccount } from '../../../support/accounts.ts';
import { type FormClient, visit } from '../../../support/dashboard.ts';
import { freePort } from '../../../support/free-port.ts';
import { TestService } from '../../../support/service.ts';
import { serve, serveSite, type TestSite } from '../../../support/web.ts';

describe('what the dashboard calls outcomes', () => {
  let service: TestService;
  let site: TestSite;
  let account: TestAccount;
  let browser: FormClient;

  before(async () => {
    site = await serveSite();
    service = await TestService.start({}, { worker: true });
    account = await service.account(1000);
    browser = await visit(service, account);
  });

  after(async () => {
    await service?.stop();
    await site?.close();
  });

  const check = async (urls: unknown[], path = '/http-status/bulk') => {
    const body = { urls, on_invalid: 'skip' };
    const { batch_id: id } = (await service.call(path, { token: account.token, body })).body;
    await service.ended(account.token, id);
    return id as string;
  };
  const pageOf = async (id: string, query = '') => (await browser.get(`/batches/${id}${query}`)).text;
  const pills = (text: string) =>
    [...text.matchAll(/<td class="answer"><span class="pill tone-(\w+)">([^<]*)/g)].map((found) => found[2]);

  it('tells what was unreachable, and paid for, from what was skipped, with its precise reason', async () => {
    const silent = `http://127.0.0.1:${await freePort()}/`;
    const urls = [
      `${site.url}/good`,
      silent,
      'https://user:secret@example.com/',
      `https://example.com/${'x'.repeat(2100)}`,
    ];
    const text = await pageOf(await check(urls));
    expect(pills(text)).to.deep.equal(['200 OK', 'Unreachable', 'Skipped', 'Skipped']);
    expect(text).to.contain('The server refuses connections.');
    expect(text).to.contain(
      'URLs with a user name or password are not checked. Remove both from the URL. You were not charged.',
    );
    expect(text).to.contain('Longer than 2048 characters. You were not charged.');
    expect(text).to.contain('2 of 2 checked').and.to.contain('2 credits charged<');
  });

  it('names what is worth a look: chains, temporary redirects, noindex, canonical, what is slow', async () => {
    const odd = await serve((req, res) => {
      const to = { '/chain': '/hop', '/hop': '/end' }[req.url ?? ''];
      if (to) return void res.writeHead(302, { Location: to }).end();
      res.setHeader('X-Robots-Tag', req.url === '/hidden' ? 'noindex' : 'all');
      const canonical = req.url === '/copy' ? '<link rel="canonical" href="/end">' : '';
      res
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end(`<title>A page</title>${canonical}<p>Some words.`);
    });
    const id = await check(['/chain', '/hop', '/hidden', '/copy', '/end'].map((path) => `${odd.url}${path}`));
    await sql`alter table items disable trigger item_is_final`.execute(service.db);
    await sql`update items set outcome = (outcome::jsonb || '{"response_time_ms": 2000}')::json
      where batch_id = ${id} and position = 4`.execute(service.db);
    await sql`alter table items enable trigger item_is_final`.execute(service.db);
    const shown = async (show: string) =>
      [...(await pageOf(id, `?show=${show}`)).matchAll(/aria-label="Select [^"]*?(\/\w+)"/g)].map(
        (found) => found[1],
      );
    expect(await shown('redirect_chain')).to.deep.equal(['/chain']);
    expect(await shown('temporary_redirect')).to.deep.equal(['/chain', '/hop']);
    expect(await shown('noindex')).to.deep.equal(['/hidden']);
    expect(await shown('canonical_elsewhere')).to.deep.equal(['/copy']);
    expect(await shown('slow')).to.deep.equal(['/end']);
    expect((await pageOf(id)).replaceAll(/<[^>]*>/g, '')).to.match(
      /More than one hop 1\s+Temporary redirect 2\s+2 seconds or slower 1\s+noindex 1\s+Canonical elsewhere 1/,
    );
    await odd.close();
  });

  it('calls a batch done whose skipped entries alone have no answer, and shows each kind by itself', async () => {
    const id = await check([`${site.url}/good`, `${site.url}/missing`, 'shoes']);
    const text = await pageOf(id);
    expect(text)
      .to.match(/<span class="pill tone-good">Done<\/span>/)
      .and.not.contain('100%');
    expect(text).to.contain('aria-valuetext="2 of 2, OK 1, 4xx 1, Skipped 1"');
    expect(pills(await pageOf(id, '?show=skipped'))).to.deep.equal(['Skipped']);
    expect(pills(await pageOf(id, '?show=not_checked'))).to.deep.equal([]);
    expect(pills(await pageOf(id, '?show=dead'))).to.deep.equal(['404 Not Found']);
    expect(text).to.match(/Dead<\/span> <strong>1<\/strong> <small>4xx, 5xx or unreachable/);
  });

  it('says that what failed on our side was not checked', async () => {
    const id = await check([`${site.url}/good`, `${site.url}/missing`]);
    await sql`alter table items disable trigger item_is_final`.execute(service.db);
    await sql`update items set state = 'failed', outcome = null, error = 'checker_unreachable'
      where batch_id = ${id} and position = 1`.execute(service.db);
    await sql`alter table items enable trigger item_is_final`.execute(service.db);
    const text = await pageOf(id, '?show=not_checked');
    expect(pills(text)).to.deep.equal(['Not checked']);
    expect(text).to.contain('The credit was refunded.');
  });

  it('names a redirect loop, one URL and one credit', async () => {
    const text = await pageOf(await check([`${site.url}/loop`]));
    expect(pills(text)).to.deep.equal(['Redirect loop']);
    expect(text).to.contain('HTTP status, 1 URL<').and.to.contain('1 credit charged');
  });

  it('says of a soft 404 what spoke for it, of answers of old as well', async () => {
    const id = await check([`${site.url}/soft`]);
    await sql`alter table items disable trigger item_is_final`.execute(service.db);
    await sql`update items set outcome = (outcome::jsonb || ${JSON.stringify({
      soft404_reasons: ['title_not_found', 'own_headline', 'same_as_sibling'],
    })}::jsonb)::json where batch_id = ${id}`.execute(service.db);
    await sql`alter table items enable trigger item_is_final`.execute(service.db);
    const text = await pageOf(id);
    expect(text).to.contain('The title says “not found”.').and.not.contain('its own headline');
    expect(text).to.contain('the same page at a URL that cannot exist').and.not.contain('Same as sibling');
  });

  it('says in a column of its own how long an answer took, and why it is what it is beside it', async () => {
    const url = `${site.url}/soft`;
    const [before, now] = [await check([url]), await check([url, 'http://127.0.0.1:9/'])];
    await service.call('/http-status', { token: account.token, body: { url } });
    const pages = [
      ...[`/address?url=${encodeURIComponent(url)}`, '/batches/singles'],
      ...[`/batches/${now}/report`, `/batches/${now}/compare?with=${before}&change=same`],
    ];
    for (const path of pages) {
      const page = parse((await browser.get(path)).text);
      const row = page.querySelectorAll('tbody tr').find(({ text }) => text.includes('Soft 404'));
      expect(row?.querySelector('[data-label="Time"]')?.text, path).to.match(/^\d+ ms$|^[\d.]+ s$/);
      expect(row?.querySelector('.why')?.text, path).to.contain('The page says that it does not exist');
      expect(page.text, path).not.to.contain('Answered in');
    }
    const ofGoogle = (
      await browser.get(`/batches/${await check(['https://indexed.example/'], '/check/bulk')}/report`)
    ).text;
    expect(ofGoogle).to.contain('>Why</th>').and.not.to.contain('>Time</th>');
  });

  it('says once what all answers share', async () => {
    const urls = ['https://indexed.example/', 'https://not-indexed.example/'];
    const text = await pageOf(await check(urls, '/check/bulk'));
    expect(text.split('Invented by the sandbox.')).to.have.length(2);
    expect(text).to.match(/<span class="pill tone-warn">Not indexed/);
  });
});
