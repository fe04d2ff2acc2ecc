import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { deadlines } from '../../../../config/deadlines.ts';
import { alertIn, type FormClient, visit } from '../../../support/dashboard.ts';
import { freePort } from '../../../support/free-port.ts';
import { useService } from '../../../support/service.ts';
import { useSite } from '../../../support/web.ts';

describe('a sitemap in the form', () => {
  const service = useService();
  const vast = gzipSync(sitemap(Array.from({ length: 60_000 }, (_, n) => `https://example.com/vast-${n}`)));
  const long = sitemap(Array.from({ length: 3000 }, (_, number) => `https://example.com/${number}`));
  const site = useSite((req, res) => {
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
  let browser: FormClient;
  let robots = '';
  const { sitemapMs } = deadlines;

  before(async () => {
    // A busy machine gets enough time to read everything.
    Object.assign(deadlines, { sitemapMs: 20 * sitemapMs });
    robots = `User-agent: *\nDisallow: /x\nSitemap: ${site.url}/index.xml\nsitemap:${site.url}/plain.txt\n`;
    browser = await visit(service, await service.account(10));
  });

  after(() => Object.assign(deadlines, { sitemapMs }));

  const parseLines = (text: string) => {
    const box = /<textarea[^>]*>([^<]*)<\/textarea>/.exec(text)?.[1] ?? '';
    return box.replaceAll('&amp;', '&').split('\n').filter(Boolean);
  };
  const read = async (path: string, fields = {}) => {
    const form = { check: 'sitemap', sitemap: `${site.url}${path}`, ...fields };
    const { status, text } = await browser.post('/', form);
    return { status, problem: alertIn(text), text, lines: parseLines(text) };
  };

  it('fills the form with its URLs, also from an index and compressed files', async () => {
    const plain = await read('/sitemap.xml');
    expect(plain.lines).to.deep.equal(['https://example.com/?a=1&b=2', 'https://example.com/b']);
    expect((await read('/index.xml')).lines).to.deep.equal(['https://example.com/zipped']);
  });

  it('takes as many URLs as the form, and says what is left out and can be added with one click', async () => {
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
    expect(parseLines(more.text)).to.deep.equal(['https://typed.example/', 'https://example.com/part-24']);
    const vast = await read('/vast-index.xml');
    expect(vast.lines).to.have.length(50_000);
    expect(vast.text).to.contain('Only the first 50,000 URLs were read, because the limit is reached.');
  });

  it('is found from the name of the site: by robots.txt, or at the usual path', async () => {
    const host = site.url.replace('http://', '');
    const named = await read('', { sitemap: `http://${host}` });
    expect(named.lines).to.deep.equal(['https://example.com/zipped', 'https://example.com/from-robots']);
    robots = '';
    expect((await read('', { sitemap: `http://${host}/` })).lines).to.deep.equal([
      'https://example.com/?a=1&b=2',
      'https://example.com/b',
    ]);
    const byEnter = await browser.post('/', { check: 'read', sitemap: `http://${host}` });
    expect(parseLines(byEnter.text)).to.have.length(2);
  });

  it('listed in a robots.txt, pasted or chosen, is read with one click, and the others are offered', async () => {
    const listed = `User-agent: *\nSitemap: ${site.url}/sitemap.xml\nSitemap: ${site.url}/zipped.xml.gz\n`;
    const bytes = Buffer.from(listed).toString('base64');
    const sources: Array<Record<string, string>> = [
      { text: listed },
      { text: '', file_name: 'robots.txt', file_bytes: bytes },
    ];
    for (const source of sources) {
      const shown = await browser.post('/', { check: 'read', ...source });
      expect(shown.text).to.contain(`name="read_sitemap" value="${site.url}/zipped.xml.gz"`);
      const read = await browser.post('/', { read_sitemap: `${site.url}/sitemap.xml`, ...source });
      expect(parseLines(read.text)).to.deep.equal(['https://example.com/?a=1&b=2', 'https://example.com/b']);
      expect(read.text).to.contain(`name="read_sitemap" value="${site.url}/zipped.xml.gz"`);
      expect(read.text).not.to.contain('robots.txt');
    }
  });

  it('of an index is skipped when it cannot be read', async () => {
    const found = await read('/torn-index.xml');
    expect(found.lines).to.deep.equal(['https://example.com/zipped']);
    expect(found.text).to.contain('status 404').and.to.contain('This is not a sitemap.');
  });

  it('shows an error when it is missing, not a sitemap, or at a private address', async () => {
    expect(await read('/page')).to.include({ status: 422 });
    expect((await read('/page')).problem).to.contain('This is not a sitemap.');
    expect((await read('/nothing')).problem).to.contain(
      'The sitemap could not be read: the server answered with status 404. Check its URL.',
    );
    expect((await read('/private.xml')).problem).to.contain('private IP address, which is not contacted.');
    const port = await freePort();
    const refused = await browser.post('/', { check: 'sitemap', sitemap: `http://127.0.0.1:${port}/a.xml` });
    expect(refused.text).to.contain('The sitemap could not be read: the server refuses connections.');
    const { text } = await browser.post('/', { check: 'sitemap', sitemap: 'http://192.168.0.1/sitemap.xml' });
    expect(text).to.contain('its host is private');
  });
});

function sitemap(urls: string[]): string {
  return `<?xml version="1.0"?><urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;
}
