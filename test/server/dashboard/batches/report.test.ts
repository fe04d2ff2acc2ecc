import { expect } from 'chai';
import { sql } from 'kysely';
import { closeAccount } from '../../../../accounts/close.ts';
import * as tokens from '../../../../db/accounts/tokens.ts';
import * as reportLinks from '../../../../db/batches/report-links.ts';
import { rankAnswer, rankQuery } from '../../../support/answers.ts';
import { FormClient, fieldIn, toText, useVisit, visit } from '../../../support/dashboard.ts';
import { monitored } from '../../../support/monitored.ts';
import { useAccount, useService } from '../../../support/service.ts';
import { uncompressed } from '../../../support/web.ts';

const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('the report of a batch', () => {
  const service = useService({}, { worker: true });
  const account = useAccount(service, 1000);
  const browser = useVisit(service, account);
  let stranger: FormClient;
  let path: string;

  before(async () => {
    stranger = new FormClient(service.baseUrl);
    const urls = Array.from({ length: 60 }, (_, n) => `https://indexed.example/${n}`);
    const body = {
      urls: [...urls, 'https://not-indexed.example/<gone>'],
      reference: 'October crawl',
      webhook_url: 'https://hooks.example/secret-path',
    };
    path = `/batches/${await service.runBatch(account.token, '/check/bulk', body)}`;
  });

  async function shared(of = path): Promise<string> {
    await browser.post(`${of}/share`, { days: '7' });
    const { text } = await browser.get(of);
    const link = /\/report\?key=[\w-]{43}/.exec(text)?.[0] ?? '';
    expect((await browser.get(of)).text).not.to.contain(link);
    return link;
  }

  it('shows all results by link, worst first, and nothing else of the account', async () => {
    const { status, headers, text, setCookies } = await stranger.get(await shared());
    expect([status, setCookies]).to.deep.equal([200, []]);
    expect(headers.get('x-robots-tag')).to.equal('noindex, nofollow');
    expect(headers.get('referrer-policy')).to.equal('no-referrer');
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(text)
      .to.contain('<meta name="robots" content="noindex, nofollow">')
      .and.to.contain('October crawl');
    expect(text.match(/data-label="URL"/g)).to.have.length(61);
    expect(text).to.contain('Not indexed</span> 1 URL<').and.to.contain('Indexed</span> 60 URLs<');
    expect(text.indexOf('not-indexed.example/&lt;gone&gt;')).to.be.below(text.indexOf('indexed.example/0<'));
    expect(text).not.to.match(/form_token|hooks\.example|whsec_|sonde_|user-\d+@|credit|<script/);
    expect(text).to.contain('</html>');
  });

  it('lists redirects, and shows the name and the time zone of the account', async () => {
    const owner = await service.account(10);
    const visitor = await visit(service, owner);
    const body = { urls: ['http://redirect-2.example/', 'http://good.example/'] };
    const token = await tokens.issue(service.db, owner.accountId, 'trial', { isTest: true });
    const id = await service.runBatch(token, '/http-status/bulk', body);
    await sql`update batches set created_at = '2026-11-20T23:30:00Z' where batch_id = ${id}`.execute(
      service.db,
    );
    const read = async () => visitor.open(`/batches/${id}/report`);
    expect((await read()).querySelector('.head')?.text).to.contain('20 Nov 2026, 23:30 UTC');
    const refused = await visitor.post('/settings/account', { timezone: 'Mars' });
    expect([refused.status, refused.text.includes('not a time zone')]).to.deep.equal([422, true]);
    const profile = { account_name: 'Ann & Co', timezone: 'Europe/Berlin' };
    await visitor.post('/settings/account', profile);
    // An error in another form of the page keeps these values.
    const weak = await visitor.post('/settings/password', { new_password: 'short' });
    expect([weak.status, fieldIn(weak.text, 'timezone')]).to.deep.equal([422, 'Europe/Berlin']);
    const report = await read();
    expect(report.querySelector('.head')?.text).to.contain('Ann & Co').and.contain('21 Nov 2026, 00:30');
    const sections = report.querySelectorAll('section').map(toText);
    expect(sections.find((text) => text.includes('Redirected 1 URL'))).to.match(
      /30\d http:\/\/redirect-2\.example/,
    );
  });

  it('shows the logo of the account, until it is removed or the account is closed', async () => {
    const owner = await service.account(10);
    const visitor = await visit(service, owner);
    const token = await tokens.issue(service.db, owner.accountId, 'trial', { isTest: true });
    const body = { urls: ['http://good.example/', 'http://redirect-2.example/'] };
    const id = await service.runBatch(token, '/http-status/bulk', body);
    await visitor.post(`/batches/${id}/share`, { days: '7' });
    const link = /\/report\?key=[\w-]{43}/.exec((await visitor.get(`/batches/${id}`)).text)?.[0] ?? '';
    const findLogo = async (client: FormClient, page: string) =>
      (await client.open(page)).querySelector('.head img.logo')?.getAttribute('src');
    expect(await findLogo(stranger, link)).to.equal(undefined);

    const change = (fields: Record<string, string | File>) =>
      visitor.post('/settings/logo', fields, { from: '/settings' });
    const png = Buffer.from(onePixel, 'base64');
    const images: Array<[type: string, bytes: Buffer]> = [
      ['image/webp', Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1')])],
      ['image/jpeg', Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(100 * 1024 - 4)])],
      ['image/png', png],
    ];
    for (const [type, bytes] of images) {
      // The claimed type and name do not matter.
      const logo = new File([new Uint8Array(bytes)], 'logo.svg', { type: 'image/svg+xml' });
      expect((await change({ logo })).location).to.equal('/settings');
      const src = (await findLogo(stranger, link)) ?? '';
      const sent = await fetch(`${service.baseUrl}${src}`);
      expect(Buffer.from(await sent.arrayBuffer()).equals(bytes), type).to.equal(true);
      expect(sent.headers.get('content-type')).to.equal(type);
      expect(sent.headers.get('x-content-type-options')).to.equal('nosniff');
      expect(sent.headers.get('content-security-policy')).to.equal("default-src 'none'");
      const known = { 'If-None-Match': sent.headers.get('etag') ?? '' };
      expect((await fetch(`${service.baseUrl}${src}`, { headers: known })).status).to.equal(304);
    }
    expect(await findLogo(visitor, `/batches/${id}/report`)).to.equal('/settings/logo');
    expect((await visitor.get('/settings/logo')).headers.get('content-type')).to.equal('image/png');
    expect((await browser.get('/settings/logo')).status).to.equal(404);

    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    for (const [bytes, message] of [
      [svg, 'not a PNG, JPEG or WebP'],
      [Buffer.concat([png, Buffer.alloc(100 * 1024)]), 'limited to 100 KB'],
    ] as const) {
      const logo = new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], 'logo.png');
      const refused = await change({ logo });
      expect([refused.status, refused.text.includes(message)], message).to.deep.equal([422, true]);
    }
    expect((await visitor.get('/settings/logo')).headers.get('content-type')).to.equal('image/png');

    await change({ remove: 'yes' });
    expect(await findLogo(stranger, link)).to.equal(undefined);
    expect((await visitor.get('/settings/logo')).status).to.equal(404);
    await change({ logo: new File([new Uint8Array(png)], 'logo.png') });
    await visitor.post('/settings/delete');
    const kept = service.db.selectFrom('accounts').select('logo').where('accountId', '=', owner.accountId);
    expect(await kept.executeTakeFirst()).to.deep.equal({ logo: null });
  });

  it('does not name the search provider', async () => {
    const owner = await service.account(10);
    const monitor = await monitored(service, owner.accountId, 'keyword', [rankQuery({})]);
    const [batchId] = (await monitor.run(new Date(), [rankAnswer(4)])).batchIds;
    const visitor = await visit(service, owner);
    expect((await visitor.get(`/batches/${batchId}`)).text).to.contain('Source: serper.');
    const report = (await visitor.get(`/batches/${batchId}/report`)).text;
    expect(report).to.contain('>#4</span>').and.not.to.contain('serper');
  });

  it('is shown to its owner without a link, and to no other account', async () => {
    expect((await browser.get(`${path}/report`)).text).to.contain('October crawl');
    const other = await visit(service, await service.account(0));
    expect((await other.get(`${path}/report`)).status).to.equal(404);
    const share = await other.post(`${path}/share`, { days: '7' });
    expect(share.status).to.equal(404);
    const [link] = await service.db.selectFrom('reportLinks').select('linkId').execute();
    const revoke = await other.post(`${path}/share/${link?.linkId}/revoke`);
    expect(revoke.status).to.equal(404);
  });

  it('is not found by an unknown, revoked or expired link', async () => {
    const [revoked, ended] = [await shared(), await shared()];
    const { text } = await browser.get(path);
    const revokes = [...text.matchAll(/action="([^"]+\/revoke)"/g)].map(([, action = '']) => action);
    await browser.post(revokes[1] ?? '');
    const gone = await stranger.get(revoked);
    expect(gone.status).to.equal(404);
    expect(gone.text).to.contain('Ask the person who sent you the link for a new one.');
    expect((await stranger.get(ended)).status).to.equal(200);
    await sql`update report_links set created_at = now() - interval '8 days', expires_at = now() - interval '1 second'`.execute(
      service.db,
    );
    expect((await stranger.get(ended)).status).to.equal(404);
    for (const key of ['', 'x', 'A'.repeat(43), `${'A'.repeat(43)}&key=x`]) {
      expect((await stranger.get(`/report?key=${key}`)).status).to.equal(404);
    }
  });

  it('stores only the hash of a key, and limits the links of an account', async () => {
    const link = await shared();
    const kept = await sql<{ row: string }>`select report_links::text as row from report_links`.execute(
      service.db,
    );
    expect(JSON.stringify(kept.rows)).not.to.contain(link.slice(-43));
    await sql`
      insert into report_links (hash, account_id, batch_id, expires_at)
      select sha256(convert_to(n::text, 'UTF8')), ${account.accountId}, ${path.split('/')[2]}, now() + interval '1 day'
      from generate_series(1, 100) as n`.execute(service.db);
    expect((await browser.post(`${path}/share`)).status).to.equal(409);
    await sql`delete from report_links`.execute(service.db);
  });

  it('has a rate limit that does not count against its owner', async () => {
    const link = await shared();
    const statuses: number[] = [];
    for (let n = 0; n < 31; n++) statuses.push((await stranger.get(link)).status);
    expect(statuses.filter((status) => status === 200)).to.have.length(30);
    expect(statuses.at(-1)).to.equal(429);
    expect((await browser.get(path)).status).to.equal(200);
  });

  it('is sent by one link while slow readers hold another link of the account', async () => {
    const { rows } = await sql<{ batchId: string }>`
      insert into batches (account_id, batch_id, type, first_request_id, total, failed, status, started_at, completed_at)
      values (${account.accountId}, gen_random_uuid(), 'http', 1, 30, 30, 'failed', now(), now())
      returning batch_id`.execute(service.db);
    const long = rows[0]?.batchId ?? '';
    await sql`
      insert into items (account_id, request_id, batch_id, position, type, state, input, error)
      select ${account.accountId}, 1 + n, ${long}, n, 'http', 'failed',
        json_build_object('url', 'https://example.com/' || repeat('x', 200000)), 'checker_failed'
      from generate_series(0, 29) as n`.execute(service.db);
    const free = await shared();
    // Created directly. Otherwise the link must be read from the page of the batch, which shows all these items.
    const key = await reportLinks.create(service.db, { accountId: account.accountId, batchId: long }, 7);
    // The report is larger than the socket buffers, so that idle readers stay connected.
    const slow = await Promise.all(
      Array.from({ length: 4 }, () =>
        fetch(`${service.baseUrl}/report?key=${key}`, { headers: uncompressed }),
      ),
    );
    expect(slow.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    try {
      const quick = await fetch(`${service.baseUrl}${free}`, { headers: uncompressed });
      expect(quick.status).to.equal(200);
      await quick.body?.cancel();
    } finally {
      for (const { body } of slow) await body?.cancel();
    }
  });

  it('says that its results were deleted, and ends with its account', async () => {
    const link = await shared();
    await sql`update batches set purged_at = now()`.execute(service.db);
    expect((await stranger.get(link)).text).to.contain('are no longer stored');
    const boss = { deleteJob: async () => {} };
    await closeAccount(service.db, { boss: boss as never, mail: 'off' }, account.accountId);
    expect((await stranger.get(link)).status).to.equal(404);
    expect(await service.db.selectFrom('reportLinks').selectAll().execute()).to.deep.equal([]);
  });
});
