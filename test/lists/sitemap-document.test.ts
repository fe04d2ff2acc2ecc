import { mock } from 'node:test';
import { TextDecoder } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type DocumentOptions, readDocument, unpackedBytesMax } from '../../lists/sitemap-document.ts';

const site = 'https://shop.example';
const sitemaps = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const images = 'http://www.google.com/schemas/sitemap-image/1.1';
const urlset = (inner: string, attributes = sitemaps) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${attributes}>${inner}</urlset>\n`;
const url = (loc: string) => `<url><loc>${loc}</loc></url>`;
const products = 'http://base.google.com/ns/1.0';
const atom = 'xmlns="http://www.w3.org/2005/Atom"';

const read = (body: string | Uint8Array, options: Partial<DocumentOptions> = {}) =>
  readDocument(typeof body === 'string' ? Buffer.from(body) : body, {
    url: `${site}/folder/sitemap.xml`,
    format: 'sitemap',
    contentType: null,
    cut: null,
    max: { pages: 50_000, index: 50_000, characters: unpackedBytesMax },
    ...options,
  });
/** Number of first bytes, which are decoded twice: the second time with the encoding that they declare. */
const declarationBytes = 1024;

/** Parses a document, and counts the decoded bytes. */
async function readAndCount(...args: Parameters<typeof read>) {
  const decode = mock.method(TextDecoder.prototype, 'decode');
  const document = await read(...args);
  decode.mock.restore();
  const bytesRead = decode.mock.calls.reduce((sum, call) => sum + (call.arguments[0]?.byteLength ?? 0), 0);
  return { ...document, bytesRead };
}

const robots = (text: string | Uint8Array, options: Partial<DocumentOptions> = {}) =>
  read(text, { format: 'robots', url: `${site}/robots.txt`, ...options });

type Case = [what: string, body: string | Uint8Array, paths: string[]];

const kinds: Record<string, Case[]> = {
  'brackets in addresses': [
    ['in pairs', urlset(url(`${site}/a?f[0]=1&amp;f[1]=2`)), ['/a?f[0]=1&f[1]=2']],
    ['doubled', urlset(url(`${site}/a?x=]]`)), ['/a?x=]]']],
    ['alone', urlset(url(`${site}/[`)), ['/[']],
    ['of an IPv6 host', urlset(url('http://[2001:db8::1]/a')), ['http://[2001:db8::1]/a']],
    ['with what looks like the end of CDATA', urlset(url(`${site}/]]>`)), ['/]]>']],
  ],
  CDATA: [
    ['around an address', urlset(url(`<![CDATA[${site}/a?x[0]=1&y=2]]>`)), ['/a?x[0]=1&y=2']],
    ['in two sections', urlset(url(`<![CDATA[${site}/a]]><![CDATA[/b]]>`)), ['/a/b']],
    ['beside text', urlset(url(`${site}/<![CDATA[a&b]]>/c`)), ['/a&b/c']],
    ['with the end of a section in it', urlset(url(`<![CDATA[${site}/a]]]]><![CDATA[>b]]>`)), ['/a]]>b']],
    ['with what looks like an entity', urlset(url(`<![CDATA[${site}/?a&amp;b]]>`)), ['/?a&amp;b']],
    ['with white space around', urlset(url(`\n <![CDATA[ ${site}/a ]]>\n `)), ['/a']],
    ['with a tag in it', urlset(url(`<![CDATA[${site}/</loc>]]>`)), ['/</loc>']],
  ],
  entities: [
    ['decimal', urlset(url(`${site}/caf&#233;?a&#38;b`)), ['/café?a&b']],
    ['hexadecimal', urlset(url(`${site}/x&#x2F;y?a&#x26;b`)), ['/x/y?a&b']],
    ['in capitals and with zeros', urlset(url(`${site}/&#x00E9;&#00233;`)), ['/éé']],
    ['above 16 bits', urlset(url(`${site}/&#x1F600;`)), ['/😀']],
    ['of XML', urlset(url(`${site}/?&quot;&apos;&lt;&gt;&amp;`)), [`/?"'<>&`]],
    ['of HTML, unknown to XML', urlset(url(`${site}/&eacute;`)), ['/&eacute;']],
    ['twice encoded', urlset(url(`${site}/?a&amp;amp;b`)), ['/?a&amp;b']],
    ['none, a bare ampersand', urlset(url(`${site}/?a=1&b=2&`)), ['/?a=1&b=2&']],
    ['of no character', urlset(url(`${site}/&#xD800;&#x110000;&#0;`)), ['/\ufffd\ufffd\ufffd']],
    [
      'of a document type',
      `<!DOCTYPE urlset [<!ENTITY a "x>y"> <!ENTITY b "&a;&a;">]>${urlset(url(`${site}/&b;`))}`,
      ['/&b;'],
    ],
    [
      'with elements in a document type',
      `<!DOCTYPE a [<!ENTITY a "<urlset><url><loc>${site}/no</loc></url></urlset>">\n]>${urlset(url(`${site}/a`))}`,
      ['/a'],
    ],
  ],
  prefixes: [
    [
      'of every element',
      `<sm:urlset xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9"><sm:url><sm:loc>${site}/a</sm:loc></sm:url></sm:urlset>`,
      ['/a'],
    ],
    ['never declared', `<x:urlset><x:url><x:loc>${site}/a</x:loc></x:url></x:urlset>`, ['/a']],
    [
      'of images, whose loc is ignored',
      urlset(
        `<url><loc>${site}/a</loc><image:image><image:loc>${site}/no.jpg</image:loc></image:image></url>`,
        `${sitemaps} xmlns:image="${images}"`,
      ),
      ['/a'],
    ],
    [
      'of images beside the loc',
      urlset(`<url><i:loc>${site}/no</i:loc><loc>${site}/a</loc></url>`, `${sitemaps} xmlns:i="${images}"`),
      ['/a'],
    ],
    [
      'none, in another default namespace',
      urlset(`<url><loc>${site}/a</loc><image xmlns="${images}"><loc>${site}/no</loc></image></url>`),
      ['/a'],
    ],
    ['of a loc alone in another namespace', urlset(`<url><i:loc>${site}/no</i:loc></url>`), []],
  ],
  comments: [
    [
      'with a loc',
      urlset(`${url(`${site}/a`)}<!-- ${url(`${site}/no`)} -->${url(`${site}/b`)}`),
      ['/a', '/b'],
    ],
    ['within a loc', urlset(url(`${site}/a<!-- no -->b`)), ['/ab']],
    ['with an index', `<!-- <sitemapindex> -->${urlset(url(`${site}/a`))}`, ['/a']],
    ['longer than a piece', `<!-- ${'long '.repeat(50_000)}-->${urlset(url(`${site}/a`))}`, ['/a']],
    ['before the declaration', `<!-- first --><?xml version="1.0"?>${urlset(url(`${site}/a`))}`, ['/a']],
    ['with CDATA', urlset(`<!-- <![CDATA[ -->${url(`${site}/a`)}<!-- ]]> -->`), ['/a']],
    ['never closed', urlset(`${url(`${site}/a`)}<!-- ${url(`${site}/no`)}`), ['/a']],
    [
      'and within processing instructions',
      urlset(`<?note <loc>${site}/no</loc> ?>${url(`${site}/a`)}`),
      ['/a'],
    ],
  ],
  'attributes and spaces': [
    ['of a loc', urlset(`<url><loc xml:lang="en">${site}/a</loc></url>`), ['/a']],
    ['in single quotes and over lines', urlset(`<url\n><loc\n a='1>2'\t>${site}/a</loc\n></url >`), ['/a']],
    ['around the address', urlset(url(`\r\n\t ${site}/a \n`)), ['/a']],
    ['around the address, longer than a piece', urlset(url(`${' '.repeat(100_000)}${site}/a`)), ['/a']],
    ['of a loc that is empty', urlset(`<url><loc/><loc></loc><loc> </loc></url>${url(`${site}/a`)}`), ['/a']],
    [
      'beside other elements',
      urlset(`<url><lastmod>2026</lastmod><loc>${site}/a</loc><x>y</x></url>`),
      ['/a'],
    ],
    ['in capitals', `<URLSET><Url><LOC>${site}/a</LOC></Url></URLSET>`, ['/a']],
    ['within no url', urlset(`<loc>${site}/a</loc>`), ['/a']],
  ],
  'other text around': [
    ['a warning of PHP', `<br />\n<b>Warning</b>: x in <b>y</b><br>\n${urlset(url(`${site}/a`))}`, ['/a']],
    ['blank lines before', `\n\n  ${urlset(url(`${site}/a`))}`, ['/a']],
    ['a script after it', `${urlset(url(`${site}/a`))}<script>if (a < b) {}</script>`, ['/a']],
    ['ends that were never begun', urlset(`</url></p>${url(`${site}/a`)}`), ['/a']],
    ['a loc that is not closed', urlset(`<url><loc>${site}/a</url>${url(`${site}/b`)}`), ['/a', '/b']],
  ],
  feeds: [
    [
      'RSS',
      `<rss version="2.0"><channel><link>${site}/no</link><image><link>${site}/no</link></image><item><link>${site}/a</link></item><item><title/><link>${site}/b</link></item></channel></rss>`,
      ['/a', '/b'],
    ],
    [
      'RSS with links of Atom',
      `<rss xmlns:atom="http://www.w3.org/2005/Atom"><channel><atom:link href="${site}/no" rel="self"/><item><atom:link href="${site}/no"/><link><![CDATA[${site}/a?b&c]]></link></item></channel></rss>`,
      ['/a?b&c'],
    ],
    [
      'RSS 1.0',
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><link>${site}/no</link></channel><item><link>${site}/a</link></item></rdf:RDF>`,
      ['/a'],
    ],
    [
      'Atom',
      `<feed ${atom}><link href="${site}/no"/><entry><link href="${site}/a?b&amp;c&#38;d"/></entry></feed>`,
      ['/a?b&c&d'],
    ],
    [
      'Atom with links to other things',
      `<feed ${atom}><entry><link rel="edit" href="/no"/><link rel="alternate" href="/a"></link><link rel='enclosure' href='/no'/><source><link href="/no"/></source></entry></feed>`,
      ['/a'],
    ],
    [
      'products in RSS',
      `<rss xmlns:g="${products}"><channel><link>${site}</link><item><g:link>${site}/a?b&amp;c</g:link><g:image_link>${site}/no</g:image_link></item><item><link>${site}/a</link><g:link> ${site}/a</g:link></item><item><g:link>${site}/a</g:link></item></channel></rss>`,
      ['/a?b&c', '/a', '/a'],
    ],
    [
      'products in Atom',
      `<feed ${atom} xmlns:g="${products}"><link rel="self" href="${site}/no"/><entry><g:link>${site}/a</g:link></entry><entry><link href="b"/></entry></feed>`,
      ['/a', '/folder/b'],
    ],
    [
      'Atom with a prefix and relative links',
      `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:entry><a:link href="b"/></a:entry></a:feed>`,
      ['/folder/b'],
    ],
  ],
  'plain text': [
    ['with the ends of lines of Unix', `${site}/a\n${site}/b\n`, ['/a', '/b']],
    ['of Windows', `${site}/a\r\n${site}/b`, ['/a', '/b']],
    ['of old Macs', `${site}/a\r${site}/b\r`, ['/a', '/b']],
    ['with a byte order mark', `\ufeff${site}/a\n`, ['/a']],
    [
      'with other lines',
      `# pages\n\n ${site}/a \n/b\nftp://x/\n${site}/c d\nHTTPS://x.example/\n`,
      ['/a', 'HTTPS://x.example/'],
    ],
    [
      'over pieces',
      `${`${site}/${'a'.repeat(1000)}\n`.repeat(100)}${site}/b`,
      [...Array(100).fill(`/${'a'.repeat(1000)}`), '/b'],
    ],
  ],
  encodings: [
    ['UTF-8 with a mark', `\ufeff${urlset(url(`${site}/é`))}`, ['/é']],
    ['UTF-16, little end first', utf16(`\ufeff${urlset(url(`${site}/é`))}`), ['/é']],
    ['UTF-16, big end first', utf16(`\ufeff${urlset(url(`${site}/é`))}`).swap16(), ['/é']],
    ['UTF-16 without a mark', utf16(`<?xml version="1.0"?>${urlset(url(`${site}/é`))}`), ['/é']],
    ['UTF-16 without a mark, big end first', utf16(urlset(url(`${site}/é`))).swap16(), ['/é']],
    ['windows-1252', declared('windows-1252', 0xe9), ['/é']],
    ['windows-1251', declared('windows-1251', 0xe9), ['/й']],
    ['windows-1250', declared("windows-1250' standalone='yes", 0xe8, "'"), ['/č']],
    ['unknown', Buffer.from(urlset(url(`${site}/é`)).replace('UTF-8', 'nonsense')), ['/é']],
    ['UTF-16, declared wrongly', Buffer.from(urlset(url(`${site}/é`)).replace('UTF-8', 'UTF-16')), ['/é']],
    [
      'a mark against the declaration',
      Buffer.from(`\ufeff${urlset(url(`${site}/é`)).replace('UTF-8', 'windows-1252')}`),
      ['/é'],
    ],
    ['a plain text in UTF-16', utf16(`\ufeff${site}/é\r\n${site}/b`), ['/é', '/b']],
    ['packed', gzipSync(utf16(`\ufeff${urlset(url(`${site}/é`))}`)), ['/é']],
  ],
};

describe('a document of addresses', () => {
  for (const [kind, cases] of Object.entries(kinds)) {
    describe(`with ${kind}`, () => {
      for (const [what, body, paths] of cases) {
        it(what, async () => {
          const { addresses } = await read(body);
          expect(addresses).to.deep.equal(paths.map((path) => (path.startsWith('/') ? site + path : path)));
        });
      }
    });
  }

  it('uses the charset of its Content-Type by default', async () => {
    const body = Buffer.from(`${site}/caf\xe9\n`, 'latin1');
    const options = { contentType: 'text/plain; charset="ISO-8859-1"' };
    expect((await read(body, options)).addresses).to.deep.equal([`${site}/café`]);
  });

  it('is an index only by its root element', async () => {
    const index = (root: string, inner: string) => `<${root} ${sitemaps}>${inner}</${root}>`;
    const entry = `<sitemap><loc>${site}/1.xml</loc></sitemap>`;
    for (const [body, kind] of [
      [index('sitemapindex', entry), 'index'],
      [index('s:sitemapindex', entry.replaceAll(/<(\/?)/g, '<$1s:')), 'index'],
      [index('sitemapindex', `<loc>${site}/1.xml</loc>`), 'index'],
      [index('sitemapindex', ''), 'index'],
      [urlset(`<!-- <sitemapindex> -->${url(`${site}/a`)}`), 'pages'],
      [urlset(url('<![CDATA[<sitemapindex>]]>')), 'pages'],
      ['<html><body><loc>x</loc></body></html>', null],
      ['', null],
    ] as const) {
      expect((await read(body)).kind, body).to.equal(kind);
    }
  });

  it('keeps the complete entries if it ends early, and reports the end', async () => {
    const whole = urlset(url(`${site}/a`) + url(`${site}/b`));
    const packed = gzipSync(whole);
    const broken: Array<[string, string | Uint8Array, Partial<DocumentOptions>, string[]]> = [
      ['in an address', whole.slice(0, whole.indexOf('/b') + 1), {}, ['/a']],
      ['in a tag', whole.slice(0, whole.lastIndexOf('</loc>') + 3), {}, ['/a']],
      ['before the end of the root', whole.slice(0, whole.indexOf('</urlset')), {}, ['/a', '/b']],
      ['before anything', `<urlset ${sitemaps}>`, {}, []],
      ['in a gzip', gzipSync(whole.repeat(1)).subarray(0, packed.length - 9), {}, []],
      ['in a damaged gzip', damaged(), {}, ['/a', '/b']],
      ['on its way, as a plain text', `${site}/a\n${site}/b`, { cut: 'end' }, ['/a']],
    ];
    for (const [what, body, options, paths] of broken) {
      const { addresses, cut } = await read(body, options);
      expect(cut, what).to.equal('end');
      const kept = addresses.map((address) => address.replace(site, '')).slice(0, 2);
      if (what !== 'in a gzip') expect(kept, what).to.deep.equal(paths);
    }
    for (const body of [whole, packed, `${whole}<!-- never closed`, '<p>', `${site}/a`])
      expect((await read(body)).cut).to.equal(null);
  });

  it('is read to the end of its last gzip member, and the rest is ignored', async () => {
    const [one, two] = [gzipSync(`${site}/a\n`), gzipSync(`${site}/b`)];
    const whole: Array<[string, Buffer[]]> = [
      ['two members', [one, two]],
      ['an empty member', [one, gzipSync(''), two]],
      ['the end of a line of Windows', [one, two, Buffer.from('\r\n')]],
      ['zeros', [one, two, Buffer.alloc(1000)]],
      ['text', [one, two, Buffer.from('<!-- by a cache -->')]],
      ['half a magic number', [one, two, Buffer.from([0x1f])]],
      ['a name and an extra field', [headed(one, 0x0c, '\x02\0abname\0'), headed(two, 0x12, 'note\0\0\0')]],
    ];
    for (const [what, parts] of whole) {
      const { addresses, cut } = await read(Buffer.concat(parts));
      expect([addresses, cut], what).to.deep.equal([[`${site}/a`, `${site}/b`], null]);
    }
    const [all, lines] = [Buffer.concat([one, two]), `${site}/c\n`.repeat(10)];
    const broken: Array<[string, Uint8Array]> = [
      ['in the trailer', all.subarray(0, -3)],
      ['in the second member', all.subarray(0, one.length + 14)],
      ['in the header of the second', all.subarray(0, one.length + 5)],
      ['in a name', Buffer.concat([one, headed(two, 0x08, 'name').subarray(0, 14)])],
      ['in the first', gzipSync(lines).subarray(0, 20)],
      ['in its header', one.subarray(0, 5)],
    ];
    for (const [what, body] of broken) expect((await read(body)).cut, what).to.equal('end');
  });

  it('is read up to a thousand gzip members', async () => {
    const body = Buffer.concat(Array(5000).fill(gzipSync(`${site}/a\n`)));
    const { addresses, cut } = await read(body);
    expect([addresses.length, cut]).to.deep.equal([1000, 'end']);
  });

  it('is read up to the limit of entries', async () => {
    const many = urlset(url(`${site}/a`).repeat(200_000));
    for (const body of [many, gzipSync(many), `${site}/a\n`.repeat(400_000)]) {
      const max = { pages: 1000, index: 0, characters: unpackedBytesMax };
      const { addresses, cut, bytesRead } = await readAndCount(body, { max });
      expect([addresses.length, cut]).to.deep.equal([1000, 'entries']);
      expect(bytesRead).to.be.at.most(64 * 1024 + declarationBytes);
    }
    const deep = await readAndCount(
      many.replaceAll('urlset', 'sitemapindex').replaceAll('url>', 'sitemap>'),
      {
        max: { pages: 50_000, index: 0, characters: unpackedBytesMax },
      },
    );
    expect(deep).to.deep.include({ kind: 'index', addresses: [], cut: 'entries' });
    expect(deep.bytesRead).to.equal(64 * 1024 + declarationBytes);
  });

  it('is decompressed up to 16 MiB', async () => {
    const vast = gzipSync(
      `<urlset>${url(`${site}/a`)}${' '.repeat(40 * 1024 * 1024)}${url(`${site}/no`)}</urlset>`,
    );
    const { addresses, cut, bytesRead } = await readAndCount(vast);
    expect([addresses, cut]).to.deep.equal([[`${site}/a`], 'size']);
    expect(bytesRead).to.equal(unpackedBytesMax + declarationBytes);
  });

  it('with long absolute links is read up to the limit of characters', async () => {
    const links = `<feed ${atom}>${'<entry><link href="a"/></entry>'.repeat(50_000)}</feed>`;
    const max = { pages: 50_000, index: 0, characters: 100_000 };
    const options = { url: `${site}/${'p'.repeat(900)}/`, max };
    const { addresses, cut, bytesRead } = await readAndCount(links, options);
    expect(cut).to.equal('entries');
    expect(addresses.join('\n')).to.have.lengthOf.within(99_000, 100_000);
    expect(bytesRead).to.be.at.most(64 * 1024 + declarationBytes);
  });

  it('cuts a link whose absolute form is too long', async () => {
    const url = `${site}/${'\u4e00'.repeat(2000)}/`;
    const { addresses } = await read(`<feed><entry><link href="a"/></entry></feed>`, { url });
    expect(addresses[0]).to.have.lengthOf.within(2049, 4096);
  });

  it('can be a sitemap of 50,000 addresses', async () => {
    const pages = Array.from({ length: 50_000 }, (_, n) => `${site}/category/product-${n}`);
    for (const body of [
      urlset(pages.map(url).join('\n')),
      gzipSync(urlset(pages.map(url).join('\n'))),
      pages.join('\n'),
    ])
      expect(await read(body)).to.deep.include({ addresses: pages, cut: null });
  });

  it('cuts an address that is too long', async () => {
    const [address = ''] = (await read(urlset(url(`${site}/${'a'.repeat(1_000_000)}`)))).addresses;
    expect(address).to.have.lengthOf.within(2049, 4096);
  });
});

describe('links to hosts that DNS cannot hold', () => {
  const RealUrl = globalThis.URL;
  let parsed = 0;

  beforeEach(() => {
    parsed = 0;
    globalThis.URL = class extends RealUrl {
      static override parse(...args: Parameters<typeof RealUrl.parse>): URL | null {
        parsed += 1;
        return RealUrl.parse(...args);
      }
    };
  });
  afterEach(() => {
    globalThis.URL = RealUrl;
  });

  const letters = Array.from({ length: 2083 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('');
  const hosts = [
    `//${letters}%00/`,
    `http://${letters}%00/`,
    `HTTP:\\\\user:name@${letters}:80?`,
    `/\\${letters}`,
    `https:${letters.slice(0, 64)}.example/`,
    `http://${'ab.'.repeat(85)}example/`,
    // The URL parser ignores leading control characters.
    `\u0001http://${letters}%00/`,
    `\u001f//${letters}%00/`,
  ];

  it('are not parsed', async () => {
    for (const [n, host] of hosts.entries()) {
      expect((await robots(`Sitemap: ${host}`)).addresses, `${n}`).to.deep.equal([]);
      await read(`<feed><entry><link href="${host}"/></entry></feed>`);
      await read(`<feed><entry><link href="&#1;${host}"/></entry></feed>`);
      expect(parsed, `${n}`).to.equal(0);
    }
  });

  it('count as entries, and as characters', async () => {
    const text = `Sitemap:http://${letters}%00/\n`.repeat(1000);
    const few = await robots(text, { max: { pages: 0, index: 20, characters: unpackedBytesMax } });
    expect(few).to.deep.include({ addresses: [], cut: 'entries' });
    const short = await robots(text, { max: { pages: 0, index: 1000, characters: 50_000 } });
    expect(short).to.deep.include({ addresses: [], cut: 'entries' });
  });

  it('are not parsed after a limit is reached, like all other links', async () => {
    await robots('Sitemap: a\n'.repeat(5000), { max: { pages: 0, index: 20, characters: 1000 } });
    expect(parsed).to.equal(20);
  });
});

describe('the sitemaps in a robots.txt', () => {
  const cases: Array<[string, string | Uint8Array, string[]]> = [
    ['whatever the case', 'SITEMAP: /a.xml\nsitemap: /b.xml\nSiteMap:/c.xml', ['/a.xml', '/b.xml', '/c.xml']],
    [
      'relative or not',
      `Sitemap: a.xml\nSitemap: /b/c.xml\nSitemap: ${site}/d.xml`,
      ['/a.xml', '/b/c.xml', '/d.xml'],
    ],
    ['of another host', 'Sitemap: //cdn.example/a.xml', ['https://cdn.example/a.xml']],
    ['after a byte order mark', '\ufeffSitemap: /a.xml', ['/a.xml']],
    ['in UTF-16', utf16('\ufeffSitemap: /a.xml\r\n'), ['/a.xml']],
    [
      'with comments after them',
      'Sitemap: /a.xml # main\nSitemap: /b.xml#old\n#Sitemap: /no.xml',
      ['/a.xml', '/b.xml'],
    ],
    ['with spaces and tabs', ' \tSitemap\t : \t/a.xml \t\n', ['/a.xml']],
    [
      'with the ends of lines of old Macs',
      'User-agent: *\rSitemap: /a.xml\rSitemap: /b.xml',
      ['/a.xml', '/b.xml'],
    ],
    ['of Windows', 'User-agent: *\r\nDisallow: /\r\nSitemap: /a.xml\r\n', ['/a.xml']],
    ['and nothing else', 'Sitemap:\nDisallow: /sitemap: x\nXSitemap: /no\nAllow: /Sitemap: /no', []],
  ];
  for (const [what, text, paths] of cases) {
    it(what, async () => {
      const { addresses } = await robots(text);
      expect(addresses).to.deep.equal(paths.map((path) => (path.startsWith('/') ? site + path : path)));
    });
  }
});

function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le');
}

/** A sitemap with one non-ASCII byte, after a declaration. */
function declared(encoding: string, byte: number, quote = '"'): Buffer {
  const xml = `<?xml version=${quote}1.0${quote} encoding=${quote}${encoding}${quote}?><urlset>${url(`${site}/\0`)}</urlset>`;
  return Buffer.from(xml.replace('\0', String.fromCharCode(byte)), 'latin1');
}

/** A gzip with optional fields in its header. */
function headed(packed: Buffer, flags: number, fields: string): Buffer {
  const header = Buffer.from(packed.subarray(0, 10));
  header[3] = flags;
  return Buffer.concat([header, Buffer.from(fields, 'latin1'), packed.subarray(10)]);
}

/** A gzip whose first blocks are valid. */
function damaged(): Buffer {
  const noise = Array.from({ length: 50_000 }, (_, n) => (n * n * 7919).toString(36)).join(' ');
  const packed = gzipSync(`<urlset>${url(`${site}/a`)}${url(`${site}/b`)}<!--${noise}--></urlset>`);
  return Buffer.concat([
    packed.subarray(0, packed.length / 2),
    Buffer.alloc(1000),
    packed.subarray(packed.length / 2 + 1000),
  ]);
}
