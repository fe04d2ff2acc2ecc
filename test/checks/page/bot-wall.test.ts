import { expect } from 'chai';
import { detectBotWall } from '../../../checks/page/bot-wall.ts';
import type { Page } from '../../../checks/page/page.ts';
import { readPage } from '../../../checks/page/read-page.ts';

describe('detectBotWall', () => {
  it('knows the challenges that show in headers, with or without a page', () => {
    expect(wall({ status: 403, headers: { 'cf-mitigated': 'challenge' } })).to.equal('cloudflare');
    expect(wall({ status: 202, headers: { 'x-amzn-waf-action': 'challenge' } })).to.equal('aws_waf');
    expect(wall({ status: 429, headers: { 'x-vercel-mitigated': 'challenge' } })).to.equal('vercel');
  });

  it('knows the status no other site sends', () => expect(wall({ status: 999 })).to.equal('linkedin'));

  for (const [name, html] of [
    ['cloudflare', '<title>Just a moment...</title><script>window._cf_chl_opt={}</script>'],
    ['cloudflare', '<title>Attention Required! | Cloudflare</title><h1>Sorry, you have been blocked</h1>'],
    ['datadome', "<script>var dd={'host':'geo.captcha-delivery.com'}</script><p>Please enable JS</p>"],
    ['perimeterx', '<title>Access to this page has been denied.</title><div id="px-captcha"></div>'],
    ['imperva', '<iframe src="/_Incapsula_Resource?CWUDNSAI=27">x</iframe>'],
    ['imperva', '<p>Request unsuccessful. Incapsula incident ID: 1-2</p>'],
    ['akamai', '<title>Access Denied</title><p>Reference #18.1 https://errors.edgesuite.net/18.1</p>'],
    ['akamai', '<div id="sec-if-cpt-container"></div>'],
    ['aws_waf', '<script>window.awsWafCookieDomainList = [];</script>'],
    ['sucuri', '<title>Sucuri WebSite Firewall - Access Denied</title><p>Block reason</p>'],
    ['google', '<p>Our systems have detected unusual traffic from your computer network.</p>'],
    ['amazon', '<form action="/errors/validateCaptcha"></form><p>Enter the characters you see below</p>'],
    ['f5', '<p>The requested URL was rejected. Please consult with your administrator.</p>'],
    ['generic', '<title>Security check</title><p>One more step</p>'],
    ['generic', '<p>Please verify you are human.</p><div class="h-captcha"></div>'],
    ['generic', '<p>Подтвердите, что вы не робот</p>'],
  ] as const) {
    it(`knows ${name} by ${html.slice(0, 60)}`, () => {
      expect(wall({ page: readPage(html) })).to.equal(name);
    });
  }

  it('does not take a status for a wall', () => {
    for (const status of [200, 401, 403, 429, 503]) expect(wall({ status })).to.equal(null);
    expect(wall({ status: 403, page: readPage('<title>403 Forbidden</title><h1>Forbidden</h1>') })).to.equal(
      null,
    );
  });

  it('lets pages pass that only carry the sensors of a service', () => {
    const html = `<title>Shop</title><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>
      <script src="https://js.datadome.co/tags.js"></script><script>window._pxAppId='PX1'</script>
      <script src="/_Incapsula_Resource?SWJIYLWA=1"></script><form><div class="g-recaptcha"></div></form><p>Hats</p>`;
    expect(wall({ page: readPage(html) })).to.equal(null);
  });

  it('lets an article about walls pass', () => {
    const prose = 'A robot that reads the web meets many gates on its way to a page. '.repeat(25);
    expect(wall({ page: readPage(`<h1>Verify you are human</h1><p>${prose}</p>`) })).to.equal(null);
  });
});

type Answer = { status?: number; headers?: Record<string, string>; page?: Page };

function wall({ status = 200, headers = {}, page }: Answer): string | null {
  return detectBotWall({ status, headers: { get: (name) => headers[name] ?? null }, page: page ?? null });
}
