import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { deadlines } from '../../../../config/deadlines.ts';
import { type FormClient, visit } from '../../../support/dashboard.ts';
import { TestService } from '../../../support/service.ts';
import { serve, type TestSite } from '../../../support/web.ts';

describe('a sitemap named in the box', () => {
  let service: TestService;
  let site: TestSite;
  let browser: FormClient;
  let robots = '';
  const { sitemapMs } = deadlines;

  before(async () => {
    // A busy machine is given the time to read all of it.
    Object.assign(deadlines, { sitemapMs: 20 * sitemapMs });
    const vast = gzipSync(sitemap(Array.from({ length: 60_000 }, (_, n) => `https://example.com/vast-${n}`)));
    const long = sitemap(Array.from({ length: 3000 }, (_, number) => `https://example.com/${number}`));
    site = await serve((req, res) => {
      const pages: Record<string, string | Buffer> = {
        '/sitemap.xml': sitemap(['https://example.com/?a=1&amp;b=2', 'https://example.com/b']),
        '/index.xml': `<sitemapindex><sitemap><loc>${site.url}/zipped.xml.gz</loc></sitemap></sitemapindex>`,
        '/zipped.xml.gz': gzipSync(sitemap(['https://example.com/zipped'])),
        '/robots.txt': robots,
        '/plain.txt': 'https://example.com/from-robots\n',
        '/torn-index.xml': `<sitemapindex><loc>${site.url}/none</loc><loc>${site.url}/page</loc><loc>${site.url}/zipped.xml.gz</loc></sitemapindex>`,
        '/many.xml': `<sitemapindex>${Array.from({ length: 24 }, (_, part) => `<loc>${site.url}/part.xml?${part + 1}</loc>`).join('')}</sitemapindex>`,
        '/long.xml': long,
        '/vast-index.xml': `<sitemapindex><loc>${site.url}/vast.xml.gz</loc></sitemapindex>`,
        '/vast.xml.gz': vast,
        '/page': '<title>A page</title>',
        '/private.xml': '',
      };
      const [path = '', part] = (req.url ?? '').split('?');
      if (path === '/part.xml') return void res.end(sitemap([`https://example.com/part-${part}`]));
      if (req.url === '/private.xml') res.writeHead(302, { Location: 'http://10.0.0.1/' });
      else res.writeHead(pages[req.url ?? ''] === undefined ? 404 : 200);
      res.end(pages[req.url ?? '']);
    });
    robots = `User-agent: *\nDisallow: /x\nSitemap: ${site.url}/index.xml\nsitemap:${site.url}/plain.txt\n`;
    service = await TestService.start();
    browser = await visit(service, await service.account(10));
  });

  after(async () => {
    Object.assign(deadlines, { sitemapMs });
    await service.stop();
    await site.close();
  });

  const linesOf = (text: string) => {
    const box = /<textarea[^>]*>([^<]*)<\/textarea>/.exec(text)?.[1] ?? '';
    return box.replaceAll('&amp;', '&').split('\n').filter(Boolean);
  };
  const read = async (path: string, fields = {}) => {
    const form = { check: 'sitemap', sitemap: `${site.url}${path}`, ...fields };
    const { status, text } = await browser.post('/', form);
    const problem = /role="alert">([^<]*)/.exec(text)?.[1] ?? null;
    return { status, problem, text, lines: linesOf(text) };
  };

  it('fills the box with its addresses, through an index and zipped ones', async () => {
    const plain = await read('/sitemap.xml');
    expect(plain.lines).to.deep.equal(['https://example.com/?a=1&b=2', 'https://example.com/b']);
    expect((await read('/index.xml')).lines).to.deep.equal(['https://example.com/zipped']);
  });

  it('takes what the box takes, and says what it left out, which one click adds', async () => {
    expect((await read('/long.xml')).lines).to.have.length(3000);
    const many = await read('/many.xml');
    expect(many.lines).to.have.length(19);
    expect(many.text)
      .to.contain('5 sitemaps were not read completely')
      .and.to.contain(`value="${site.url}/part.xml?24"`);
    const more = await browser.post('/', {
      read_sitemap: `${site.url}/part.xml?24`,
      text: 'https://typed.example/',
    });
    expect(linesOf(more.text)).to.deep.equal(['https://typed.example/', 'https://example.com/part-24']);
    const vast = await read('/vast-index.xml');
    expect(vast.lines).to.have.length(50_000);
    expect(vast.text).to.contain('Only the first 50,000 URLs fit.');
  });

  it('is found from the name of the site: by its robots.txt, or where sites usually have it', async () => {
    const host = site.url.replace('http://', '');
    const named = await read('', { sitemap: `http://${host}` });
    expect(named.lines).to.deep.equal(['https://example.com/zipped', 'https://example.com/from-robots']);
    robots = '';
    expect((await read('', { sitemap: `http://${host}/` })).lines).to.deep.equal([
      'https://example.com/?a=1&b=2',
      'https://example.com/b',
    ]);
    const byEnter = await browser.post('/', { check: 'read', sitemap: `http://${host}` });
    expect(linesOf(byEnter.text)).to.have.length(2);
  });

  it('is left in the index when it cannot be read, and the others are taken', async () => {
    const found = await read('/torn-index.xml');
    expect(found.lines).to.deep.equal(['https://example.com/zipped']);
    expect(found.text).to.contain('status 404').and.to.contain('This is not a sitemap.');
  });

  it('is refused in words when it is none, not there, or leads inside', async () => {
    expect(await read('/page')).to.include({ status: 422 });
    expect((await read('/page')).problem).to.contain('This is not a sitemap.');
    expect((await read('/nothing')).problem).to.contain('status 404');
    expect((await read('/private.xml')).problem).to.contain('target_not_allowed');
    const { text } = await browser.post('/', { check: 'sitemap', sitemap: 'http://192.168.0.1/sitemap.xml' });
    expect(text).to.contain('private or reserved');
  });
});

function sitemap(urls: string[]): string {
  return `<?xml version="1.0"?><urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;
}
