import { expect } from 'chai';
import { beginCheck, openAs } from '../../support/dashboard.ts';
import { useService } from '../../support/service.ts';

describe('the dashboard without a worker', () => {
  const service = useService();

  it('cancels a batch with a refund, and retries the rest', async function () {
    const account = await service.account(100);
    const { page, complaints } = await openAs(this, service, account);
    await page.goto('/');
    await page.getByRole('link', { name: 'Try with sample data' }).click();
    await beginCheck(page, 'index');
    await page.getByText('Waiting').first().waitFor();
    expect(await service.credits(account.accountId)).to.equal(80);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Credits for unfinished checks were refunded.').waitFor();
    await page.getByText('20 credits charged, 20 refunded').waitFor();
    await page.getByText('0 of 20 checked', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Canceled 20 refunded' }).waitFor();
    expect(await page.getByText('100%').count()).to.equal(0);
    await page.getByRole('button', { name: 'Retry unchecked' }).click();
    await page.getByText('Retry of an earlier batch').waitFor();
    expect(await service.credits(account.accountId)).to.equal(80);
    expect(await page.getByRole('button', { name: 'Retry unchecked' }).count()).to.equal(0);
    expect(complaints).to.deep.equal([]);
  });

  it('shows that a batch has ended, and keeps the text in the form', async function () {
    const account = await service.account(100);
    const body = { urls: ['https://indexed.example/'], reference: 'Ends meanwhile' };
    const started = await service.call('/check/bulk', { token: account.token, body });
    const { page, complaints } = await openAs(this, service, account);
    await page.clock.install();
    await page.goto('/');
    await page.getByRole('region', { name: 'Running' }).getByText('Ends meanwhile').waitFor();
    await page.getByLabel('What to check').fill('https://example.com/typed');
    await service.call(`/batch/${started.body.batch_id}/cancel`, { token: account.token, method: 'POST' });
    await page.clock.fastForward(10_000);
    await page.getByRole('region', { name: 'Last checked' }).getByText('Canceled').waitFor();
    expect(await page.getByRole('region', { name: 'Running' }).count()).to.equal(0);
    expect(await page.locator('#activity').getAttribute('hx-get')).to.equal(null);
    expect(await page.getByLabel('What to check').inputValue()).to.equal('https://example.com/typed');
    expect(complaints).to.deep.equal([]);
  });

  it('keeps the text until the submission is accepted', async function () {
    const account = await service.account(100);
    const { page } = await openAs(this, service, account);
    const typed = 'https://indexed.example/typed';
    const box = page.getByLabel('What to check');
    await page.goto('/');
    await box.fill(typed);
    await page.locator('#reading').getByText('1 URL').waitFor();
    await page.route('**/*', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await beginCheck(page, 'index');
    await page.unroute('**/*');
    await page.goto('/');
    expect(await box.inputValue()).to.equal(typed);
    await page.locator('#reading').getByText('1 URL').waitFor();
    await beginCheck(page, 'index');
    await page.waitForURL('**/batches/*');
    await page.goto('/');
    expect(await box.inputValue()).to.equal('');
  });

  it('says that the service is unavailable, and continues when it is back', async function () {
    const account = await service.account(100);
    const body = { urls: ['https://indexed.example/'], reference: 'Goes on' };
    const { batch_id: id } = (await service.call('/check/bulk', { token: account.token, body })).body;
    const { page } = await openAs(this, service, account);
    // The page polls every few seconds, which the test skips.
    await page.clock.install();
    await page.goto(`/batches/${id}`);
    expect(await page.title()).to.equal('0% · Goes on · Sonde');
    await page.route('**/live*', (route) => route.abort());
    await page.clock.fastForward(10_000);
    await page.getByText('Sonde is not responding.').waitFor();
    await page.unroute('**/live*');
    await page.clock.fastForward(10_000);
    await page.getByText('Sonde is not responding.').waitFor({ state: 'hidden' });
    await service.call(`/batch/${id}/cancel`, { token: account.token, method: 'POST' });
    await page.clock.fastForward(10_000);
    await page.getByText('Canceled: 0 of 1 checked').waitFor({ state: 'attached' });
    expect(await page.title()).to.equal('Goes on · Sonde');
  });

  it('opens and closes menus by keyboard, and sets the language from the country', async function () {
    const { page, complaints } = await openAs(this, service, await service.account(100));
    await page.goto('/');
    await page.locator('summary', { hasText: 'Developers' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).to.equal('Tokens');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('link', { name: 'Tokens' }).isVisible()).to.equal(false);
    expect(await page.locator(':focus').innerText()).to.equal('Developers');
    expect(await page.locator('select[name=country]').isVisible()).to.equal(false);
    await page.getByRole('radio', { name: 'Ranks' }).check();
    await page.locator('select[name=country]').selectOption('DE');
    expect(await page.locator('select[name=language]').inputValue()).to.equal('de');
    await page.locator('select[name=language]').selectOption('fr');
    await page.locator('select[name=country]').selectOption('BR');
    expect(await page.locator('select[name=language]').inputValue()).to.equal('fr');
    expect(complaints).to.deep.equal([]);
  });
});
