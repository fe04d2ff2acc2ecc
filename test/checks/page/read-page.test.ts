import { expect } from 'chai';
import type { Page } from '../../../checks/page/page.ts';
import { pageCharsMax, type ReadingDecision, readPage } from '../../../checks/page/read-page.ts';
import { filled } from '../../support/worst-pages.ts';

describe('readPage', () => {
  it('finds title, social title, canonical, robots and refresh in the head', () => {
    const page = readPage(`<!doctype html><html><head><title> A &amp; B\n page </title>
      <meta property="og:title" content="Shared"><meta name="robots" content="NOINDEX, follow">
      <meta http-equiv="refresh" content="5; url=/home"><link rel="canonical" href="/a"></head><body></body></html>`);
    expect(page).to.include({
      title: 'A & B page',
      ogTitle: 'Shared',
      canonical: '/a',
      isNoindex: true,
      refresh: '/home',
    });
  });

  it('takes the first title, and none inside a drawing', () => {
    const page = readPage('<svg><title>Logo</title></svg><title>Page</title><title>Second</title><p>x</p>');
    expect(page.title).to.equal('Page');
  });

  it('lists headings in order, and separates words at boxes and breaks inside them', () => {
    const page = readPage('<h1><span>404</span><div>Not<br>found</div></h1><h4>four</h4><h2>two</h2>');
    expect(page.headings.map(({ level, text }) => [level, text])).to.deep.equal([
      [1, '404 Not found'],
      [2, 'two'],
    ]);
  });

  it('joins digits that style sheets set apart, but keeps words separate', () => {
    expect(readPage('<p><b>4</b><b>0</b><b>4</b></p>').mainText).to.equal('404');
    expect(readPage('<p><span>404</span><span>Page</span><i>Back</i></p>').mainText).to.equal(
      '404 Page Back',
    );
    expect(readPage('<p>W<i>ord</i></p>').mainText).to.equal('Word');
  });

  it('takes the main text from <main>, or from outside of nav, header, footer and aside', () => {
    const frame = '<header>Logo</header><nav>Menu</nav>';
    expect(readPage(`${frame}<main><header>Head</header>Body</main><footer>Foot</footer>`).mainText).to.equal(
      'Head\nBody',
    );
    expect(readPage(`${frame}<div>Body</div><aside>Aside</aside>`).mainText).to.equal('Body');
    expect(readPage(`${frame}<div id="footer" class="footer">Foot</div>`).mainText).to.equal(
      'Logo\nMenu\nFoot',
    );
  });

  it('keeps a header that belongs to an article', () => {
    const page = readPage('<header>Site</header><article><header><h1>Title</h1></header>Text</article>');
    expect(page.mainText).to.equal('Title\nText');
    expect(page.headings).to.deep.equal([{ level: 1, text: 'Title', isMain: true }]);
  });

  it('leaves a frame within a frame out of the main text, and keeps frames in the whole text', () => {
    expect(readPage('<nav><nav>a</nav>b</nav>c').mainText).to.equal('c');
    expect(readPage('<nav>a</nav>c').text).to.equal('a\nc');
  });

  for (const [what, html] of Object.entries({
    scripts: '<script>a</script>',
    styles: '<style>a</style>',
    templates: '<template>a<template>b</template>c</template>',
    'text areas': '<textarea><p>a</textarea>',
    frames: '<iframe><p>a</iframe>',
    drawings: '<svg><text>a</text></svg>',
    'hidden elements': '<div hidden>a<div>b</div>c</div>',
    'elements not displayed': '<div style="color:red; DISPLAY : none">a</div>',
    'elements hidden by a class': '<div class="box d-none">a</div>',
    'closed dialogues': '<dialog>a</dialog>',
  })) {
    it(`leaves out ${what}`, () => expect(readPage(`<p>x</p>${html}<p>y</p>`).text).to.equal('x\ny'));
  }

  it('includes text that is hidden on small screens only, and text that breaks out of a drawing', () => {
    expect(readPage('<div class="hidden md:block">a</div>').text).to.equal('a');
    expect(readPage('<svg><g><p>a</p>').text).to.equal('a');
  });

  it('separates the notice for readers without scripts', () => {
    const page = readPage('<noscript>Enable JavaScript</noscript><p>x</p>');
    expect(page).to.include({ noscriptText: 'Enable JavaScript', text: 'x' });
  });

  it('counts words in scripts with and without spaces', () => {
    expect(readPage('<p>four words, not five</p>').mainWords).to.equal(4);
    expect(readPage('<p>ページが見つかりません</p>').mainWords).to.equal(6);
    expect(readPage('<p>ไม่พบหน้าที่คุณต้องการ</p>').mainWords).to.be.within(3, 6);
    expect(readPage('<p>페이지를 찾을 수 없습니다</p>').mainWords).to.equal(4);
    expect(readPage('<p>страница не найдена</p>').mainWords).to.equal(3);
  });

  it('separates prose from links and short lines', () => {
    const prose = 'word '.repeat(30);
    const page = readPage(
      `<p>${prose}</p><p>${prose}<a href="/a">one link</a></p><p><a href="/b">${prose}</a></p>`,
    );
    expect(page).to.include({ mainWords: 92, plainWords: 60, proseWords: 60 });
  });

  it('begins the lead with the first text that is not only links', () => {
    const filler = 'word '.repeat(60);
    const page = readPage(
      `<p><a href="/a">Menu</a> <a href="/b">More</a></p><p>Sorry.</p><p>${filler}</p><p>End</p>`,
    );
    expect(page.leadText).to.equal(`Sorry.\n${filler.trim()}`);
  });

  it('records classes and ids, those of the root separately, and counts forms and passwords outside the frame', () => {
    const page = readPage(`<body class="Error404 x"><div id=Main></div><nav><input type=password></nav>
      <form><input type=PASSWORD></form></body>`);
    expect(page.rootMarks).to.deep.equal(['error404', 'x']);
    expect([...page.marks]).to.deep.equal(['main']);
    expect(page.counts).to.include({ forms: 1, passwordFields: 1 });
  });

  it('reads only the first 256 Ki characters, and reports a cut', () => {
    const page = readPage(`<p>a</p>${' '.repeat(pageCharsMax)}<p>b</p>`);
    expect(page).to.include({ text: 'a', isCut: true });
    expect(readPage('<p>a</p>')).to.include({ isCut: false });
  });

  it('does not count the contents of scripts and styles', () => {
    const style = `<style>${'a{b:c}'.repeat(50_000)}</style>`;
    const page = readPage(`${style}<script>${'a();'.repeat(100_000)}</script><p>a</p>`);
    expect(page).to.include({ text: 'a', isCut: false });
    const small = readPage(`${'<script>a();b();c();d();e();f();g();h();</script>'.repeat(6_000)}<p>a</p>`);
    expect(small.text).to.equal('a');
  });

  it('keeps the beginning of a skipped script', () => {
    const { scriptText } = readPage(`${' '.repeat(4_080)}<script>begins();${'a();'.repeat(5_000)}</script>`);
    expect(scriptText.slice(0, 17)).to.equal('begins();a();a();');
    expect(scriptText).to.have.length(2_001);
  });

  it('accepts any input: empty, cut off, or not HTML', () => {
    for (const html of ['', '<', '<!--', '<title>', '<script>', '<a href="', '\0\0', '<p>a', 'plain']) {
      expect(() => readPage(html)).not.to.throw();
    }
    expect(readPage('<title>cut off').title).to.equal('cut off');
  });
});

describe('readPage with `decide`', () => {
  const prose = filled(
    '<p>Some twenty words of prose that go on and on about a harbour, its boats and a few of its men.',
  );

  function readDeciding(html: string, answer: ReadingDecision): { asked: number; page: Page } {
    let asked = 0;
    const page = readPage(html, {
      decide: () => {
        asked++;
        return answer;
      },
    });
    return { asked, page };
  }

  it('calls it again only after twice as much text', () => {
    expect(readDeciding(prose, 'later').asked).to.be.within(5, 7);
    expect(readDeciding(`<h1>Short</h1>${prose.slice(0, 1_000)}`, 'later').asked).to.equal(0);
  });

  it('reads on without further calls, or stops, as it returned', () => {
    const all = readDeciding(prose, 'all');
    expect(all).to.deep.equal({ asked: 1, page: readPage(prose) });
    const enough = readDeciding(prose, 'enough');
    expect(enough.asked).to.equal(1);
    expect(enough.page.words).to.be.within(300, 2_000);
  });
});
