import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { cutToSize, type HttpStatusInput } from '../../../checks/http/http-status.ts';
import { presetUserAgents } from '../../../checks/http/user-agents.ts';
import { signalWeights } from '../../../checks/soft-404/weights.ts';
import type { HttpStatusAnswer } from '../../../schemas/http-status.ts';
import { encode } from '../../support/encode.ts';
import { checkTarget } from '../../support/target-tools.ts';
import { useSite } from '../../support/web.ts';

describe('checkHttpStatus', () => {
  const site = useSite((req, res) => answer(req, res));
  let answer: (req: IncomingMessage, res: ServerResponse) => void;

  async function check(path = '/', more: Partial<HttpStatusInput> = {}): Promise<HttpStatusAnswer> {
    const outcome = await checkTarget(site.url + path, { userAgent: 'Own/1' }, more);
    if (outcome.state !== 'success') throw new Error(outcome.error);
    return outcome.answer;
  }

  function page(html: string | Uint8Array, headers: Record<string, string | string[]> = {}): void {
    answer = (_req, res) => res.writeHead(200, { 'Content-Type': 'text/html', ...headers }).end(html);
  }

  it('reports the title and the canonical URL', async () => {
    page('<title>\n Red &amp; blue </title><link rel="canonical" href="/shoes?a=1"><p>Shoes.</p>');
    expect(await check('/red')).to.include({
      title: 'Red & blue',
      canonical: `${site.url}/shoes?a=1`,
      noindex: null,
    });
  });

  it('reports null for what the page lacks, or when nothing was read', async () => {
    page('<link rel="canonical" href="mailto:a@example.com"><p>Shoes.</p>');
    expect(await check()).to.include({ title: null, canonical: null, noindex: null });
    answer = (_req, res) => res.writeHead(200, { 'Content-Type': 'image/png' }).end('<title>No</title>');
    expect(await check()).to.include({ title: null, canonical: null, noindex: null });
    answer = (_req, res) => res.destroy();
    expect(await check()).to.include({ status: 0, title: null, canonical: null, noindex: null });
  });

  const link = (href: string, rel = 'canonical') => `<link rel="${rel}" href="${href}">`;
  for (const [what, html, path, headers = {}] of [
    // In the head.
    ['the first of several', `${link('/a')}${link('/b')}<p>x`, '/a'],
    ['the first with a URL', `<link rel=canonical>${link(' ')}${link('/b')}<p>x`, '/b'],
    ['one whose rel has spaces and other words', `${link('/a', ' canonical\n nofollow ')}<p>x`, '/a'],
    ['one in capitals', `<HEAD><LINK REL=CANONICAL HREF=/A></HEAD><p>x`, '/A'],
    ['one without a path, resolved', `${link('?b=1')}<p>x`, '/red/shoes?b=1'],
    ['one with entities', `${link('/a?b=1&amp;c=2')}<p>x`, '/a?b=1&c=2'],
    [
      'one behind noscript, scripts and metas',
      `<head><noscript><img src=a></noscript><script>a</script>
      <meta name=a><title>T</title>${link('/a')}</head><p>x`,
      '/a',
    ],
    ['one between head and body', `<head></head>${link('/a')}<body><p>x`, '/a'],
    // In the body, or not in the document.
    ['none in the body', `<head></head><body>${link('/a')}<p>x`, null],
    ['none behind text', `x${link('/a')}`, null],
    ['none behind an element of the body', `<head><title>T</title><div></div>${link('/a')}</head>`, null],
    [
      'none in a template, drawing or comment',
      `<template>${link('/a')}</template><!--${link('/b')}--><svg>${link('/c')}</svg>`,
      null,
    ],
    ['none whose rel only begins so', `${link('/a', 'canonicalish')}${link('/a', 'x-canonical')}<p>x`, null],
    // With a base.
    ['one of a base', `<base href="/shop/">${link('a')}<p>x`, '/shop/a'],
    [
      'one before its base',
      `${link('a')}<base target=_top><base href="/shop/"><base href="/no/"><p>x`,
      '/shop/a',
    ],
    ['one of a relative base', `<base href="../b/c">${link('a')}<p>x`, '/b/a'],
    ['one beside a base without a URL', `<base href="data:,x">${link('a')}<p>x`, '/red/a'],
    [
      'one beside the base of a template',
      `<template><base href="/no/"></template>${link('a')}<p>x`,
      '/red/a',
    ],
    // In a header.
    ['one of a header', '<p>x', '/h', { Link: '</h>; rel="canonical"' }],
    ['one of a header, relative and without quotes', '<p>x', '/red/h', { Link: '<h> ; REL = Canonical' }],
    [
      'one of a header with others',
      '<p>x',
      '/h',
      { Link: '</p>; rel=preload; as=style, </h>; title="a, <b>; rel=x"; rel="nofollow canonical"' },
    ],
    ['one of a second header', '<p>x', '/h', { Link: ['</p>; rel=preconnect', '</h>; rel=canonical'] }],
    ['that of the head before that of a header', `${link('/a')}<p>x`, '/a', { Link: '</h>; rel=canonical' }],
    [
      'that of a header when the one in the head is invalid',
      `${link('mailto:a')}<p>x`,
      '/h',
      { Link: '</h>; rel=canonical' },
    ],
    [
      'a header without the base of the page',
      '<base href=/shop/><p>x',
      '/red/h',
      { Link: '<h>; rel=canonical' },
    ],
    ['no header about another document', '<p>x', null, { Link: '</h>; rel=canonical; anchor="/other"' }],
    ['no header whose first rel is another', '<p>x', null, { Link: '</h>; rel=alternate; rel=canonical' }],
    ['no header that is broken', '<p>x', null, { Link: '</h; rel=canonical' }],
  ] as [what: string, html: string, path: string | null, headers?: Record<string, string | string[]>][]) {
    it(`takes as canonical URL ${what}`, async () => {
      page(html, headers);
      const { canonical } = await check('/red/shoes');
      expect(canonical).to.equal(path === null ? null : site.url + path);
    });
  }

  it('reports the canonical URL of a file', async () => {
    const headers = { 'Content-Type': 'application/pdf', Link: '</h>; rel=canonical' };
    page('%PDF-1.7', headers);
    expect(await check('/a.pdf')).to.include({ canonical: `${site.url}/h`, title: null });
  });

  const missing = `<title>Страница не найдена</title><h1>Страница не найдена</h1>
    <p>К сожалению, запрошенная страница не существует.</p>`;
  for (const [what, html, charset] of [
    ['declares its charset in the header', missing, '; charset=windows-1251'],
    ['does not declare its charset', missing, ''],
  ] as const) {
    it(`reads a page that ${what}`, async () => {
      page(encode(html, 'windows-1251'), { 'Content-Type': `text/html${charset}` });
      expect(await check('/gone')).to.include({
        title: 'Страница не найдена',
        is_soft404: true,
        soft404_checked: true,
      });
    });
  }

  it('neither judges nor quotes a page that cannot be decoded', async () => {
    const html = `<link rel=canonical href="/a"><meta name=robots content=noindex>${missing}`;
    page(encode(html, 'windows-1251'), { 'Content-Type': 'text/html; charset=utf-8' });
    expect(await check('/gone')).to.deep.include({
      status: 200,
      title: null,
      canonical: `${site.url}/a`,
      noindex: 'meta',
      is_soft404: false,
      soft404_checked: false,
      soft404_reasons: ['undecodable'],
    });
  });

  it('does not judge a long page whose text cannot be decoded', async () => {
    const prose =
      `<p>${'В гавани стоят корабли, и никто не знает, куда они пойдут завтра утром. '.repeat(3)}`.repeat(40);
    const headers = { 'Content-Type': 'text/html; charset=utf-8' };
    page(encode(`<title>Harbour</title><h1>Гавань</h1>${prose}`, 'windows-1251'), headers);
    expect(await check()).to.include({ title: 'Harbour', soft404_checked: false });
  });

  it('does not judge a body that is not text', async () => {
    const picture = Buffer.from(`89504e470d0a1a0a0000000d49484452${'0001'.repeat(20)}`, 'hex');
    page(Buffer.concat([Buffer.from('<title>Page not found</title>'), picture]));
    expect(await check()).to.deep.include({ title: null, soft404_checked: false, soft404_reasons: [] });
  });

  it('cuts long texts, and removes terminal escapes and bidirectional controls', async () => {
    const title = `a\u001b[31m\u202eb\u2066c\u200fd ${'é'.repeat(300)}`;
    page(`<meta charset="utf-8"><title>${title}</title><link rel="canonical" href="/${'x'.repeat(600)}">`);
    const found = await check();
    expect(found.title)
      .to.match(/^a \[31m b c d é+$/u)
      .and.to.have.length(200);
    expect(found.canonical).to.have.length(512);
  });

  for (const [header, noindex] of [
    ['noindex', 'header'],
    ['NoFollow, NoIndex', 'header'],
    ['none', 'header'],
    ['googlebot: noindex', 'header'],
    ['unavailable_after: 25 Jun 2010 15:00:00 PST, noindex', 'header'],
    ['otherbot: noindex, nofollow', null],
    ['otherbot: nofollow, googlebot: noindex', 'header'],
    ['max-snippet: 20, max-image-preview: none', null],
  ] as const) {
    it(`reads X-Robots-Tag: ${header}`, async () => {
      page('<p>Shoes.</p>', { 'X-Robots-Tag': header });
      expect((await check()).noindex).to.equal(noindex);
    });
  }

  it('reports the reasons for a soft 404, and none against it', async () => {
    const prose = 'The oldest lighthouse of the coast was built of granite and oak by two brothers. '.repeat(
      30,
    );
    page(`<title>Page not found</title><h1>Page not found</h1><h1>Our harbour</h1>
      <p>Sorry, the page you asked for was not found.</p><main><p>${prose}</p></main>`);
    const { is_soft404: isSoft404, soft404_reasons: reasons } = await check('/gone');
    expect(isSoft404).to.equal(true);
    expect(reasons).to.include('title_not_found').and.not.include('long_prose');
  });

  it('prefers the X-Robots-Tag header to the meta tag, and reads each of its lines', async () => {
    page('<meta name="robots" content="noindex"><p>Shoes.</p>');
    expect((await check()).noindex).to.equal('meta');
    page('<meta name="robots" content="noindex"><p>Shoes.</p>', {
      'X-Robots-Tag': ['otherbot: all', 'noindex'],
    });
    expect((await check()).noindex).to.equal('header');
    answer = (_req, res) =>
      res.writeHead(200, { 'Content-Type': 'application/pdf', 'X-Robots-Tag': 'noindex' }).end();
    expect((await check()).noindex).to.equal('header');
  });

  it('distinguishes a redirect loop from too many redirects, and from a URL that answers the second time', async () => {
    const sendTo = (location: string, res: ServerResponse) =>
      void res.writeHead(302, { Location: location }).end();
    answer = (req, res) => sendTo(req.url === '/a' ? '/b#again' : '/a', res);
    expect(await check('/a')).to.include({ status: 302, error: 'redirect_loop', redirect_count: 10 });
    answer = (req, res) => sendTo(`${req.url}x`, res);
    expect(await check('/a')).to.include({ status: 302, error: 'too_many_redirects', redirect_count: 10 });
    let asked = 0;
    answer = (_req, res) => (asked++ === 0 ? sendTo('/a', res) : void res.end());
    expect(await check('/a')).to.include({ status: 200, error: null, redirect_count: 1 });
  });

  it('keeps the first and last redirects of a long chain', async () => {
    answer = (req, res) => {
      const step = Number(req.url?.slice(1).split('?')[0]);
      if (step === 9) res.end();
      else res.writeHead(302, { Location: `/${step + 1}?${'x'.repeat(600)}` }).end();
    };
    const { redirects, redirects_cut: cut, redirect_count: count, ...rest } = await check('/0');
    expect(count).to.equal(9);
    expect(redirects).to.have.length(9 - (cut ?? 0));
    expect(redirects.map(({ url }) => Number(new URL(url).pathname.slice(1)))).to.deep.equal([
      0, 1, 2, 6, 7, 8,
    ]);
    expect(Buffer.byteLength(JSON.stringify({ ...rest, redirects }))).to.be.below(4096);
    expect(await check('/8')).not.to.have.property('redirects_cut');
  });

  it('serializes only answers that may be too long', async () => {
    answer = (_req, res) => void res.end();
    const none = { final_url: '', content_type: '', title: '', canonical: '' };
    const found = { ...(await check()), ...none, soft404_reasons: Object.keys(signalWeights) };
    // The length of the other fields is not checked, because they are short.
    expect(Buffer.byteLength(JSON.stringify(found))).to.be.below(1_000);
    for (const field of ['final_url', 'content_type', 'title', 'canonical']) {
      const long = (length: number) => ({ ...found, title: 'a', [field]: '\u0001'.repeat(length) });
      const others = field === 'title' ? 0 : 1;
      const [most, more] = [long(400 - others), long(401 - others)];
      expect(cutToSize(most), field).to.equal(most);
      expect(Buffer.byteLength(JSON.stringify(most)), field).to.be.below(4096);
      expect(cutToSize(more), field).not.to.equal(more);
    }
    const sent = { ...found, redirects: [{ url: `https://a/${'x'.repeat(600)}`, status: 301 }] };
    expect(cutToSize(sent).redirects[0]?.url).to.have.length(512);
  });

  it('sends its own User-Agent, or a borrowed one, on every hop', async () => {
    const names: (string | undefined)[] = [];
    answer = (req, res) => {
      names.push(req.headers['user-agent']);
      if (req.url === '/') res.writeHead(302, { Location: '/next' }).end();
      else res.end();
    };
    await check();
    await check('/', { userAgent: 'sonde' });
    await check('/', { userAgent: 'googlebot' });
    await check('/next', { userAgent: 'browser' });
    const { googlebot, browser } = presetUserAgents;
    expect(names).to.deep.equal(['Own/1', 'Own/1', 'Own/1', 'Own/1', googlebot, googlebot, browser]);
  });
});
