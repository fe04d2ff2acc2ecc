import { expect } from 'chai';
import { readGoogleHtml } from '../../../../checks/search/google/html.ts';
import type { ProviderErrorKind } from '../../../../checks/search/serp.ts';
import {
  layouts,
  nothingMatchesPage,
  organicResults,
  pageWith,
  resultList,
} from '../../../support/google-pages.ts';
import { expectLinear } from '../../../support/growth.ts';
import { expectFailure } from '../../../support/provider.ts';
import { worstGooglePages } from '../../../support/worst-serps.ts';

const read = (html: string) => readGoogleHtml(html, 'brightdata');

describe('the results of a Google page', () => {
  for (const { title, html, featuredSnippetUrl = null } of layouts) {
    it(`are read from the layout “${title}”`, () => {
      const serp = read(html);
      expect(serp.results.map((result) => result.url)).to.deep.equal(organicResults);
      expect(serp.results.every((result) => result.title !== '')).to.equal(true);
      expect(serp.featuredSnippetUrl).to.equal(featuredSnippetUrl);
    });
  }
});

const nothingFound: [title: string, html: string][] = [
  [
    'the sentence and its advice',
    nothingMatchesPage(['Your search -', '- did not match any documents.'], 'en'),
  ],
  ['the sentence in Russian', nothingMatchesPage(['По запросу', ' ничего не найдено.'], 'ru')],
  [
    'the advice in a language whose sentence we do not know',
    nothingMatchesPage(['Teie otsingule', ' ei vastanud ükski dokument.'], 'et'),
  ],
  [
    'the sentence alone, on a page without scripts',
    '<div id="main"><div class="BNeawe">Your search - <span>x</span> - did not match any documents. Suggestions: …</div></div>',
  ],
  [
    'the sentence alone in Japanese',
    '<div id="main"><div class="BNeawe"><span>qwxzy</span>に一致する情報は見つかりませんでした。</div></div>',
  ],
  ['a count of zero', '<div id="result-stats">About 0 results (0.25 seconds)</div><div id="rso"></div>'],
];

describe('a Google page without results', () => {
  for (const [title, html] of nothingFound) {
    it(`is recognised by ${title}`, () => {
      expect(read(html)).to.deep.equal({ results: [], featuredSnippetUrl: null });
    });
  }
});

const rewrittenNotice = `<p class="gqLncc card-section"><span>Showing results for</span> <a id="fprsl" href="/search?q=red+shoes&amp;spell=1">red shoes</a><br>
  <span class="spell_orig">Search instead for</span> <a class="spell_orig" href="/search?q=red+shues&amp;nfpr=1">red shues</a></p>`;
const widened = `<p class="card-section"><span>Результаты включают <a href="/search?q=red+shoes">red shoes</a></span><br>
  <span class="spell_orig">Искать только <a href="/search?q=red+shues&amp;nirf=red+shues">red shues</a></span></p>`;
const suggested = `<p class="gqLncc"><span>Did you mean:</span> <a href="/search?q=red+shoes&amp;nfpr=1&amp;spell=1">red shoes</a></p>
  <p id="msg_box" style="display:none"><span class="spell_orig"></span><a class="spell_orig"></a></p>`;

const failures: [title: string, kind: ProviderErrorKind, html: string][] = [
  [
    'a captcha',
    'blocked',
    '<form id="captcha-form" action="index" method="post"><div class="g-recaptcha" data-sitekey="x"></div></form>',
  ],
  [
    'the older captcha',
    'blocked',
    '<title>Sorry...</title><form action="CaptchaRedirect"><img src="/sorry/image?id=1"></form>',
  ],
  [
    'the sentence about "unusual traffic"',
    'blocked',
    '<p>Our systems have detected unusual traffic from your computer network.</p>',
  ],
  [
    'the check for scripts',
    'blocked',
    '<noscript><iframe src="/httpservice/retry/enablejs?sei=x"></iframe></noscript>Click here',
  ],
  [
    'the question for consent',
    'blocked',
    '<form action="https://consent.google.com/save" method="POST"><button>Принять</button></form>',
  ],
  ['a refusal', 'blocked', '<title>Error 403 (Forbidden)!!1</title><p>That’s an error.</p>'],
  ['Google’s own failure', 'upstream', '<title>Error 502 (Server Error)!!1</title><p>That’s an error.</p>'],
  ['another spelling searched instead', 'rewritten', pageWith(rewrittenNotice, resultList)],
  ['results of another spelling mixed in, in any language', 'rewritten', pageWith(widened, resultList)],
  [
    'a query cut at 32 words',
    'rewritten',
    pageWith(
      '<div>"shoe" (and any subsequent words) was ignored because we limit queries to 32 words.</div>',
      resultList,
    ),
  ],
  [
    'an unknown layout',
    'unreadable',
    pageWith('', '<div class="zz"><a href="https://one.example/"><b>Shoes</b></a></div>'),
  ],
  [
    'an unknown layout that quotes the sentence',
    'unreadable',
    pageWith('', '<a href="https://one.example/"><b>Your search did not match any documents</b></a>'),
  ],
  [
    'a page with ads alone',
    'unreadable',
    pageWith(
      '<div id="tads"><div class="uEierd"><a href="https://ad.example/"><h3>Ad</h3></a></div></div>',
      '',
    ),
  ],
  [
    'a count in the millions',
    'unreadable',
    '<div id="result-stats">About 10,500,000 results (0.50 seconds)</div>',
  ],
  ['nothing', 'unreadable', ''],
  ['more than 3 MiB', 'unreadable', layouts[0]!.html + ' '.repeat(3 * 1024 * 1024)],
];

describe('a Google page without an answer', () => {
  for (const [title, kind, html] of failures) {
    it(`is ${kind}: ${title}`, () => expectFailure(kind, () => read(html)));
  }

  it('is distinguished from one that only suggests another spelling', () => {
    expect(read(pageWith(suggested, resultList)).results).to.have.length(1);
  });

  it('is distinguished from one with a result that quotes the sentence', () => {
    const html = pageWith('', resultList.replace('Red.', 'Your search did not match any documents'));
    expect(read(html).results).to.have.length(1);
  });
});

describe('the worst page', function () {
  this.retries(2);

  for (const [title, html] of Object.entries(worstGooglePages)) {
    it(`takes linear time: ${title}`, () => expectLinear(readOrRefuse, html));
  }
});

function readOrRefuse(html: string): void {
  try {
    read(html);
  } catch {
    // Most pages are rejected. The time until the rejection is measured.
  }
}
