import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { TestAccount } from '../../../support/accounts.ts';
import { borrowBrowser, openWindow } from '../../../support/browser.ts';
import { enter } from '../../../support/dashboard.ts';
import { useService } from '../../../support/service.ts';

describe('a file in the form of the start page', () => {
  const service = useService();
  let account: TestAccount;

  beforeEach(async () => {
    account = await service.account(100);
  });

  async function open(test: Mocha.Context) {
    const window = await openWindow(await borrowBrowser(test), service.baseUrl);
    await enter(window.context, service, account);
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
    const { context, page, complaints } = await open(this);
    await field(page).fill('https://indexed.example/typed');
    await reading(page).getByText('1 URL,').waitFor();
    await page
      .getByLabel('Choose a file')
      .setInputFiles(csv('url\nhttps://a.example/\nhttps://b.example/\n'));
    await reading(page).getByText('2 URLs,').waitFor();
    expect(await field(page).isVisible()).to.equal(false);
    expect(await field(page).inputValue()).to.equal('https://indexed.example/typed');
    expect(await name(page).inputValue()).to.equal('list.csv');
    expect(await page.getByRole('button', { name: 'Check 2 URLs · 2 credits' }).isVisible()).to.equal(true);
    await page.getByRole('button', { name: 'Remove file' }).click();
    await reading(page).getByText('1 URL,').waitFor();
    expect(await field(page).isVisible()).to.equal(true);
    expect(await name(page).inputValue()).to.equal('');
    expect(complaints).to.deep.equal([]);
    await context.close();
  });

  it('can be dropped anywhere, or pasted; copied cells stay text', async function () {
    const { context, page, complaints } = await open(this);
    await bring(page, 'drop', { 'dropped.csv': 'https://a.example/\nhttps://b.example/\n' });
    await page.locator('#chosen-file').getByText('dropped.csv').waitFor();
    await name(page).fill('My name');
    await bring(page, 'paste', { 'pasted.txt': 'https://a.example/\n' });
    await page.locator('#chosen-file').getByText('pasted.txt').waitFor();
    await reading(page).getByText('1 URL,').waitFor();
    expect(await name(page).inputValue()).to.equal('My name');
    // `dispatchEvent` returns true when the page leaves the event to the browser.
    expect(await bring(page, 'paste', { 'image.png': 'x' }, 'a\tb')).to.equal(true);
    await bring(page, 'drop', { 'one.csv': 'a', 'two.csv': 'b' });
    await page.getByText('Choose one file at a time.').waitFor();
    await page.locator('#chosen-file').getByText('pasted.txt').waitFor();
    expect(complaints).to.deep.equal([]);
    await context.close();
  });

  it('starts its check with the name of the file, and moves the switch unless the user has set it', async function () {
    const { context, page, complaints } = await open(this);
    const checked = () => page.locator('.switch :checked').inputValue();
    const file = csv('keyword,url\nshoes,https://a.example/\nbags,https://b.example/\n', 'ranks.csv');
    await page.getByLabel('Choose a file').setInputFiles(file);
    await page.getByRole('button', { name: 'Check 2 keywords · 2 credits' }).waitFor();
    expect(await checked()).to.equal('ranks');
    await page.getByRole('radio', { name: 'Google index' }).check();
    await page.getByRole('button', { name: 'Check 2 URLs · 2 credits' }).click();
    await page.getByRole('heading', { name: 'ranks.csv' }).waitFor();
    expect(await service.credits(account.accountId)).to.equal(98);
    expect(complaints).to.deep.equal([]);
    await context.close();
  });

  it('shows its progress while it is uploaded, and an error beside the field', async function () {
    const { context, page } = await open(this);
    const { promise: sent, resolve: letGo } = Promise.withResolvers<void>();
    await page.route('**/file?*', async (route) => {
      await sent;
      await route.fulfill({ status: 429, contentType: 'text/plain', body: 'Another file is being read.' });
    });
    await name(page).fill('Kept');
    await page.getByLabel('Choose a file').setInputFiles(csv('https://a.example/\n'));
    await page.getByRole('progressbar', { name: 'Upload' }).waitFor();
    letGo();
    await page.getByRole('alert').getByText('Another file is being read.').waitFor();
    expect(await page.getByRole('progressbar', { name: 'Upload' }).isVisible()).to.equal(false);
    expect(await name(page).inputValue()).to.equal('Kept');
    await page.unroute('**/file?*');
    await page.evaluate("document.querySelector('#file').dataset.bytesMax = '10'");
    await page.getByLabel('Choose a file').setInputFiles(csv('https://a.example/\n'));
    await page.getByRole('alert').getByText('Files are limited to 32 MB.').waitFor();
    await context.close();
  });
});
