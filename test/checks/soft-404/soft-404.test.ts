import { expect } from 'chai';
import { readPage } from '../../../checks/page/read-page.ts';
import type { PageUrls } from '../../../checks/soft-404/signals.ts';
import { judgePage, type Soft404Verdict } from '../../../checks/soft-404/soft-404.ts';
import type { signalWeights } from '../../../checks/soft-404/weights.ts';

const thisPage: PageUrls = {
  url: 'https://a.example/b/c',
  finalUrl: 'https://a.example/b/c',
  redirected: false,
};
const homePage: PageUrls = { url: 'https://a.example/b/c', finalUrl: 'https://a.example/', redirected: true };
const prose = `<p>${'The harbour was quiet that morning and the ferry late as ever on a Monday. '.repeat(14)}</p>`;
const some =
  '<p>Opening hours, prices and how to find us, with a map of the harbour and the bus stops near it.</p>';

// Causes of each signal, on an otherwise ordinary page.
const makings: Readonly<Record<keyof typeof signalWeights, [html: string, urls?: PageUrls]>> = {
  title_not_found: ['<title>Page not found | Harbour</title>'],
  title_error_404: ['<title>Fehler 404 - Harbour</title>'],
  title_404: ['<title>404 | Harbour</title>'],
  title_mentions_not_found: [
    '<title>We looked high and low but could not find the page of your dreams</title>',
  ],
  title_gone: ['<title>Product no longer available</title>'],
  title_unavailable: ['<title>Content not available</title>'],
  heading_not_found: ['<h1>Not found</h1>'],
  heading_error_404: ['<h2>Error 404</h2>'],
  heading_404: ['<h1>404</h1>'],
  heading_mentions_not_found: [
    '<h1>Our divers went down twice but the page you wanted was not found in the harbour</h1>',
  ],
  heading_gone: ['<h1>This listing has expired</h1>'],
  heading_unavailable: ["<h1>This page isn't available</h1>"],
  text_not_found: ['<p>Sorry, we could not find that page.</p>'],
  text_gone: ['<p>This event is no longer available.</p>'],
  text_404: ['<div>404</div>'],
  text_bare_not_found: ['<p>Whatever it was could not be found.</p>'],
  text_unavailable: ['<p>The page you want to visit is not available.</p>'],
  text_lost: ["<p>There's nothing here but sand.</p>"],
  bare_error: ['Error 404'],
  offer_gone: ['<h1>Oak dresser</h1><p>This ad has expired.</p>'],
  late_statement: [`<p>${'Sofas and chairs. '.repeat(14)}</p><p>Sorry, we could not find that page.</p>`],
  error_page_root: ['<body class="error404 theme">'],
  error_page_mark: ['<div class="page-not-found">x</div>'],
  canonical_error_page: ['<link rel="canonical" href="/de/404.html">'],
  canonical_elsewhere: ['<link rel="canonical" href="/">'],
  noindex: ['<meta name="robots" content="noindex">'],
  short_text: ['<p>x</p>'],
  front_page_link: ['<a href="/">Home</a>'],
  redirected_to_front_page: ['<p>x</p>', homePage],
  refreshes_elsewhere: ['<meta http-equiv="refresh" content="0;url=/b/d">'],
  own_headline: ['<title>Seed cake | Kitchen</title><h1>Seed cake</h1>'],
  long_prose: [prose],
  about_error_pages: [
    `<h1>The 404 not found error</h1><p>The server sends the status code 404 with an error page unless ErrorDocument in .htaccess says
    otherwise, and search engines follow a redirect only if it is permanent, that is, if it has the code 301.</p>`,
  ],
  search_results: ['<h1>Page not found</h1><h2>No results found</h2>'],
};

describe('judgePage', () => {
  for (const [signal, [html, urls]] of Object.entries(makings)) {
    it(`gives ${signal} as a reason`, () => {
      // A bare error page has no other signal.
      expect(judge(signal === 'bare_error' ? html : `${html}${some}`, urls).reasons).to.include(signal);
      if (signal !== 'short_text') expect(judge(some, thisPage).reasons).to.not.include(signal);
    });
  }

  it('never decides for a soft 404 by weak signals only, however many', () => {
    const verdict = judge(`<meta name="robots" content="noindex"><link rel="canonical" href="/404">
      <div class="not-found">Whatever it was could not be found. There's nothing here.</div><a href="/">Home</a>`);
    expect(verdict.reasons).to.include.members([
      'noindex',
      'canonical_error_page',
      'error_page_mark',
      'text_lost',
    ]);
    expect(verdict.isSoft404).to.equal(false);
  });

  for (const [what, html] of [
    ['title and heading', '<title>Page not found</title><h1>Page not found</h1>'],
    ['the number and a message', '<h1>404</h1><p>The page you requested does not exist.</p>'],
    [
      'one sentence in a page of little else',
      '<title>Harbour</title><p>Sorry, this page could not be found.</p>',
    ],
    ['error and number in a page of nothing else', 'Error 404'],
    ['the number and the way home', '<title>Harbour</title><h1>404</h1><a href="/">Home</a>'],
    ['a title that says both', `<title>404 Not Found</title><p>Welcome!</p>`],
  ] as const) {
    it(`detects a soft 404 by ${what}`, () => {
      expect(judge(html)).to.include({ isChecked: true, isSoft404: true, isDoubtful: false });
    });
  }

  for (const [what, html, urls] of [
    ['an article that mentions the words', `<h1>Seed cake</h1>${prose}<p>Page not found when I click!</p>`],
    [
      'documentation of the status',
      `<title>404 Not Found - HTTP</title><h1>404 Not Found</h1>${makings.about_error_pages[0]}`,
    ],
    [
      'an explanation',
      '<title>Error 404: what is it and how to fix it</title><h1>Error 404: what is it?</h1>',
    ],
    ['a house number', '<title>404 Beech Street</title><h1>404 Beech Street</h1><p>Three bedrooms.</p>'],
    ['a car', '<title>Peugeot 404</title><h1>Peugeot 404</h1><p>Saloon, 1960 to 1975.</p>'],
    ['an area code', '<title>Area code 404</title><h1>Area code 404</h1><p>Atlanta.</p>'],
    ['an empty search', '<title>Search</title><h1>No results found for “hat”</h1>'],
    [
      'an empty search by its address',
      '<h1>Nothing found</h1><p>No page found.</p>',
      at('https://a.example/?s=hat'),
    ],
    ['a number alone', '<title>Peugeot 404</title>404'],
    ['an empty basket', '<h1>Your basket is empty</h1><p>There is nothing in it.</p><a href="/">Shop</a>'],
    ['a condition', '<h1>Help</h1><p>If the page cannot be found, call us.</p>'],
    [
      'a missing person',
      '<title>Missing: Harold Pike</title><h1>Missing: Harold Pike</h1><p>He was not found.</p>',
    ],
    ['a hidden panel', '<h1>Hat</h1><div hidden><h1>404</h1><p>Page not found</p></div><p>Wool.</p>'],
    [
      'a front page',
      '<title>Harbour</title><h1>Harbour</h1><p>Ferries and boats.</p>',
      at('https://a.example/'),
    ],
    [
      'a stub for a page that moved',
      '<meta http-equiv=refresh content="0;url=/b/d"><p>This page has moved.</p>',
    ],
    ['another error', '<title>403 Forbidden</title><h1>Forbidden</h1>'],
  ] as [string, string, PageUrls?][]) {
    it(`accepts ${what} as an existing page`, () => {
      expect(judge(html, urls)).to.include({ isChecked: true, isSoft404: false });
    });
  }

  for (const [kind, html] of [
    ['app_shell', '<title>Harbour</title><div id="root"></div><script src="/app.js"></script>'],
    ['app_shell', '<div id="root"><p>Loading…</p></div><script src="/app.js"></script>'],
    ['bot_wall', '<title>Just a moment...</title><h1>Page not found</h1><script>_cf_chl_opt</script>'],
    ['parked_domain', '<h1>harbour.example is for sale</h1><p>Buy this domain. Page not found.</p>'],
    ['log_in_page', '<title>Sign in</title><form><input type="password"></form>'],
    ['log_in_page', '<title>Anmelden</title><h1>Anmelden</h1><form><input name="mail"></form>'],
  ] as const) {
    it(`does not judge a page of kind ${kind}: ${html.slice(0, 50)}`, () => {
      expect(judge(html)).to.deep.equal({
        isChecked: false,
        isSoft404: false,
        isDoubtful: false,
        reasons: [kind],
      });
    });
  }

  it('does not consider a page an app shell without its end', () => {
    const shell = '<title>Harbour</title><div id="root">Loading</div><script src="/app.js"></script>';
    expect(judge(shell).reasons).to.deep.equal(['app_shell']);
    const cut = judgePage(readPage(shell, { isCut: true }), thisPage);
    expect(cut).to.include({ isChecked: true, isSoft404: false });
    const unread = judgePage(readPage('<title>Harbour</title><script>', { isCut: true }), thisPage);
    expect(unread)
      .to.include({ isChecked: false })
      .and.to.deep.include({ reasons: ['unread'] });
  });

  it('judges an error page even with a log-in box or little text', () => {
    const boxed =
      '<h1>Information</h1><p>The requested topic does not exist.</p><form><input type=password></form>';
    expect(judge(boxed)).to.include({ isChecked: true, isSoft404: true });
    expect(judge('<h1>404</h1><p>Page not found</p><script src="/app.js"></script>').isSoft404).to.equal(
      true,
    );
  });

  it('doubts a redirect to the front page', () => {
    expect(judge(`<title>Harbour</title>${prose}`, homePage)).to.include({
      isSoft404: false,
      isDoubtful: true,
    });
    expect(
      judge(`<title>Harbour</title>${prose}`, { ...homePage, url: homePage.finalUrl }).isDoubtful,
    ).to.equal(false);
  });

  it('doubts a page with strong signals for and some against it', () => {
    expect(judge(`<title>Page not found</title><h1>Page not found</h1>${prose}`).isDoubtful).to.equal(true);
    expect(judge(`<h1>404</h1><p>Ezin.</p>`).isDoubtful).to.equal(true);
  });

  it('doubts a statement far down the page', () => {
    const menu = `<div>${'Sofas and chairs. '.repeat(14)}</div>`;
    expect(judge(`${menu}<p>Sorry, we could not find that page.</p>`)).to.include({
      isSoft404: true,
      isDoubtful: true,
    });
  });

  it('begins to judge at the heading, after any number of menus', () => {
    const menu = `<div>${'Sofas and chairs. '.repeat(60)}</div>`;
    expect(judge(`${menu}<h2>Sorry</h2><p>We could not find that page.</p>`)).to.include({
      isSoft404: true,
      isDoubtful: false,
    });
  });

  it('is certain about ordinary pages', () => {
    expect(judge(`<title>Seed cake</title><h1>Seed cake</h1>${prose}`).isDoubtful).to.equal(false);
    expect(
      judge('<title>Contact</title><h1>Contact</h1><p>Call us.</p><a href="/">Home</a>').isDoubtful,
    ).to.equal(false);
  });
});

function judge(html: string, urls: PageUrls = thisPage): Soft404Verdict {
  return judgePage(readPage(html), urls);
}

function at(url: string): PageUrls {
  return { url, finalUrl: url, redirected: false };
}
