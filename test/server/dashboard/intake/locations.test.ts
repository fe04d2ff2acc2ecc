import { expect } from 'chai';
import { parse } from 'node-html-parser';
import { bringAxe, faultsOf } from '../../../support/axe.ts';
import { createByForm, fieldIn, openAs, visit } from '../../../support/dashboard.ts';
import { useService } from '../../../support/service.ts';

describe('the city of rank checks in the dashboard', () => {
  const service = useService({}, { worker: true });

  it('is chosen in the form without script, and shown in results, history and monitors', async () => {
    const account = await service.account(100);
    const browser = await visit(service, account);
    const form = {
      ...{ check: 'ranks', target: 'rank-7.example', country: 'US', language: 'pt-BR', pages: '1' },
      ...{ location: 'são paulo, brazil', text: 'keyword,location\npizza,\npizza,"Austin, TX"' },
    };
    // A table is sent again with the confirmation of how it is read.
    const { text: reading } = await browser.post('/', form);
    Object.assign(form, { understood: fieldIn(reading, 'understood') });
    const [first, second] = [
      await browser.post('/', form),
      await browser.post('/', { ...form, once: 'two' }),
    ];
    for (const { status, location } of [first, second]) {
      expect(status).to.equal(303);
      await service.ended(account.token, location.split('/').at(-1) ?? '');
    }
    const places = [
      'São Paulo, São Paulo, Brazil · pt-BR · desktop',
      'Austin, Texas, United States · pt-BR · desktop',
    ];
    const batch = (await browser.open(first.location)).text;
    for (const place of places) expect(batch).to.contain(`rank-7.example · ${place}`);
    const ranks = await browser.open('/ranks/checks?q=paulo');
    expect(ranks.querySelectorAll('[data-label=Where]').map(({ text }) => text)[0]).to.equal(places[0]);
    expect(ranks.querySelector('#line')?.text).to.contain(`rank-7.example · ${places[0]}`);

    const { made } = await createByForm(browser, { ...form, check: 'watch', type: 'ranks' });
    const id = made.location.split('/')[2]?.split('?')[0];
    const subjects = await browser.open(`/monitors/${id}/subjects?q=austin`);
    const rows = subjects.querySelectorAll('.courses tbody tr');
    expect(rows.map(({ text }) => text.replace(/\s+/g, ' ')).join()).to.contain(
      `rank-7.example · ${places[1]}`,
    );
    expect(rows).to.have.length(1);
    const again = (await browser.open(`/?monitor=${id}`)).querySelector('textarea')?.text;
    expect(again).to.contain('"Austin, Texas, United States"');
  });

  it('is refused in the form with the candidates', async () => {
    const browser = await visit(service, await service.account(100));
    const text = 'pizza';
    const form = { check: 'ranks', target: 'a.example', location: 'Springfield', text };
    const { status, text: page } = await browser.post('/', form);
    expect(status).to.equal(422);
    const shown = parse(page);
    expect(shown.querySelector('.faults')?.text).to.contain('Springfield, Missouri, United States');
    expect(shown.querySelector('input[name=location]')?.getAttribute('value')).to.equal('Springfield');
  });

  it('is suggested while the user types', async function () {
    const { context, page, complaints } = await openAs(this, service, await service.account(100));
    await bringAxe(context);
    await page.goto('/?check=ranks');
    await page.getByRole('combobox', { name: 'City' }).pressSequentially('munch');
    await page.getByRole('combobox', { name: 'City' }).fill('münch');
    const option = page.locator('#locations option').first();
    await option.and(page.locator('[value="Munich, Bavaria, Germany"]')).waitFor({ state: 'attached' });
    expect(await faultsOf(page)).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });
});
