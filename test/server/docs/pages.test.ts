import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { parse } from 'node-html-parser';
import { presetUserAgents } from '../../../checks/http/user-agents.ts';
import * as tokens from '../../../db/accounts/tokens.ts';
import { activities } from '../../../schemas/activity.ts';
import { errorCodes } from '../../../schemas/error-codes.ts';
import { operations } from '../../../schemas/openapi.ts';
import { listGuidePages, readChangelog, toHtml } from '../../../server/docs/pages.ts';
import { afterTest } from '../../support/after-test.ts';
import { bringAxe, ColourJudge, faultsOf } from '../../support/axe.ts';
import { borrowBrowser, openWindow } from '../../support/browser.ts';
import { openAs } from '../../support/dashboard.ts';
import { guidePage } from '../../support/guide.ts';
import { TestService, useService } from '../../support/service.ts';

describe('the pages of the guide', () => {
  const service = useService({ OPERATOR_CONTACT: 'ops@example.org' });
  const paths = () => [...listGuidePages(service.config).map(({ path }) => path), '/docs/search?q=webhook'];

  it('are accessible and fit a window: 1280 pixels in light, 360 in dark', async function () {
    const { context, page, complaints } = await openAs(this, service, await service.account(0), {
      // During the color transition, colors belong to neither scheme.
      reducedMotion: 'reduce',
    });
    await bringAxe(context);
    const faults: string[] = [];
    const colours = new ColourJudge();
    const inspect = async (path: string, width: number, rules?: string[]) => {
      const found = (await page.evaluate(`[${tooWide}, ${brokenWords}, ${wrappedLines}].flat()`)) as string[];
      // axe finds in a few closed operations what it would find in a hundred.
      await page.evaluate(fewOperations);
      found.push(...(await faultsOf(page, rules)), ...(await colours.faultsOf(page)));
      faults.push(...found.map((fault) => `${path} ${width} ${fault}`));
    };
    const narrow = async () => {
      await page.setViewportSize({ width: 360, height: 800 });
      await page.emulateMedia({ colorScheme: 'dark' });
    };
    for (const path of paths()) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(path);
      await inspect(path, 1280);
      await narrow();
      await inspect(path, 360, ofWidth);
    }
    // The navigation is collapsed on a phone, the same way on each page.
    await page.goto('/docs');
    await inspect('/docs', 360);
    expect(faults).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
    expect(colours.looks).to.be.above(20);
  });

  it('insert the token of the reader into the shell sample, and copy it', async function () {
    const { context, page } = await openWindow(await borrowBrowser(this), service.baseUrl);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/docs');
    await page.getByLabel(/^Your token/).fill('sonde_abc');
    await page.getByRole('button', { name: 'Copy quick-start.sh' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.match(
      /^export SONDE_TOKEN='sonde_abc'\n/,
    );
  });

  it('have a menu of all pages, and a link to the dashboard', async () => {
    const shown = await guidePage(service, '/docs');
    expect(shown.querySelectorAll('.menu nav a')).to.have.length.above(12);
    expect(shown.querySelector('.brand')?.getAttribute('href')).to.equal('/');
  });

  it('show every sample', async () => {
    const shown = await Promise.all(
      listGuidePages(service.config).map(async ({ path }) =>
        (await guidePage(service, path))
          .querySelectorAll('code[data-sample]')
          .map((code) => code.getAttribute('data-sample')),
      ),
    );
    const files = await readdir(new URL('../../../server/docs/samples', import.meta.url));
    expect([...new Set(shown.flat())]).to.have.members(files);
  });

  it('list every error code, and the cost of each unbilled operation', async () => {
    const codes = (await guidePage(service, '/docs/errors')).querySelectorAll('th[scope=row] code');
    expect(codes.map(({ text }) => text)).to.deep.equal(Object.keys(errorCodes));
    const { token } = await service.account(0);
    const { body } = await service.call('/credits/allowance', { token });
    const rows = (await guidePage(service, '/docs/answers'))
      .querySelectorAll('tr[data-weight]')
      .map((row) => {
        const [what, kind, weight] = row.querySelectorAll('td').map((cell) => cell.text);
        expect(what).to.match(/^A/);
        return [kind, Number(weight)];
      });
    expect(Object.fromEntries(rows)).to.deep.equal(body.weights);
  });

  it('show every operation with its fields and answers', async () => {
    const shown = await guidePage(service, '/docs/reference');
    for (const { id, summary, answers } of operations) {
      const part = shown.getElementById(id) ?? expect.fail(`${id} is not shown`);
      expect(part.querySelector('summary')?.text).to.contain(summary);
      expect(part.querySelectorAll('dt').map(({ text }) => text)).to.include.members(Object.keys(answers));
    }
    const check = shown.getElementById('checkIndex');
    expect(check?.querySelectorAll('th').map(({ text }) => text)).to.include.members(['url', 'is_indexed']);
  });

  it('tell webmasters about the bot and whom to contact', async () => {
    const shown = (await guidePage(service, '/bot')).querySelector('main');
    expect(shown?.text).to.include(service.config.checks.userAgent).and.include('At most 8 requests');
    for (const name of Object.values(presetUserAgents)) expect(shown?.text).to.include(name);
    expect(shown?.querySelector('a[href="mailto:ops@example.org"]')?.text).to.equal('ops@example.org');
  });

  it('can be searched by words', async () => {
    const found = (await guidePage(service, '/docs/search?q=Idempotency-Key')).querySelectorAll('.found a');
    expect(found[0]?.getAttribute('href')).to.equal('/docs/retries#idempotency');
    const none = await guidePage(service, '/docs/search?q=%3Cscript%3Ezebra');
    expect(none.querySelector('article')?.text).to.include('No section has all of these words');
    expect((await guidePage(service, '/docs/search')).querySelector('article')?.text).to.include(
      'Try one word',
    );
  });

  it('name each error with its status, no field by its old name, and answers to common questions', async () => {
    let named = 0;
    for (const { path } of listGuidePages(service.config)) {
      const { text } = await service.call(`/${path}`);
      // In samples, only the underscore identifies a code.
      for (const [, status, marked, plain] of text.matchAll(
        /\b([45]\d\d)\s+(?:(?:<[^>]+>)*<code>([a-z_0-9]+)<\/code>|([a-z0-9]+_[a-z_0-9]+))/g,
      )) {
        const word = marked ?? plain;
        named += 1;
        expect(errorCodes, path).to.have.property(word ?? '');
        expect(String(errorCodes[word as keyof typeof errorCodes].status), `${word} on ${path}`).to.equal(
          status,
        );
      }
    }
    expect(named).to.be.above(3);
    const ranks = (await guidePage(service, '/docs/ranks')).text;
    expect(ranks)
      .to.contain('device: "mobile"')
      .and.to.contain('/api/v1/monitors')
      .and.not.contain('brd_mobile');
    const webhooks = (await guidePage(service, '/docs/webhooks')).text;
    expect(webhooks).to.contain('TARGET_ALLOW_CIDRS').and.to.contain('/results.ndjson?show=dead');
  });

  it('list the answer of a test token for each sample host', async () => {
    const { accountId } = await service.account(0);
    const token = await tokens.issue(service.db, accountId, 'trial', { isTest: true });
    const rows = (await guidePage(service, '/docs/people')).querySelectorAll('#hosts + .table tbody tr');
    expect(rows).to.have.length.above(10);
    for (const row of rows) {
      const [host = '', asked = '', answer = ''] = row.childNodes.map(({ text }) => text);
      const { body } = await service.call(...askingAbout(host, asked, token));
      const said = [...answer.matchAll(/(\w+): ("\w+"|\w+)/g)];
      const fields = said.map(([, field = '', value = '']) => [field, JSON.parse(value)]);
      expect(fields, host).not.to.deep.equal([]);
      expect(body, host).to.include(Object.fromEntries(fields));
    }
  });

  it('explain each activity type, and the body that creates a token', async () => {
    const shown = await guidePage(service, '/docs/people');
    const rows = shown.querySelectorAll('#activity ~ .table tbody tr');
    const said = rows.map((row) => row.childNodes.map(({ text }) => text));
    expect(said).to.deep.equal(Object.entries(activities));
    const body = JSON.parse(shown.querySelector('#tokens ~ pre code')?.text ?? '');
    const { accountId } = await service.account(0);
    const token = await tokens.issue(service.db, accountId, 'maker', { scope: 'manage' });
    const made = await service.call('/tokens', { token, body });
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    expect(JSON.stringify(made.body)).to.contain('Nightly crawl');
  });

  it('mark code, bold and emphasis, and keep asterisks in code and products', () => {
    const text = 'The chips *Not checked* and **Dead**, `a*b*c`, 2 * 3 * 4, <b> & more';
    expect(toHtml(text)).to.equal(
      'The chips <em>Not checked</em> and <strong>Dead</strong>, <code>a*b*c</code>, 2 * 3 * 4, &lt;b> &amp; more',
    );
  });

  it('omit commands, migrations and metrics of operators from the changelog', async () => {
    expect((await guidePage(service, '/docs/changes')).querySelector('article')?.text).to.include(
      '0.1.0: Checks',
    );
    const entries = readChangelog();
    expect(entries.map(({ kind }) => kind)).to.include.members(['Checks', 'Batches', 'Monitors', 'Webhooks']);
    const lines = entries.flatMap(({ lines }) => lines);
    expect(lines).to.have.length.above(20);
    const strange = /\bnpm\b|\badmin [a-z]|\b[Mm]igrat|`0\d{3}`|\/metrics|`sonde_[a-z]+_[a-z]|\.env/;
    expect(lines.filter((line) => strange.test(line))).to.deep.equal([]);
  });

  it('load nothing from other hosts, run no inline scripts, and have no broken links', async () => {
    const checked = new Set<string>();
    for (const link of (await guidePage(service, '/docs')).querySelectorAll('.menu nav a')) {
      const path = link.getAttribute('href') ?? '';
      const { headers, text: html } = await service.call(`/${path}`);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy, path)
        .to.match(/default-src 'self';script-src 'self';/)
        .and.not.match(/unsafe/);
      // Wide content can be scrolled by keyboard.
      expect(html, path).not.to.contain('<pre>');
      for (const element of parse(html).querySelectorAll('[src], link[rel=stylesheet], a[href^="/"]')) {
        const target = element.getAttribute('src') ?? element.getAttribute('href') ?? '';
        expect(target, path).to.match(/^\//);
        if (checked.has(target)) continue;
        checked.add(target);
        const [to = '', id] = target.split('#');
        const found = await service.call(`/${to}`, { method: id ? 'GET' : 'HEAD' });
        expect(found.status, `${target} on ${path}`).to.equal(200);
        if (id) expect(parse(found.text).getElementById(id), `${target} on ${path}`).to.not.equal(null);
      }
    }
  });

  it('label each cell of a table with its heading on a phone', async function () {
    for (const { path } of listGuidePages(service.config)) {
      for (const table of (await guidePage(service, path)).querySelectorAll('.guide table')) {
        const headings = table.querySelectorAll('thead th').map(({ text }) => text);
        for (const row of headings.length > 0 ? table.querySelectorAll('tbody tr') : []) {
          const labels = row.querySelectorAll('th, td').map((cell) => cell.getAttribute('data-label'));
          expect(labels, path).to.deep.equal(headings);
        }
      }
    }
    const { page } = await openWindow(await borrowBrowser(this), service.baseUrl, {
      viewport: { width: 360, height: 800 },
    });
    await page.goto('/docs/people');
    const said = `getComputedStyle(document.querySelector('#hosts + .table tbody td:last-child'), '::before').content`;
    expect(await page.evaluate(said)).to.equal('"Answer"');
  });

  it('are smaller than 100 KB over the wire, even the reference with its styles and scripts', async () => {
    const shown = await guidePage(service, '/docs/reference');
    const named = shown.querySelectorAll('link[rel=stylesheet], link[rel=icon], script[src]');
    const paths = named.map((one) => one.getAttribute('href') ?? one.getAttribute('src') ?? '');
    let bytes = 0;
    for (const path of ['/docs/reference', ...paths]) bytes += await wireBytes(path);
    expect(bytes).to.be.below(100_000);
  });

  async function wireBytes(path: string): Promise<number> {
    const request = get(`${service.baseUrl}${path}`, { headers: { 'Accept-Encoding': 'br, gzip' } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    let bytes = 0;
    for await (const part of response) bytes += part.length;
    return bytes;
  }
});

describe('retention periods in the guide', () => {
  for (const [RETENTION_DAYS, HISTORY_DAYS, kept, ofRanks, inHistory] of [
    ['90', '1100', '90 days', '30 days', '1,100 days'],
    ['1', '2', '1 day', '1 day', '2 days'],
  ] as const) {
    it(`are the same on both pages, with their unit: ${kept}, ${ofRanks}, ${inHistory}`, async () => {
      const service = await TestService.start({ RETENTION_DAYS, HISTORY_DAYS });
      afterTest(() => service.stop());
      const answers = (await guidePage(service, '/docs/answers')).text;
      expect(answers).to.contain(
        `Results are kept for ${kept}. Index verdicts and ranks are kept in the history for ${inHistory}.`,
      );
      expect(answers).to.contain(`results are kept for ${ofRanks} and shown`);
      const rows = (await guidePage(service, '/docs/limits')).querySelectorAll('tbody tr');
      const limits = Object.fromEntries(
        rows.map((row) => row.querySelectorAll('th, td').map((cell) => cell.text)),
      );
      expect(limits).to.include({
        'Results are kept': kept,
        'The results of a rank are kept': ofRanks,
        'Index verdicts and ranks are kept': inHistory,
      });
    });
  }
});

/** Removes all but the first operations from the reference. */
const fewOperations = `[...document.querySelectorAll('article > details')].slice(3).forEach((one) => one.remove())`;

/** Selects the axe rules for scrollable boxes and tables, which depend on layout. */
const ofWidth = ['scrollable-region-focusable', 'empty-table-header', 'td-headers-attr', 'th-has-data-cells'];

/** Finds elements that overflow the window and cannot be scrolled. */
const tooWide = `document.documentElement.scrollWidth <= window.innerWidth
  ? []
  : [...document.querySelectorAll('body *')]
      .filter((one) => one.getBoundingClientRect().right > window.innerWidth && !one.closest('pre, .table, .tabs'))
      .map((one) => one.outerHTML.slice(0, 150))`;

/** Finds lines of samples that wrap. A wrapped line looks like two lines. */
const wrappedLines = `[...document.querySelectorAll('pre code')].flatMap((code) => {
    const lines = code.textContent.trimEnd().split('\\n').length;
    const range = document.createRange();
    range.selectNodeContents(code);
    const tops = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)));
    return tops.size > lines ? [tops.size + ' lines of ' + lines + ': ' + code.textContent.slice(0, 60)] : [];
  })`;

/** Finds words that are split over two lines, outside code blocks. */
const brokenWords = `[...document.querySelectorAll('article p, article li, article th, article td, article summary')]
  .flatMap((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const broken = [];
    while (walker.nextNode()) {
      const whole = document.createRange();
      whole.selectNodeContents(walker.currentNode);
      if (whole.getClientRects().length < 2) continue;
      for (const { 0: word, index } of walker.currentNode.data.matchAll(/\\w+/g)) {
        const range = document.createRange();
        range.setStart(walker.currentNode, index);
        range.setEnd(walker.currentNode, index + word.length);
        const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
        if (new Set(tops).size > 1) broken.push(word);
      }
    }
    return broken;
  })`;

function askingAbout(host: string, asked: string, token: string): [string, { token: string; body: object }] {
  if (asked === 'rank')
    return ['/keyword-track', { token, body: { queries: [{ url: host, keyword: 'shoes' }] } }];
  return [asked === 'index' ? '/check' : '/http-status', { token, body: { url: `https://${host}/` } }];
}
