import { expect } from 'chai';
import { HttpChecker } from '../../../checks/http/checker.ts';
import { NetworkHealth } from '../../../checks/http/network-health.ts';
import { CheckSlots } from '../../../checks/http/slots.ts';
import { readAddresses } from '../../../checks/sitemap/addresses.ts';
import { createDocumentThread } from '../../../checks/sitemap/document-thread.ts';
import { deadlines } from '../../../config/deadlines.ts';
import { createAddressPolicy } from '../../../net/address.ts';
import { createResolver } from '../../../net/resolver.ts';
import { refusal } from '../../support/records.ts';
import { serve, type TestSite } from '../../support/web.ts';

describe('the addresses of a sitemap that is read again and again', () => {
  let site: TestSite;
  const documents = createDocumentThread();
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
    site = await serve((req, res) => {
      if (req.url === '/slow.xml') passedMs = deadlines.sitemapMs;
      const part = (name: string) => `<sitemap><loc>${site.url}/${name}.xml</loc></sitemap>`;
      const page = `<urlset><url><loc>https://example.com${req.url}</loc></url></urlset>`;
      if (req.url === '/all.xml') res.end(`<sitemapindex>${part('a')}${part('b')}</sitemapindex>`);
      else if (req.url === '/late.xml') res.end(`<sitemapindex>${part('slow')}${part('b')}</sitemapindex>`);
      else if (req.url?.startsWith('/with-')) {
        res.end(`<sitemapindex>${part('a')}${part(req.url.slice('/with-'.length))}</sitemapindex>`);
      } else res.end(noSitemaps[req.url ?? ''] ?? page);
    });
    performance.now = () => realNow() + passedMs;
  });
  after(async () => {
    performance.now = realNow;
    await documents.close();
    await site.close();
  });

  const read = (path: string) => {
    const http = new HttpChecker({
      policy: createAddressPolicy(['127.0.0.0/8']),
      resolver: createResolver([]),
      slots: new CheckSlots({ limit: 5, hostLimit: 5 }),
      health: new NetworkHealth(async () => false),
      userAgent: 'test',
      timeoutMs: 60_000,
    });
    const { signal } = new AbortController();
    return readAddresses(`${site.url}${path}`, { http, documents, accountId: 1, signal });
  };

  it('are those of all that an index lists', async () => {
    expect(await read('/all.xml')).to.deep.equal(['https://example.com/a.xml', 'https://example.com/b.xml']);
  });

  for (const what of ['page', 'nothing', 'text', 'json']) {
    it(`are not told when a part of an index is no sitemap, with status 200: ${what}`, async () => {
      expect(await refusal(read(`/with-${what}`))).to.equal(
        'Part of the sitemap could not be read. This is not a sitemap.',
      );
    });
  }

  it('are those of the other parts of an index when one lists nothing', async () => {
    for (const what of ['known', 'feed'])
      expect(await read(`/with-${what}`)).to.deep.equal(['https://example.com/a.xml']);
  });

  it('are not told when the time ends before all of it is read: what is missing has not left', async () => {
    expect(await refusal(read('/late.xml'))).to.match(/Part of the sitemap could not be read/);
  });
});
