import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { FormClient, signedIn } from '../../support/dashboard.ts';
import { TestService } from '../../support/service.ts';
import { serve, type TestSite } from '../../support/web.ts';

describe('a sitemap named in the box', () => {
  let service: TestService;
  let site: TestSite;
  let browser: FormClient;

  before(async () => {
    site = await serve((req, res) => {
      const pages: Record<string, string | Buffer> = {
        '/sitemap.xml': sitemap(['https://example.com/?a=1&amp;b=2', 'https://example.com/b']),
        '/index.xml': `<sitemapindex><sitemap><loc>${site.url}/zipped.xml.gz</loc></sitemap></sitemapindex>`,
        '/zipped.xml.gz': gzipSync(sitemap(['https://example.com/zipped'])),
        '/endless.xml': sitemap(Array.from({ length: 3000 }, (_, number) => `https://example.com/${number}`)),
        '/vast-index.xml': `<sitemapindex><loc>${site.url}/vast.xml.gz</loc></sitemapindex>`,
        '/vast.xml.gz': gzipSync('<loc>https://example.com/vast</loc>'.repeat(400_000)),
        '/page': '<title>A page</title>',
        '/private.xml': '',
      };
      if (req.url === '/private.xml') res.writeHead(302, { Location: 'http://10.0.0.1/' });
      else res.writeHead(pages[req.url ?? ''] === undefined ? 404 : 200);
      res.end(pages[req.url ?? '']);
    });
    service = await TestService.start();
    browser = new FormClient(service.baseUrl);
    browser.cookies.set('sonde_session', await signedIn(service, await service.account(10)));
  });

  after(async () => {
    await service.stop();
    await site.close();
  });

  const read = async (path: string) => {
    const { status, text } = await browser.post('/', { check: 'sitemap', sitemap: `${site.url}${path}` });
    const box = /<textarea[^>]*>([^<]*)<\/textarea>/.exec(text)?.[1] ?? '';
    const problem = /role="alert">([^<]*)/.exec(text)?.[1] ?? null;
    return { status, problem, lines: box.replaceAll('&amp;', '&').split('\n').filter(Boolean) };
  };

  it('fills the box with its addresses, through an index and zipped ones', async () => {
    const plain = await read('/sitemap.xml');
    expect(plain.lines).to.deep.equal(['https://example.com/?a=1&b=2', 'https://example.com/b']);
    expect((await read('/index.xml')).lines).to.deep.equal(['https://example.com/zipped']);
  });

  it('takes no more than a batch holds', async () => {
    expect((await read('/endless.xml')).lines).to.have.length(2000);
    expect((await read('/vast-index.xml')).lines).to.have.length(2000);
  });

  it('is refused in words when it is none, not there, or leads inside', async () => {
    expect(await read('/page')).to.include({ status: 422 });
    expect((await read('/page')).problem).to.contain('No addresses were found');
    expect((await read('/nothing')).problem).to.contain('status 404');
    expect((await read('/private.xml')).problem).to.contain('target_not_allowed');
    const { text } = await browser.post('/', { check: 'sitemap', sitemap: 'http://192.168.0.1/sitemap.xml' });
    expect(text).to.contain('private or reserved');
  });
});

function sitemap(urls: string[]): string {
  return `<?xml version="1.0"?><urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;
}
