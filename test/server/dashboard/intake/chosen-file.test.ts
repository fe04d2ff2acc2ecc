import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { strToU8, zipSync } from 'fflate';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { bringAxe, ColourJudge, faultsOf } from '../../../support/axe.ts';
import { openAs } from '../../../support/dashboard.ts';
import { useAccount, useService } from '../../../support/service.ts';
import { createZip } from '../../../support/workbook.ts';

describe('a file in the form of the start page', () => {
  const service = useService();
  const account = useAccount(service, 100, { isForEach: true });

  async function open(test: Mocha.Context, options: BrowserContextOptions = {}) {
    const window = await openAs(test, service, account, options);
    await window.page.goto('/');
    return window;
  }

  const csv = (text: string, name = 'list.csv') => ({
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  });
  const reading = (page: Page) => page.locator('#reading');
  const field = (page: Page) => page.getByLabel('What to check');
  const name = (page: Page) => page.getByRole('textbox', { name: 'Name' });

  /** Drops files on the form, or pastes them, as the browser reports it. */
  const bring = (page: Page, event: 'drop' | 'paste', files: Record<string, string>, text = '') =>
    page.evaluate<boolean>(`((event, files, text) => {
      const data = new DataTransfer();
      for (const [name, content] of Object.entries(files)) data.items.add(new File([content], name));
      if (text) data.items.add(text, 'text/plain');
      const init = { bubbles: true, cancelable: true, dataTransfer: data, clipboardData: data };
      const target = document.querySelector(event === 'drop' ? '.actions' : '#text');
      return target.dispatchEvent(new (event === 'drop' ? DragEvent : ClipboardEvent)(event, init));
    })(${JSON.stringify(event)}, ${JSON.stringify(files)}, ${JSON.stringify(text)})`);

  it('takes the place of the text, proposes its name, and gives both back when it is removed', async function () {
    const { page, complaints } = await open(this);
    await field(page).fill('https://indexed.example/typed');
    await reading(page).getByText('1 URL;').waitFor();
    await page
      .getByLabel('Choose a file')
      .setInputFiles(csv('url\nhttps://a.example/\nhttps://b.example/\n'));
    await reading(page).getByText('2 URLs;').waitFor();
    expect(await field(page).isVisible()).to.equal(false);
    expect(await field(page).inputValue()).to.equal('https://indexed.example/typed');
    expect(await name(page).inputValue()).to.equal('list.csv');
    expect(await page.getByRole('button', { name: 'Check 2 URLs · 2 credits' }).isVisible()).to.equal(true);
    await page.getByRole('button', { name: 'Remove file' }).click();
    await reading(page).getByText('1 URL;').waitFor();
    expect(await field(page).isVisible()).to.equal(true);
    expect(await name(page).inputValue()).to.equal('');
    expect(complaints).to.deep.equal([]);
  });

  it('can be dropped anywhere, or pasted; copied cells stay text', async function () {
    const { page, complaints } = await open(this);
    await bring(page, 'drop', { 'dropped.csv': 'https://a.example/\nhttps://b.example/\n' });
    await page.locator('#chosen-file').getByText('dropped.csv').waitFor();
    await name(page).fill('My name');
    await bring(page, 'paste', { 'pasted.txt': 'https://a.example/\n' });
    await page.locator('#chosen-file').getByText('pasted.txt').waitFor();
    await reading(page).getByText('1 URL;').waitFor();
    expect(await name(page).inputValue()).to.equal('My name');
    // `dispatchEvent` returns true when the page leaves the event to the browser.
    expect(await bring(page, 'paste', { 'image.png': 'x' }, 'a\tb')).to.equal(true);
    await bring(page, 'drop', { 'one.csv': 'a', 'two.csv': 'b' });
    await page.getByText('Choose one file at a time.').waitFor();
    await page.locator('#chosen-file').getByText('pasted.txt').waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('starts its check with the name of the file, and moves the switch unless the user has set it', async function () {
    const { page, complaints } = await open(this);
    const checked = () => page.locator('.switch :checked').inputValue();
    const file = csv('keyword,url\nshoes,https://a.example/\nbags,https://b.example/\n', 'ranks.csv');
    await page.getByLabel('Choose a file').setInputFiles(file);
    await page.getByRole('button', { name: 'Check 2 keywords · 2 credits' }).waitFor();
    await reading(page).getByText('“Ranks” is selected, because this list contains keywords.').waitFor();
    expect(await checked()).to.equal('ranks');
    await page.getByRole('radio', { name: 'Google index' }).check();
    await page.getByRole('button', { name: 'Check 2 URLs · 2 credits' }).click();
    await page.getByRole('heading', { name: 'ranks.csv' }).waitFor();
    expect(await service.credits(account.accountId)).to.equal(98);
    expect(complaints).to.deep.equal([]);
  });

  it('does not move a switch that a link has set, or that the user has set before', async function () {
    const { page } = await open(this);
    const checked = () => page.locator('.switch :checked').inputValue();
    await page.goto('/?check=ranks');
    await page.getByLabel('Site or page').first().fill('a.example');
    const table = 'Title,Source url,Target url\nA blog,https://a.example/,https://b.example/\n';
    await page.getByLabel('Choose a file').setInputFiles(csv(table, 'backlinks.csv'));
    await reading(page).getByText('Which column has the keywords?').waitFor();
    expect(await checked()).to.equal('ranks');
    // Leaving the field reads the list again, while the answer is chosen.
    await page.getByLabel('Site or page').first().fill('b.example');
    await page.evaluate("document.querySelector('.ask').dataset.old = ''");
    await reading(page).getByText('Title').click();
    await page.locator('.ask:not([data-old])').waitFor();
    expect(await reading(page).getByRole('radio', { name: 'Title' }).isChecked()).to.equal(true);
    await page.goto('/');
    await page.getByRole('radio', { name: 'Google index' }).check();
    await page.getByLabel('Choose a file').setInputFiles(csv('keyword\nshoes\n', 'keywords.csv'));
    await reading(page).getByText('shoes').first().waitFor();
    expect(await checked()).to.equal('index');
  });

  it('shows its progress while it is uploaded, and an error beside the field', async function () {
    const { page } = await open(this);
    const { promise: sent, resolve: letGo } = Promise.withResolvers<void>();
    await page.route('**/file?*', async (route) => {
      await sent;
      await route.fulfill({ status: 429, contentType: 'text/plain', body: 'Another file is being read.' });
    });
    await name(page).fill('Kept');
    await page.getByLabel('Choose a file').setInputFiles(csv('https://a.example/\n'));
    await page.getByRole('progressbar', { name: 'Upload' }).waitFor();
    await page.getByText('Uploading list.csv').waitFor();
    expect(await page.locator('#go').isVisible()).to.equal(false);
    letGo();
    await page.getByRole('alert').getByText('Another file is being read.').waitFor();
    expect(await page.getByRole('progressbar', { name: 'Upload' }).isVisible()).to.equal(false);
    expect(await name(page).inputValue()).to.equal('Kept');
    await page.unroute('**/file?*');
    await page.evaluate("document.querySelector('#file').dataset.bytesMax = '10'");
    await page.getByLabel('Choose a file').setInputFiles(csv('https://a.example/\n'));
    await page.getByRole('alert').getByText('Files are limited to 32 MB.').waitFor();
  });

  /** Returns whether the page shows a price. */
  const showsPrice = async (page: Page) =>
    /credit/.test(await reading(page).innerText()) || (await page.locator('#go').isVisible());
  const asked = (page: Page, question: string) => page.locator('#summary').getByText(question).waitFor();
  const answer = (page: Page) => page.getByRole('button', { name: 'Continue' });
  const preview = (page: Page) => page.getByRole('list', { name: 'First entries' }).innerText();
  /** A ZIP with two tables, each with two columns of URLs. */
  const zip = (name = 'relaunch.zip') => ({
    ...{ name, mimeType: 'application/zip' },
    buffer: Buffer.from(
      zipSync({
        'Shop.csv': strToU8(table('shop')),
        'Blog.csv': strToU8(table('blog')),
      }),
    ),
  });

  it('asks one question at a time before the price, and every answer can change', async function () {
    const { page, complaints } = await open(this);
    await page.getByLabel('Choose a file').setInputFiles(zip());
    await asked(page, 'Which table do you want to check?');
    expect(await showsPrice(page)).to.equal(false);
    await page.getByRole('radio', { name: 'Shop.csv' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await asked(page, 'Which column has the URLs to check?');
    expect(await page.locator(':focus').innerText()).to.equal('Which column has the URLs to check?');
    expect(await showsPrice(page)).to.equal(false);
    await page.getByRole('radio', { name: 'New URL such as https://blog.example/new/0' }).check();
    await answer(page).click();
    await page.getByRole('button', { name: 'Check 12 URLs · 12 credits' }).waitFor();
    expect((await preview(page)).split('\n')).to.have.length(10);
    expect(await preview(page)).to.contain('https://blog.example/new/0');
    await reading(page).getByText('and 2 more').waitFor();

    await page.getByLabel('URLs from').selectOption('Old URL');
    await page.getByText('https://blog.example/old/0').waitFor();
    await page.getByLabel('Table').selectOption('Shop.csv');
    await asked(page, 'Which column has the URLs to check?');
    expect(await showsPrice(page)).to.equal(false);
    await page.getByRole('radio', { name: 'Old URL' }).check();
    await answer(page).click();
    await page.getByText('https://shop.example/old/0').waitFor();
    await page.getByRole('button', { name: 'Check 12 URLs · 12 credits' }).click();
    await page.getByRole('heading', { name: 'relaunch.zip' }).waitFor();
    expect(await service.credits(account.accountId)).to.equal(88);
    expect(complaints).to.deep.equal([]);
  });

  it('asks whether the typed site or a column is meant, and keeps what was typed', async function () {
    const { page, complaints } = await open(this);
    await page.getByRole('radio', { name: 'Ranks' }).check();
    const positions = 'Keyword,Position,URL\nshoes,3,https://shop.example/a\nbags,5,https://shop.example/b\n';
    await page.getByLabel('Choose a file').setInputFiles(csv(positions, 'positions.csv'));
    await page.getByRole('button', { name: 'Check 2 keywords · 2 credits' }).waitFor();
    expect(await preview(page)).to.contain('https://shop.example/a');
    await page.getByLabel('Site or page', { exact: true }).fill('shop.example');
    await page.keyboard.press('Tab');
    await asked(page, 'Which site do you want to find?');
    expect(await showsPrice(page)).to.equal(false);
    expect(await page.getByRole('radio', { name: 'shop.example for all keywords' }).isChecked()).to.equal(
      true,
    );
    await answer(page).click();
    await page.getByRole('button', { name: 'Check 2 keywords · 2 credits' }).waitFor();
    expect(await preview(page)).not.to.contain('https://shop.example/a');
    expect(await page.getByLabel('Site or page', { exact: true }).inputValue()).to.equal('shop.example');
    await page.getByLabel('Site or page from').selectOption('URL');
    await page.getByText('https://shop.example/a').waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('needs no script: it is chosen once, previewed, and each answer can change', async function () {
    const { page, complaints } = await open(this, { javaScriptEnabled: false });
    const log = ['/a', '/b', '/a'].map(
      (path) => `192.0.2.1 - - [26/Nov/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "Mozilla/5.0"`,
    );
    await field(page).fill('https://typed.example/');
    await page.getByLabel('Choose a file').setInputFiles(csv('https://a.example/\n', 'first.txt'));
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('1 URL;').waitFor();
    expect(await name(page).inputValue()).to.equal('first.txt');
    await page.getByLabel('Choose a file').setInputFiles(csv(`${log.join('\n')}\n`, 'access.log'));
    await page.locator('#go').click();
    await asked(page, 'Which site do these paths belong to?');
    expect(await showsPrice(page)).to.equal(false);
    await page.getByRole('textbox', { name: 'Host' }).fill('wrong.example');
    await answer(page).click();
    await page.getByText('https://wrong.example/a').waitFor();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('textbox', { name: 'Host' }).fill('indexed.example');
    await answer(page).click();
    await page.getByText('https://indexed.example/a').waitFor();
    expect(await field(page).inputValue()).to.equal('https://typed.example/');
    await page.getByRole('radio', { name: 'Google index' }).check();
    await page.getByRole('button', { name: 'Check 2 URLs · 2 credits' }).click();
    await page.getByRole('heading', { name: 'access.log' }).waitFor();
    expect(await service.credits(account.accountId)).to.equal(98);
    expect(complaints.filter((line) => !line.includes('422'))).to.deep.equal([]);
  });

  it('can have its hosts in any column, without a script and on a phone', async function () {
    const viewport = { width: 390, height: 844 };
    const { page, complaints } = await open(this, { javaScriptEnabled: false, viewport });
    const rows = 'www.shop.example,/a,10.0.0.1\nblog.shop.example,/b,10.0.0.2\n';
    await page
      .getByLabel('Choose a file')
      .setInputFiles(csv(`RequestHost,RequestPath,Client\n${rows}`, 'log.csv'));
    await page.getByRole('button', { name: 'Preview' }).click();
    await asked(page, 'Which column has the URLs to check?');
    await page.getByRole('radio', { name: 'RequestPath' }).check();
    await answer(page).click();
    await asked(page, 'Which site do these paths belong to?');
    await page.getByLabel('in column').selectOption('RequestHost');
    await answer(page).click();
    expect((await preview(page)).split('\n')).to.deep.equal([
      'https://www.shop.example/a',
      'https://blog.shop.example/b',
    ]);
    await page.getByLabel('Host from').selectOption('No column');
    await page.getByRole('button', { name: 'Update' }).click();
    await page.getByRole('textbox', { name: 'Host' }).fill('shop.example');
    await answer(page).click();
    expect(await preview(page)).to.contain('https://shop.example/b');
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).to.equal(390);
    expect(complaints).to.deep.equal([]);
  });

  it('that is empty, damaged or no list is refused in one sentence, and the form keeps its content', async function () {
    const { page, complaints } = await open(this);
    await field(page).fill('https://indexed.example/typed');
    await name(page).fill('Kept');
    const files = {
      'empty.csv': Buffer.alloc(0),
      'photo.png': Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
      'damaged.zip': zip().buffer.subarray(0, 200),
      'damaged.csv.gz': gzipSync('https://a.example/\n'.repeat(1000)).subarray(0, 40),
    };
    for (const [file, buffer] of Object.entries(files)) {
      await page.getByLabel('Choose a file').setInputFiles({ name: file, mimeType: '', buffer });
      await page.locator('#chosen-file').getByText(file).waitFor();
      const sentence = await page.locator('#summary.notice.bad').innerText();
      expect(sentence, file).to.match(/^(This|The) [^.]+\.( [A-Z][^.]+\.)?$/);
      expect(await page.locator('#go').isVisible(), file).to.equal(false);
      expect(await name(page).inputValue()).to.equal('Kept');
    }
    await page.getByRole('button', { name: 'Remove file' }).click();
    await reading(page).getByText('1 URL;').waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('replaces the list of a monitor', async function () {
    const body = { name: 'Shop', type: 'http', urls: ['https://shop.example/'], schedule: { every: 'day' } };
    const made = await service.call('/monitors', { token: account.token, body });
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    const { page, complaints } = await open(this);
    await page.goto(`/?monitor=${made.body.monitor.monitor_id}`);
    await page.getByLabel('Choose a file').setInputFiles(zip('list.zip'));
    await page.getByRole('radio', { name: 'Shop.csv' }).check();
    await answer(page).click();
    await page.getByRole('radio', { name: 'New URL' }).check();
    await answer(page).click();
    await page.getByRole('button', { name: 'Save list · 12 credits per run' }).click();
    await page.getByText('Saved. The next run uses this list.').waitFor();
    await page.getByText('https://shop.example/new/0').waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('is accessible in every step, light and dark, and fits a phone', async function () {
    const viewport = { width: 390, height: 844 };
    const { context, page } = await openAs(this, service, account, { viewport });
    await bringAxe(context);
    await page.goto('/');
    const colours = new ColourJudge();
    const faults: string[] = [];
    const inspect = async (step: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        faults.push(...(await colours.faultsOf(page)).map((fault) => `${step} ${colorScheme} ${fault}`));
      }
      faults.push(...(await faultsOf(page)).map((fault) => `${step} ${fault}`));
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (width > 390) faults.push(`${step} is ${width} pixels wide`);
    };
    const choose = (file: ReturnType<typeof csv>) => page.getByLabel('Choose a file').setInputFiles(file);
    await choose(zip());
    await asked(page, 'Which table');
    await inspect('table');
    await page.getByRole('radio', { name: 'Shop.csv' }).check();
    await answer(page).click();
    await asked(page, 'Which column');
    await inspect('column');
    await page.getByRole('radio', { name: 'New URL' }).check();
    await answer(page).click();
    await page.getByText('and 2 more').waitFor();
    await inspect('preview');
    await choose(csv('Page path,Users\n/a,5\n/b,4\n', 'pages.csv'));
    await page.getByRole('textbox', { name: 'Host' }).fill('shop.example');
    await inspect('host');
    await answer(page).click();
    await page.getByText('Added shop.example to 2 paths').waitFor();
    await inspect('host added');
    await choose(csv('https://a.example/1,2\nhttps://a.example/3,4\n', 'lines.txt'));
    await asked(page, 'Where does the URL end?');
    await inspect('whole');
    const cut = { [`${'x'.repeat(90)}.xml`]: '<urlset>', 'a.csv': 'url\nhttps://a.example/\n' };
    await choose({ name: 'cut.zip', mimeType: 'application/zip', buffer: createZip(cut) });
    await page.locator('.notice.warn').getByText('Not read: “xxx').waitFor();
    await inspect('not read');
    await choose(csv('', 'empty.csv'));
    await page.locator('#summary.notice.bad').waitFor();
    await inspect('problem');
    await page.getByRole('button', { name: 'Remove file' }).click();
    await page.getByRole('radio', { name: 'Ranks' }).check();
    await page.getByLabel('Site or page').fill('shop.example');
    await choose(csv('Keyword,URL\nshoes,https://a.example/\n', 'ranks.csv'));
    await asked(page, 'Which site do you want to find?');
    await inspect('value');
    expect(faults).to.deep.equal([]);
  });
});

/** Two columns of URLs, twelve rows. */
function table(site: string): string {
  const rows = Array.from(
    { length: 12 },
    (_, row) => `https://${site}.example/old/${row},https://${site}.example/new/${row}`,
  );
  return `Old URL,New URL\n${rows.join('\n')}\n`;
}
