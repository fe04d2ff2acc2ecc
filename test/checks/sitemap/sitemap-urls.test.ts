import { expect } from 'chai';
import { createDocumentThreads } from '../../../checks/sitemap/document-thread.ts';
import { readSitemapUrls } from '../../../checks/sitemap/reader.ts';
import { deadlines } from '../../../config/deadlines.ts';
import { refusal } from '../../support/records.ts';
import { createTestChecker } from '../../support/target-tools.ts';
import { useSite } from '../../support/web.ts';

describe('the URLs of a sitemap that a monitor reads', () => {
  const site = useSite((req, res) => {
    if (req.url === '/slow.xml') passedMs = deadlines.sitemapMs;
    const part = (name: string) => `<sitemap><loc>${site.url}/${name}.xml</loc></sitemap>`;
    const page = `<urlset><url><loc>https://example.com${req.url}</loc></url></urlset>`;
    if (req.url === '/all.xml') res.end(`<sitemapindex>${part('a')}${part('b')}</sitemapindex>`);
    else if (req.url === '/late.xml') res.end(`<sitemapindex>${part('slow')}${part('b')}</sitemapindex>`);
    else if (req.url?.startsWith('/with-')) {
      res.end(`<sitemapindex>${part('a')}${part(req.url.slice('/with-'.length))}</sitemapindex>`);
    } else res.end(noSitemaps[req.url ?? ''] ?? page);
  });
  const documents = createDocumentThreads();
  const noSitemaps: Record<string, string> = {
    '/page.xml': '<!doctype html><html><body>Maintenance</body></html>',
    '/nothing.xml': '',
    '/text.xml': 'We are away for a moment.',
    '/json.xml': '{"error":1}',
    '/known.xml': '<urlset></urlset>',
    '/feed.xml': '<rss><channel/></rss>',
  };
  let passedMs = 0;
  const realNow = performance.now.bind(performance);

  before(async () => {
    performance.now = () => realNow() + passedMs;
  });
  after(async () => {
    performance.now = realNow;
    await documents.close();
  });

  const read = (path: string) => {
    const { signal } = new AbortController();
    const request = { http: createTestChecker(), documents, accountId: 1, signal };
    return readSitemapUrls(`${site.url}${path}`, request);
  };

  it('are those of all sitemaps in an index', async () => {
    expect(await read('/all.xml')).to.deep.equal(['https://example.com/a.xml', 'https://example.com/b.xml']);
  });

  for (const what of ['page', 'nothing', 'text', 'json']) {
    it(`cannot be read if a part of an index answers 200 without a sitemap: ${what}`, async () => {
      expect(await refusal(read(`/with-${what}`))).to.equal(
        'Part of the sitemap could not be read. This is not a sitemap.',
      );
    });
  }

  it('are those of the other parts of an index if one part is empty', async () => {
    for (const what of ['known', 'feed'])
      expect(await read(`/with-${what}`)).to.deep.equal(['https://example.com/a.xml']);
  });

  it('cannot be read after the deadline, since missing URLs would look removed', async () => {
    expect(await refusal(read('/late.xml'))).to.match(/Part of the sitemap could not be read/);
  });
});
