import { expect } from 'chai';
import { type RawBuilder, sql } from 'kysely';
import { useVisit } from '../../../support/dashboard.ts';
import { freePort } from '../../../support/free-port.ts';
import { useAccount, useService } from '../../../support/service.ts';
import { serve, useSite } from '../../../support/web.ts';

describe('outcomes on the dashboard', () => {
  const service = useService({}, { worker: true });
  const site = useSite();
  const account = useAccount(service, 1000);
  const browser = useVisit(service, account);

  const check = (urls: unknown[], path = '/http-status/bulk') =>
    service.runBatch(account.token, path, { urls, on_invalid: 'skip' });
  /** Changes an ended item, which a trigger rejects otherwise. */
  const changeItem = async (batchId: string, position: number, changes: RawBuilder<unknown>) => {
    await sql`alter table items disable trigger item_is_final`.execute(service.db);
    await sql`update items set ${changes} where batch_id = ${batchId} and position = ${position}`.execute(
      service.db,
    );
    await sql`alter table items enable trigger item_is_final`.execute(service.db);
  };
  const getPage = async (id: string, query = '') => (await browser.get(`/batches/${id}${query}`)).text;
  const pills = (text: string) =>
    [...text.matchAll(/<td class="answer"><span class="pill tone-(\w+)">([^<]*)/g)].map((found) => found[2]);

  it('distinguish charged unreachable URLs from skipped ones, with the exact reason', async () => {
    const silent = `http://127.0.0.1:${await freePort()}/`;
    const rude = await serve((req) => req.socket.destroy());
    const urls = [
      `${site.url}/good`,
      silent,
      `${rude.url}/`,
      'https://user:secret@example.com/',
      `https://example.com/${'x'.repeat(2100)}`,
    ];
    const text = await getPage(await check(urls));
    await rude.close();
    expect(pills(text)).to.deep.equal(['200 OK', 'Unreachable', 'Unreachable', 'Skipped', 'Skipped']);
    expect(text).to.contain('The server refuses connections.');
    expect(text).to.contain('The server closed the connection before it answered.');
    expect(text).to.contain(
      'URLs with a user name or password are not checked. Remove both from the URL. You were not charged.',
    );
    expect(text).to.contain('Longer than 2048 characters. You were not charged.');
    expect(text).to.contain('3 of 3 checked').and.to.contain('3 credits charged<');
  });

  it('highlight redirect chains, temporary redirects, noindex, other canonicals and slow pages', async () => {
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
    await changeItem(id, 4, sql`outcome = (outcome::jsonb || '{"response_time_ms": 2000}')::json`);
    const shown = async (show: string) =>
      [...(await getPage(id, `?show=${show}`)).matchAll(/aria-label="Select [^"]*?(\/\w+)"/g)].map(
        (found) => found[1],
      );
    expect(await shown('redirect_chain')).to.deep.equal(['/chain']);
    expect(await shown('temporary_redirect')).to.deep.equal(['/chain', '/hop']);
    expect(await shown('noindex')).to.deep.equal(['/hidden']);
    expect(await shown('canonical_elsewhere')).to.deep.equal(['/copy']);
    expect(await shown('slow')).to.deep.equal(['/end']);
    expect((await getPage(id)).replaceAll(/<[^>]*>/g, '')).to.match(
      /More than one redirect 1\s+Temporary redirect 2\s+2 seconds or slower 1\s+noindex 1\s+Canonical elsewhere 1/,
    );
    await odd.close();
  });

  it('call a batch completed when only skipped entries have no result, and filter each kind', async () => {
    const id = await check([`${site.url}/good`, `${site.url}/missing`, 'shoes']);
    const text = await getPage(id);
    expect(text)
      .to.match(/<span class="pill tone-good">Done<\/span>/)
      .and.not.contain('100%');
    expect(text).to.contain('aria-valuetext="2 of 2, OK 1, 4xx 1, Skipped 1"');
    expect(pills(await getPage(id, '?show=skipped'))).to.deep.equal(['Skipped']);
    expect(pills(await getPage(id, '?show=not_checked'))).to.deep.equal([]);
    expect(pills(await getPage(id, '?show=dead'))).to.deep.equal(['404 Not Found']);
    expect(text).to.match(/Dead<\/span> <strong>1<\/strong> <small>4xx, 5xx or unreachable/);
  });

  it('call an item unchecked when it failed on our side', async () => {
    const id = await check([`${site.url}/good`, `${site.url}/missing`]);
    await changeItem(id, 1, sql`state = 'failed', outcome = null, error = 'checker_unreachable'`);
    const text = await getPage(id, '?show=not_checked');
    expect(pills(text)).to.deep.equal(['Not checked']);
    expect(text).to.contain('The credit was refunded.');
  });

  it('name a redirect loop, one URL and one credit', async () => {
    const text = await getPage(await check([`${site.url}/loop`]));
    expect(pills(text)).to.deep.equal(['Redirect loop']);
    expect(text).to.contain('HTTP status, 1 URL<').and.to.contain('1 credit charged');
  });

  it('show the evidence for a soft 404', async () => {
    const text = await getPage(await check([`${site.url}/soft`]));
    expect(text).to.contain('The title says “not found”.').and.contain('The page has hardly any text.');
  });

  it('show the response time in its own column, and the reason beside it', async () => {
    const url = `${site.url}/soft`;
    const [before, now] = [await check([url]), await check([url, 'http://127.0.0.1:9/'])];
    await service.call('/http-status', { token: account.token, body: { url } });
    const pages = [
      ...[`/address?url=${encodeURIComponent(url)}`, '/batches/singles'],
      ...[`/batches/${now}/report`, `/batches/${now}/compare?with=${before}&change=same`],
    ];
    for (const path of pages) {
      const page = await browser.open(path);
      const row = page.querySelectorAll('tbody tr').find(({ text }) => text.includes('Soft 404'));
      expect(row?.querySelector('[data-label="Time"]')?.text, path).to.match(/^\d+ ms$|^[\d.]+ s$/);
      expect(row?.querySelector('.why')?.text, path).to.contain('The page says that it does not exist');
    }
    const ofGoogle = (
      await browser.get(`/batches/${await check(['https://indexed.example/'], '/check/bulk')}/report`)
    ).text;
    expect(ofGoogle).to.contain('>Why</th>').and.not.to.contain('>Time</th>');
  });

  it('show AI Overviews and features of ranks, and the most that a second check costs', async () => {
    const states = ['overview-shown', 'overview-unread', 'overview-unknown', 'shoes'];
    const include = ['features', 'ai_overview'];
    const queries = states.map((keyword) => ({ url: 'rank-2.example', keyword, end_page: 1, include }));
    const body = { queries: [...queries, { url: 'rank-9.example', keyword: 'overview-shown', include }] };
    const id = await service.runBatch(account.token, '/keyword-track', body);
    const text = await getPage(id);
    for (const sentence of [
      'The AI Overview cites https://rank-2.example/ as source 2.',
      'The AI Overview does not cite the target.',
      'Google shows an AI Overview, but its sources could not be read.',
      'It is not known whether Google shows an AI Overview.',
      'Google shows no AI Overview.',
      'On the page: AI Overview (with the target), people also ask (with the target).',
    ])
      expect(text).to.contain(sentence);
    expect(text).to.contain('10 credits charged, 3 refunded');
    expect(text).to.contain('up to 10 credits').and.to.contain('up to 2 credits each');
  });

  it('show a note that applies to all results once', async () => {
    const urls = ['https://indexed.example/', 'https://not-indexed.example/'];
    const text = await getPage(await check(urls, '/check/bulk'));
    expect(text.split('Simulated by the sandbox.')).to.have.length(2);
    expect(text).to.match(/<span class="pill tone-warn">Not indexed/);
  });
});
