import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TextDecoder } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createDocumentThreads, type DocumentThreads } from '../../../checks/sitemap/document-thread.ts';
import { readSitemap, type SitemapReading } from '../../../checks/sitemap/reader.ts';
import { deadlines } from '../../../config/deadlines.ts';
import { readDocument } from '../../../lists/sitemap-document.ts';
import { TextWindow } from '../../../lists/text-window.ts';
import {
  hostileBodies,
  hostileFeed,
  hostileHosts,
  hostileIndex,
  hostileRobots,
} from '../../support/hostile-sitemaps.ts';
import { createTestChecker } from '../../support/target-tools.ts';
import { serve, useSite } from '../../support/web.ts';
import { countWork } from '../../support/work.ts';

describe('hostile sitemaps', () => {
  const { sitemapMs } = deadlines;
  const bodies = new Map<string, string | Buffer>();
  const asked: string[] = [];
  const site = useSite((req, res) => {
    const path = req.url ?? '';
    asked.push(path);
    const body = bodies.get(path) ?? (path.startsWith('/index/') ? hostileIndex(site.url, path) : null);
    res.writeHead(body === null ? 404 : 200).end(body);
  });
  let documents: DocumentThreads;
  const http = createTestChecker();

  before(async () => {
    // A busy machine needs more time to read the whole sitemap.
    Object.assign(deadlines, { sitemapMs: 20 * sitemapMs });
    documents = createDocumentThreads();
  });

  beforeEach(() => {
    asked.length = 0;
    bodies.clear();
  });

  after(async () => {
    Object.assign(deadlines, { sitemapMs });
    await documents.close();
  });

  const read = (path: string, { url } = site): Promise<SitemapReading> => {
    const { signal } = new AbortController();
    return readSitemap(url + path, { http, documents, accountId: 1, signal, countMax: 100_000 });
  };
  const options = {
    ...({ url: '', format: 'sitemap', contentType: null, cut: null } as const),
    max: { pages: 9, index: 9, characters: 999 },
  };
  const sitemapsAt = (paths: string[]) =>
    paths.map((path) => `<sitemap><loc>${site.url}${path}</loc></sitemap>`).join('');
  const refused = (path: string): Promise<string> =>
    read(path).then(
      () => 'read',
      (error: Error) => error.message,
    );

  it('in a robots.txt that lists 250,000: twenty are fetched, two hundred reported', async () => {
    bodies.set('/robots.txt', hostileRobots(site.url));
    for (let n = 0; n < 1000; n++) bodies.set(`/index/1/${n}`, `${site.url}/page-${n}`);
    const { addresses, unread } = await read('/');
    expect(addresses).to.have.lengthOf(20);
    expect(unread).to.have.lengthOf(200);
    expect(asked).to.have.lengthOf(21);
  });

  it('in a robots.txt of more than 1 MiB: only the first MiB is read', async () => {
    const comments = '# nothing\n'.repeat(110_000);
    bodies.set('/robots.txt', `Sitemap: /early\n${comments}Sitemap: /late\n`);
    bodies.set('/early', `${site.url}/a`);
    bodies.set('/late', `${site.url}/b`);
    expect((await read('/')).addresses).to.deep.equal([`${site.url}/a`]);
    expect(asked).to.deep.equal(['/robots.txt', '/early']);
  });

  it('in a robots.txt with hosts that DNS cannot hold: the default locations are requested', async () => {
    bodies.set('/robots.txt', hostileHosts());
    bodies.set('/sitemap.xml', `${site.url}/a`);
    expect((await read('/')).addresses).to.deep.equal([`${site.url}/a`]);
    expect(asked).to.deep.equal(['/robots.txt', '/sitemap.xml']);
  });

  it('at a default location are not reported when a later location has one that can be read', async () => {
    bodies.set('/sitemap.xml', '<!doctype html><html><body>Maintenance</body></html>');
    bodies.set('/sitemap_index.xml', `${site.url}/a`);
    expect(await read('/')).to.deep.include({ addresses: [`${site.url}/a`], unread: [] });
  });

  it('that are indexes of 50,000 indexes at any depth: twenty are fetched', async () => {
    expect(await refused('/index/1/0')).to.equal('Indexes are read two levels deep.');
    expect(asked).to.have.lengthOf(20);
    expect(asked.filter((path) => /^\/index\/[4-9]/.test(path))).to.deep.equal([]);
  });

  it('that list each other, or themselves, are fetched once', async () => {
    bodies.set('/a', `<sitemapindex>${sitemapsAt(['/a', '/b', '/b'])}</sitemapindex>`);
    bodies.set('/b', `<sitemapindex>${sitemapsAt(['/a', '/b'])}</sitemapindex>`);
    expect(await refused('/a')).to.match(/no URLs/);
    expect(asked).to.deep.equal(['/a', '/b']);
  });

  for (const [what, make] of Object.entries(hostileBodies)) {
    it(`with ${what}: a thread reads them`, async () => {
      bodies.set('/one.xml', make(1));
      // Reading a sitemap starts with decoding, and each thread has its own decoder.
      const decode = mock.method(TextDecoder.prototype, 'decode');
      const said = await refused('/one.xml');
      decode.mock.restore();
      expect(said).to.match(/^(The sitemap contains no URLs|This is not a sitemap|Only the first 0 URLs)/);
      expect(asked).to.deep.equal(['/one.xml']);
      expect(decode.mock.callCount(), 'on this thread').to.equal(0);
    });
  }

  it('of almost 16 MiB are read to the end', async () => {
    bodies.set('/one.xml', hostileBodies['a million entities']?.() ?? '');
    expect(await refused('/one.xml')).to.match(/damaged or incomplete/);
  });

  it('take work in proportion to their length', async () => {
    const { slice } = TextWindow.prototype;
    let sliced = 0;
    TextWindow.prototype.slice = function (...part) {
      const text = slice.apply(this, part);
      sliced += text.length;
      return text;
    };
    try {
      for (const [what, make] of Object.entries(hostileBodies)) {
        const body = make(1);
        sliced = 0;
        const decode = mock.method(TextDecoder.prototype, 'decode');
        const [{ unitsRead }] = await countWork(() => readDocument(body, options));
        decode.mock.restore();
        const length = decode.mock.calls.reduce((sum, call) => sum + (call.arguments[0]?.byteLength ?? 0), 0);
        expect(length, what).to.be.at.least(1024 * 1024);
        // A reader that reads all earlier pieces of 64 KiB again would read each byte eight times.
        expect(unitsRead / length, what).to.be.below(5);
        expect(sliced / length, what).to.be.below(2);
      }
    } finally {
      TextWindow.prototype.slice = slice;
    }
  });

  it('of one account do not delay another account', async () => {
    const vast = hostileBodies['a million empty locs']?.(2) ?? '';
    for (let n = 0; n < 10; n++) bodies.set(`/vast-${n}.xml`, vast);
    bodies.set('/small.xml', `<urlset><url><loc>${site.url}/a</loc></url></urlset>`);
    const ended: string[] = [];
    const readAs = (accountId: number, path: string) => {
      const { signal } = new AbortController();
      return documents
        .read(Buffer.from(bodies.get(path) ?? ''), options, { accountId, signal })
        .then(() => void ended.push(`${accountId}`));
    };
    await Promise.all([
      ...Array.from({ length: 5 }, (_, n) => readAs(1, `/vast-${n}.xml`)),
      readAs(2, '/small.xml'),
    ]);
    // When the other account starts, one sitemap is being read, and another is next.
    expect(ended.indexOf('2')).to.be.at.most(2);
  });

  it('at a long URL, with short links, are read up to 7 MiB of URLs', async () => {
    const path = `/${'p'.repeat(1900)}/feed`;
    bodies.set('/index.xml', `<sitemapindex>${sitemapsAt([path, `${path}?2`])}</sitemapindex>`);
    for (const each of [path, `${path}?2`]) bodies.set(each, hostileFeed());
    const { addresses, unread } = await read('/index.xml');
    expect(addresses.join('\n').length).to.be.within(7e6, 7 * 1024 * 1024);
    expect(unread[0]?.why).to.match(/^Only the first 3,\d+ URLs were read, because the limit is reached/);
  });

  it('are read no further when their reader aborts', async () => {
    let threads = 0;
    const count = () => {
      threads += 1;
    };
    const own = createDocumentThreads();
    process.on('worker', count);
    const vast = hostileBodies['a million entities']?.() ?? Buffer.alloc(0);
    const start = (accountId: number, body: Buffer) => {
      const aborting = new AbortController();
      const ended = own.read(body, options, { accountId, signal: aborting.signal }).then(
        ({ kind }) => kind,
        ({ code }) => code,
      );
      return { abort: () => aborting.abort(), ended };
    };
    const small = () => Buffer.from(`<urlset><url><loc>${site.url}/a</loc></url></urlset>`);
    expect(await start(1, small()).ended).to.equal('pages');
    for (let n = 1; n <= 3; n++) {
      const first = start(1, Buffer.from(vast));
      const other = start(2, small());
      await nextTurn();
      first.abort();
      expect(await first.ended).to.equal('aborted');
      expect(await other.ended).to.equal('pages');
      expect(threads).to.equal(1 + n);
    }
    // A thread that is still starting is not terminated.
    const late = [start(1, Buffer.from(vast)), start(1, Buffer.from(vast))];
    await nextTurn();
    late[0]?.abort();
    await late[0]?.ended;
    late[1]?.abort();
    expect(await late[1]?.ended).to.equal('aborted');
    expect(await start(1, small()).ended).to.equal('pages');
    expect(threads).to.equal(5);
    process.off('worker', count);
    await own.close();
  });

  it('that are valid are read: 50,000 URLs, compressed or not, and twenty sitemaps of an index', async () => {
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
      const { addresses, unread, isFaulty } = await read(path);
      expect([addresses.length, unread, isFaulty], path).to.deep.equal([50_000, [], false]);
    }
    for (let part = 0; part < 19; part++) bodies.set(`/${part}.xml`, sitemap(part, 2000));
    const parts = Array.from({ length: 19 }, (_, part) => `/${part}.xml`);
    bodies.set('/index.xml', `<sitemapindex>${sitemapsAt(parts)}</sitemapindex>`);
    const { addresses, unread } = await read('/index.xml');
    expect([addresses.length, unread]).to.deep.equal([38_000, []]);
  });

  it('that break off are reported as damaged', async () => {
    const text = `${site.url}/a\n${site.url}/b`;
    const torn = await serve((_req, res) => {
      res.writeHead(200, { 'Content-Length': 1000 }).write(text);
      setTimeout(() => res.destroy(), 50);
    });
    const { addresses, unread, isFaulty } = await read('/a.txt', torn);
    await torn.close();
    expect([addresses, isFaulty]).to.deep.equal([[`${site.url}/a`], true]);
    expect(unread[0]?.why).to.match(/damaged or incomplete/);
  });

  it('whose compressed data breaks off are reported as damaged', async () => {
    const lines = Array.from({ length: 500 }, (_, n) => `${site.url}/${n * 7919}`);
    const packed = gzipSync(lines.join('\n'));
    const torn = await serve((_req, res) => {
      res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(packed.subarray(0, packed.length / 2));
    });
    const { addresses, unread, isFaulty } = await read('/a.txt', torn);
    await torn.close();
    expect(addresses).to.deep.equal(lines.slice(0, addresses.length));
    expect(isFaulty).to.equal(true);
    expect(unread[0]?.why).to.match(/damaged or incomplete/);
  });
});
