import { expect } from 'chai';
import type { Page } from '../../../checks/page/page.ts';
import { readPage } from '../../../checks/page/read-page.ts';
import {
  computeSimilarity,
  decideWithSibling,
  type Sibling,
  siblingUrl,
} from '../../../checks/soft-404/sibling.ts';
import type { Soft404Verdict } from '../../../checks/soft-404/soft-404.ts';

describe('siblingUrl', () => {
  for (const [url, sibling] of [
    ['https://a.example/shoes/red-boots', 'https://a.example/shoes/red-boots-zq7x'],
    ['https://a.example/shoes/red-boots/', 'https://a.example/shoes/red-boots-zq7x/'],
    ['https://a.example/news/story.html?from=mail#top', 'https://a.example/news/story-zq7x.html?from=mail'],
    ['https://a.example/item/1883', 'https://a.example/item/923501883'],
    ['https://a.example/p/boots-1883.htm', 'https://a.example/p/boots-923501883-zq7x.htm'],
    ['https://a.example/view.php?id=17&lang=en', 'https://a.example/view.php?id=9235017&lang=en'],
    ['https://a.example/?p=17', 'https://a.example/?p=9235017'],
    ['https://a.example/index.php?title=Tidal_mill', 'https://a.example/index.php?title=Tidal_mill-zq7x'],
  ] as const) {
    it(`changes ${url}`, () => {
      expect(siblingUrl(url, 'zq7x')).to.equal(sibling);
    });
  }

  it('is null for a front page and for an invalid address', () => {
    for (const url of ['https://a.example/', 'https://a.example', 'https://a.example/?', 'nothing']) {
      expect(siblingUrl(url, 'zq7x')).to.equal(null);
    }
  });

  it('is never the address itself', () => {
    for (const url of [
      'https://a.example/a',
      'https://a.example/.well',
      'https://a.example/%E9%A0%81',
      'https://a.example/a.b.c',
    ]) {
      expect(siblingUrl(url, 'zq7x')).to.not.equal(url);
    }
  });
});

const advice = `Please check the address you typed, or use the search box above to look for the article you want to
  read. Our archive goes back to the year nineteen hundred and four, and every story printed since has its own place
  in it. If you followed a link from another site, kindly tell its owner that it leads nowhere.`;
const harbourStory = `The repair of the north mole will take until spring, the harbour office said on Monday, a year longer
  than planned. Divers found that the footings laid in the last century had been washed out by the storms of recent
  winters, and that several of the great blocks had moved by the width of a hand since they were measured.`;

describe('computeSimilarity', () => {
  it('is 1 for the same text, and 0 for texts without common words', () => {
    expect(computeSimilarity(page(advice), page(advice))).to.equal(1);
    expect(computeSimilarity(page(advice), page(harbourStory))).to.be.below(0.1);
    expect(computeSimilarity(page(''), page(''))).to.equal(0);
  });

  it('ignores repetitions of the addresses', () => {
    const one = page(`No article called boots. ${advice}`);
    const other = page(`No article called zq7x. ${advice}`);
    expect(computeSimilarity(one, other, ['https://a.example/boots', 'https://a.example/zq7x'])).to.equal(1);
  });

  it('compares texts without spaces by their characters', () => {
    expect(
      computeSimilarity(page('お探しのページは見つかりません'), page('お探しのページは見つかりません')),
    ).to.equal(1);
    expect(
      computeSimilarity(page('お探しのページは見つかりません'), page('本日は晴天なり散歩に行こう')),
    ).to.equal(0);
  });
});

describe('decideWithSibling', () => {
  const doubtful: Soft404Verdict = {
    isChecked: true,
    isSoft404: false,
    isDoubtful: true,
    reasons: ['text_gone'],
  };
  const urls = { url: 'https://a.example/boots', finalUrl: 'https://a.example/boots', redirected: false };

  it('keeps a certain verdict, and one that a sibling cannot decide', () => {
    const certain = { ...doubtful, isDoubtful: false };
    expect(decideWithSibling(certain, page(advice), sibling(advice), urls)).to.equal(certain);
    const unread = { page: null, status: 200, finalUrl: 'https://a.example/zq7x' };
    expect(decideWithSibling(doubtful, page(advice), unread, urls)).to.deep.equal(certain);
    const broken = { ...sibling(advice), status: 500 };
    expect(decideWithSibling(doubtful, page(advice), broken, urls)).to.deep.equal(certain);
  });

  it('trusts a site that answers 404 for the sibling', () => {
    for (const status of [404, 410]) {
      const verdict = decideWithSibling(
        { ...doubtful, isSoft404: true },
        page(advice),
        { ...sibling(advice), status },
        urls,
      );
      expect(verdict).to.include({ isSoft404: false, isDoubtful: false });
      expect(verdict.reasons).to.deep.equal(['text_gone', 'sibling_not_found']);
    }
  });

  it('is a soft 404 if the sibling has the same text', () => {
    const verdict = decideWithSibling(doubtful, page(advice), sibling(advice), urls);
    expect(verdict).to.include({ isSoft404: true, isDoubtful: false });
    expect(verdict.reasons).to.include('same_as_sibling');
  });

  it('is not a soft 404 if the sibling has another text', () => {
    const verdict = decideWithSibling(
      { ...doubtful, isSoft404: true },
      page(harbourStory),
      sibling(advice),
      urls,
    );
    expect(verdict).to.include({ isSoft404: false, isDoubtful: false });
    expect(verdict.reasons).to.include('unlike_sibling');
  });

  it('considers short pages equal only with the same title and headings', () => {
    const short = readPage('<title>Nothing | A</title><h1>Nothing</h1><p>Go home.</p>');
    const same = { ...sibling(''), page: short };
    expect(decideWithSibling(doubtful, short, same, urls).isSoft404).to.equal(true);
    const other = readPage('<title>Something | A</title><h1>Something</h1><p>Go home.</p>');
    expect(decideWithSibling(doubtful, other, same, urls).isSoft404).to.equal(false);
  });

  it('compares whole texts if both pages lack title and headings', () => {
    const headless = readPage('404');
    const verdictBeside = (html: string) =>
      decideWithSibling(doubtful, headless, { ...sibling(''), page: readPage(html) }, urls);
    expect(verdictBeside('404')).to.include({ isSoft404: true, isDoubtful: false });
    expect(verdictBeside('405')).to.include({ isSoft404: false, isDoubtful: false });
    expect(verdictBeside('<title>Harbour</title>404').reasons).to.deep.equal(doubtful.reasons);
  });

  it('ignores a sibling that redirects to the same page', () => {
    const story = page(harbourStory);
    const back = { page: story, status: 200, finalUrl: urls.finalUrl };
    expect(decideWithSibling(doubtful, story, back, urls).isSoft404).to.equal(false);
    const canonical = readPage(`<link rel="canonical" href="/boots"><p>${harbourStory}</p>`);
    const under = { page: canonical, status: 200, finalUrl: 'https://a.example/zq7x' };
    expect(decideWithSibling(doubtful, canonical, under, urls).isSoft404).to.equal(false);
  });

  it('counts a redirect to the front page only if the sibling redirects there, too', () => {
    const redirected = { ...doubtful, reasons: ['redirected_to_front_page'] };
    const home = { page: page(harbourStory), status: 200, finalUrl: 'https://a.example/' };
    expect(decideWithSibling(redirected, page(harbourStory), home, urls).isSoft404).to.equal(true);
    expect(decideWithSibling(redirected, page(harbourStory), sibling(advice), urls).isSoft404).to.equal(
      false,
    );
  });
});

function page(text: string): Page {
  return readPage(`<main><p>${text}</p></main>`);
}

function sibling(text: string): Sibling {
  return { page: page(text), status: 200, finalUrl: 'https://a.example/boots-zq7x' };
}
