import { expect } from 'chai';
import { parse } from 'node-html-parser';
import type { TestAccount } from '../../../support/accounts.ts';
import { type FormClient, visit } from '../../../support/dashboard.ts';
import { monitored } from '../../../support/monitored.ts';
import { TestService } from '../../../support/service.ts';
import { serve } from '../../../support/web.ts';

describe('the list of a monitor', () => {
  let service: TestService;
  let account: TestAccount;
  let browser: FormClient;

  before(async () => {
    service = await TestService.start();
  });

  beforeEach(async () => {
    account = await service.account(1000);
    browser = await visit(service, account);
  });

  after(() => service.stop());

  it('is edited in the box, keeps what stays, and is searched', async () => {
    const monitor = await shop();
    const path = `/monitors/${monitor.monitorId}`;
    const from = `/?monitor=${monitor.monitorId}`;
    const page = await browser.get(from);
    expect(page.text)
      .to.contain('https://a.example/1\nhttps://a.example/2</textarea>')
      .and.contain('id="go">Save this list · 2 credits a run</button>')
      .and.not.contain('Check this every day');
    const form = { monitor: monitor.monitorId, check: 'watch', type: 'http', once: 'list' };
    const text = 'https://a.example/2\nhttps://a.example/Three';
    const kept = await browser.post('/', { ...form, text }, { from });
    expect([kept.status, kept.location]).to.deep.equal([303, `${path}/subjects`]);
    const subjects = parse((await browser.get(`${path}/subjects`)).text);
    expect(subjects.querySelector('.notice')?.text).to.contain('It holds from the next run on');
    const rows = subjects.querySelectorAll('tbody tr').map((row) => row.text.replaceAll(/\s+/g, ' '));
    expect(rows).to.have.length(3);
    expect(rows.filter((row) => row.includes('Taken off the list'))).to.have.length(1);
    expect((await browser.get(path)).text).to.contain('2 addresses');
    const found = parse((await browser.get(`${path}/subjects?q=three`)).text).querySelectorAll('tbody tr');
    expect(found).to.have.length(1);
    expect((await browser.get(`${path}/subjects?q=%25`)).text).to.contain('Nothing here fits');

    const wrong = await browser.post('/', { ...form, text, type: 'index' }, { from });
    expect([wrong.status, wrong.text.includes('What a monitor checks is fixed')]).to.deep.equal([422, true]);
    const none = await browser.post('/', { ...form, text: 'no address' }, { from });
    expect(none.status).to.equal(422);
    const stranger = await visit(service, await service.account(0));
    expect((await stranger.get(from)).status).to.equal(404);
    expect((await stranger.post('/', { ...form, text }, { from: '/' })).status).to.equal(404);
  });

  it('follows a sitemap by its field, and stays once that is emptied', async () => {
    const listed = ['https://a.example/2', 'https://a.example/3', 'https://a.example/4'];
    const site = await serve((_req, res) => {
      res.end(`<urlset>${listed.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`);
    });
    const path = `/monitors/${(await shop()).monitorId}`;
    const terms = { name: 'Shop', every: 'day', timezone: 'UTC', when: 'changed' };
    const change = (sitemap_url: string) =>
      browser.post(`${path}/change`, { ...terms, sitemap_url }, { from: path });
    const standing = async () => {
      const page = parse((await browser.get(path)).text);
      const field = page.querySelector('[name=sitemap_url]')?.getAttribute('value');
      return [field, /\d+ addresses/.exec(page.text)?.[0]];
    };
    try {
      await change(`${site.url}/sitemap.xml`);
      expect(await standing()).to.deep.equal([`${site.url}/sitemap.xml`, '3 addresses']);
      await change('');
      expect(await standing()).to.deep.equal(['', '3 addresses']);
    } finally {
      await site.close();
    }
  });

  it('gives queries back as they were asked', async () => {
    const text =
      'keyword,url,country,device,competitors\nred shoes,a.example,DE,mobile,b.example c.example\n';
    const form = { text, type: 'ranks', check: 'watch', once: 'q', understood: '' };
    const read = await browser.post('/read', { text, type: 'ranks' }, { from: '/' });
    const field = (name: string) =>
      parse(read.text).querySelector(`[name=${name}]`)?.getAttribute('value') ?? '';
    const understood = { about: field('about'), understood: field('understood'), kind: field('kind') };
    const made = await browser.post('/', { ...form, ...understood });
    expect(made.status, made.text).to.equal(303);
    const monitorId = made.location?.split('/').at(-1) ?? '';
    const fingerprints = () =>
      service.db
        .selectFrom('subjects')
        .select(['subjectId', 'leftAt'])
        .where('accountId', '=', account.accountId)
        .where('monitorId', '=', monitorId)
        .execute();
    const before = await fingerprints();
    const from = `/?monitor=${monitorId}`;
    const page = parse((await browser.get(from)).text);
    const value = (name: string) => page.querySelector(`#box [name=${name}]`)?.getAttribute('value') ?? '';
    const again = {
      ...{ monitor: monitorId, check: 'watch', type: 'ranks', once: 'again' },
      ...{ about: value('about'), understood: value('understood'), kind: value('kind') },
      text: page.querySelector('textarea')?.text ?? '',
    };
    const saved = await browser.post('/', again, { from });
    expect(saved.status, saved.text).to.equal(303);
    expect(before).to.have.length(1);
    expect(await fingerprints()).to.deep.equal(before);
  });

  const shop = () =>
    monitored(service, account.accountId, 'http', [
      { url: 'https://a.example/1' },
      { url: 'https://a.example/2' },
    ]);
});
