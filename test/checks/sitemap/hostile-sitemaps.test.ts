import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TextDecoder } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { HttpChecker } from '../../../checks/http/checker.ts';
import { NetworkHealth } from '../../../checks/http/network-health.ts';
import { CheckSlots } from '../../../checks/http/slots.ts';
import { createDocumentThread, type DocumentThread } from '../../../checks/sitemap/document-thread.ts';
import { readSitemap, type SitemapReading } from '../../../checks/sitemap/reader.ts';
import { deadlines } from '../../../config/deadlines.ts';
import { createAddressPolicy } from '../../../net/address.ts';
import { createResolver } from '../../../net/resolver.ts';
import {
  hostileBodies,
  hostileFeed,
  hostileHosts,
  hostileIndex,
  hostileRobots,
} from '../../support/hostile-sitemaps.ts';
import { serve, type TestSite } from '../../support/web.ts';

describe('sitemaps of strangers', () => {
  const { sitemapMs } = deadlines;
  const bodies = new Map<string, string | Buffer>();
  const asked: string[] = [];
  let site: TestSite;
  let documents: DocumentThread;
  let http: HttpChecker;

  before(async () => {
    // A busy machine is given the time to read all of it.
    Object.assign(deadlines, { sitemapMs: 20 * sitemapMs });
    documents = createDocumentThread();
    site = await serve((req, res) => {
      const path = req.url ?? '';
      asked.push(path);
      const body = bodies.get(path) ?? (path.startsWith('/index/') ? hostileIndex(site.url, path) : null);
      res.writeHead(body === null ? 404 : 200).end(body);
    });
    http = new HttpChecker({
      policy: createAddressPolicy(['127.0.0.0/8']),
      resolver: createResolver([]),
      slots: new CheckSlots({ limit: 5, hostLimit: 5 }),
      health: new NetworkHealth(async () => false),
      userAgent: 'test',
      timeoutMs: 60_000,
    });
  });

  beforeEach(() => {
    asked.length = 0;
    bodies.clear();
  });

  after(async () => {
    Object.assign(deadlines, { sitemapMs });
    await documents.close();
    await site.close();
  });

  const read = (path: string): Promise<SitemapReading> => {
    const { signal } = new AbortController();
    const request = { http, documents, accountId: 1, signal, countMax: 100_000 };
    return readSitemap(`${site.url}${path}`, request);
  };
  const sitemapsAt = (paths: string[]) =>
    paths.map((path) => `<sitemap><loc>${site.url}${path}</loc></sitemap>`).join('');
  const refused = (path: string): Promise<string> =>
    read(path).then(
      () => 'read',
      (error: Error) => error.message,
    );

  it('that name 250,000 others in robots.txt: twenty are fetched, two hundred reported', async () => {
    bodies.set('/robots.txt', hostileRobots(site.url));
    for (let n = 0; n < 1000; n++) bodies.set(`/index/1/${n}`, `${site.url}/page-${n}`);
    const { addresses, left } = await read('/');
    expect(addresses).to.have.lengthOf(20);
    expect(left).to.have.lengthOf(200);
    expect(asked).to.have.lengthOf(21);
  });

  it('that are named in robots.txt by hosts that DNS cannot hold: the usual places are asked', async () => {
    bodies.set('/robots.txt', hostileHosts());
    bodies.set('/sitemap.xml', `${site.url}/a`);
    expect((await read('/')).addresses).to.deep.equal([`${site.url}/a`]);
    expect(asked).to.deep.equal(['/robots.txt', '/sitemap.xml']);
  });

  it('that are indexes of 50,000 indexes, eight deep and more: twenty are fetched', async () => {
    expect(await refused('/index/1/0')).to.equal('Indexes are read two levels deep.');
    expect(asked).to.have.lengthOf(20);
    expect(asked.filter((path) => /^\/index\/[4-9]/.test(path))).to.deep.equal([]);
  });

  it('that name each other, or themselves, are fetched once', async () => {
    const entry = (name: string) => `<sitemap><loc>${site.url}/${name}</loc></sitemap>`;
    bodies.set('/a', `<sitemapindex>${entry('a')}${entry('b')}${entry('b')}</sitemapindex>`);
    bodies.set('/b', `<sitemapindex>${entry('a')}${entry('b')}</sitemapindex>`);
    expect(await refused('/a')).to.match(/no URLs/);
    expect(asked).to.deep.equal(['/a', '/b']);
  });

  for (const [what, make] of Object.entries(hostileBodies)) {
    it(`with ${what}: read to their limit, by the thread`, async () => {
      bodies.set('/one.xml', make());
      // The first thing that reading does. Each thread has a decoder of its own.
      const decode = mock.method(TextDecoder.prototype, 'decode');
      const said = await refused('/one.xml');
      decode.mock.restore();
      expect(said).to.match(/^(The sitemap contains no URLs|This is not a sitemap|Only the first 0 URLs)/);
      expect(asked).to.deep.equal(['/one.xml']);
      expect(decode.mock.callCount(), 'on this thread').to.equal(0);
    });
  }

  it('do not make another account wait for all of one account', async () => {
    const vast = hostileBodies['a million empty locs']?.() ?? '';
    for (let n = 0; n < 10; n++) bodies.set(`/vast-${n}.xml`, vast);
    bodies.set('/small.xml', `<urlset><url><loc>${site.url}/a</loc></url></urlset>`);
    const ended: string[] = [];
    const readAs = (accountId: number, path: string) => {
      const { signal } = new AbortController();
      const options = {
        url: '',
        format: 'sitemap',
        contentType: null,
        cut: null,
        max: { pages: 9, index: 9, characters: 999 },
      } as const;
      return documents
        .read(Buffer.from(bodies.get(path) ?? ''), options, { accountId, signal })
        .then(() => void ended.push(`${accountId}`));
    };
    await Promise.all([
      ...Array.from({ length: 5 }, (_, n) => readAs(1, `/vast-${n}.xml`)),
      readAs(2, '/small.xml'),
    ]);
    // One is being read when the other account comes, and one was next.
    expect(ended.indexOf('2')).to.be.at.most(2);
  });

  it('found at a long address, with short links, are read up to 7 MiB of addresses', async () => {
    const path = `/${'p'.repeat(1900)}/feed`;
    bodies.set('/index.xml', `<sitemapindex>${sitemapsAt([path, `${path}?2`])}</sitemapindex>`);
    for (const each of [path, `${path}?2`]) bodies.set(each, hostileFeed());
    const { addresses, left } = await read('/index.xml');
    expect(addresses.join('\n').length).to.be.within(7e6, 7 * 1024 * 1024);
    expect(left[0]?.why).to.match(/^Only the first 3,\d+ URLs fit/);
  });

  it('that are still being read when their reader gave up are read no more', async () => {
    let threads = 0;
    const count = () => {
      threads += 1;
    };
    const own = createDocumentThread();
    process.on('worker', count);
    const vast = hostileBodies['a million entities']?.() ?? Buffer.alloc(0);
    const options = {
      url: '',
      format: 'sitemap',
      contentType: null,
      cut: null,
      max: { pages: 9, index: 9, characters: 999 },
    } as const;
    const start = (accountId: number, body: Buffer) => {
      const given = new AbortController();
      const reading = own.read(body, options, { accountId, signal: given.signal });
      return {
        given,
        ended: reading.then(
          ({ kind }) => kind,
          ({ code }) => code,
        ),
      };
    };
    const small = () => Buffer.from(`<urlset><url><loc>${site.url}/a</loc></url></urlset>`);
    expect(await start(1, small()).ended).to.equal('pages');
    for (let n = 1; n <= 3; n++) {
      const first = start(1, Buffer.from(vast));
      const other = start(2, small());
      await nextTurn();
      first.given.abort();
      expect(await first.ended).to.equal('aborted');
      expect(await other.ended).to.equal('pages');
      expect(threads).to.equal(1 + n);
    }
    // A thread that is still starting is not ended.
    const late = [start(1, Buffer.from(vast)), start(1, Buffer.from(vast))];
    await nextTurn();
    late[0]?.given.abort();
    await late[0]?.ended;
    late[1]?.given.abort();
    expect(await late[1]?.ended).to.equal('aborted');
    expect(await start(1, small()).ended).to.equal('pages');
    expect(threads).to.equal(5);
    process.off('worker', count);
    await own.close();
  });

  it('that are honest are read: 50,000 addresses, packed or not, and twenty such of an index', async () => {
    const pages = (part: number) =>
      Array.from(
        { length: 50_000 },
        (_, n) =>
          `<url><loc>${site.url}/category/${part}/product-${n}</loc><lastmod>2026-11-27</lastmod></url>`,
      );
    const sitemap = (part: number, count = 50_000) =>
      `<?xml version="1.0"?><urlset>${pages(part).slice(0, count).join('\n')}</urlset>`;
    bodies.set('/plain.xml', sitemap(0));
    bodies.set('/packed.xml.gz', gzipSync(sitemap(0)));
    expect(Buffer.byteLength(sitemap(0))).to.be.greaterThan(4 * 1024 * 1024);
    for (const path of ['/plain.xml', '/packed.xml.gz']) {
      const { addresses, left, isFaulty } = await read(path);
      expect([addresses.length, left, isFaulty], path).to.deep.equal([50_000, [], false]);
    }
    for (let part = 0; part < 19; part++) bodies.set(`/${part}.xml`, sitemap(part, 2000));
    const entries = Array.from(
      { length: 19 },
      (_, part) => `<sitemap><loc>${site.url}/${part}.xml</loc></sitemap>`,
    );
    bodies.set('/index.xml', `<sitemapindex>${entries.join('')}</sitemapindex>`);
    const { addresses, left } = await read('/index.xml');
    expect([addresses.length, left]).to.deep.equal([38_000, []]);
  });

  it('that break off on the way are told from those that end', async () => {
    const text = `${site.url}/a\n${site.url}/b`;
    const torn = await serve((_req, res) => {
      res.writeHead(200, { 'Content-Length': 1000 }).write(text);
      setTimeout(() => res.destroy(), 50);
    });
    const { signal } = new AbortController();
    const request = { http, documents, accountId: 1, signal, countMax: 100 };
    const { addresses, left, isFaulty } = await readSitemap(`${torn.url}/a.txt`, request);
    await torn.close();
    expect([addresses, isFaulty]).to.deep.equal([[`${site.url}/a`], true]);
    expect(left[0]?.why).to.match(/damaged or incomplete/);
  });

  it('whose coding breaks off in an answer that is whole are told from those that end', async () => {
    const lines = Array.from({ length: 500 }, (_, n) => `${site.url}/${n * 7919}`);
    const packed = gzipSync(lines.join('\n'));
    const torn = await serve((_req, res) => {
      res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(packed.subarray(0, packed.length / 2));
    });
    const { signal } = new AbortController();
    const request = { http, documents, accountId: 1, signal, countMax: 1000 };
    const { addresses, left, isFaulty } = await readSitemap(`${torn.url}/a.txt`, request);
    await torn.close();
    expect(addresses).to.deep.equal(lines.slice(0, addresses.length));
    expect(isFaulty).to.equal(true);
    expect(left[0]?.why).to.match(/damaged or incomplete/);
  });
});
