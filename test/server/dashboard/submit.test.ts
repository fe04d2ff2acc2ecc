import { expect } from 'chai';
import type { TestAccount } from '../../support/accounts.ts';
import { FormClient, signedIn } from '../../support/dashboard.ts';
import { TestService } from '../../support/service.ts';

describe('a button of the box', () => {
  let service: TestService;
  let account: TestAccount;
  let browser: FormClient;

  before(async () => {
    service = await TestService.start();
    account = await service.account(100);
    browser = new FormClient(service.baseUrl);
    browser.cookies.set('sonde_session', await signedIn(service, account));
  });

  after(() => service.stop());

  it('takes what the box said it would: each thing once, whatever its number of lines', async () => {
    const lines = Array.from({ length: 2005 }, (_, number) => `https://indexed.example/${number % 5}`);
    const sent = await browser.post('/', { check: 'index', text: lines.join('\n') });
    expect(sent.status).to.equal(303);
    const { text } = await browser.get(sent.location!);
    expect(text).to.contain('0 of 5 checked').and.to.contain('2,000 duplicates checked once');
    expect(await service.credits(account.accountId)).to.equal(95);
  });

  it('gives a batch the name that was written beside it', async () => {
    const text = 'https://indexed.example/named';
    const sent = await browser.post('/', { check: 'index', text, name: ' October <crawl> ' });
    expect((await browser.get(sent.location!)).text).to.contain('<h1>October &lt;crawl&gt;</h1>');
    const { body } = await service.call(`/batches?q=october`, { token: account.token });
    expect(body.data[0]).to.include({ name: 'October <crawl>', reference: null });
  });

  it('says what is wrong with a table, and gives the text back', async () => {
    const answer = await browser.post('/', {
      check: 'index',
      text: 'name,url\n"Shoes,https://indexed.example/',
    });
    expect(answer.status).to.equal(422);
    expect(answer.text).to.match(/role="alert">Line 2: a quote is not closed\./);
    expect(answer.text).to.contain('&quot;Shoes,https://indexed.example/</textarea>');
  });

  it('makes batches of one submission of what is too long for one, all or none', async () => {
    const rich = await service.account(4_500);
    const window = new FormClient(service.baseUrl);
    window.cookies.set('sonde_session', await signedIn(service, rich));
    const lines = (count: number) =>
      Array.from({ length: count }, (_, number) => `https://indexed.example/${number}`).join('\n');
    const form = { check: 'index', text: lines(4_001), once: 'one' };
    const batchesOf = async () =>
      (await service.call('/batches', { token: rich.token })).body.data as Array<{
        total: number;
        submission_id: string;
      }>;

    const poor = await window.post('/', { ...form, text: lines(5_000) });
    expect([poor.status, (await batchesOf()).length]).to.deep.equal([402, 0]);
    expect(poor.text).to.contain('3 batches of one submission');

    const sent = await window.post('/', form);
    expect((await window.post('/', form)).location).to.equal(sent.location);
    const made = await batchesOf();
    expect(made.map(({ total }) => total).sort()).to.deep.equal([1, 2000, 2000]);
    const id = made[0]?.submission_id;
    expect(sent.location).to.equal(`/submissions/${id}`);
    expect(await service.credits(rich.accountId)).to.equal(499);

    const { text } = await window.get(`/submissions/${id}`);
    expect(text)
      .to.contain('0 of 4,001 checked')
      .and.to.contain('3 batches')
      .and.to.contain('4,001 credits charged');
    const home = await window.get('/');
    expect(home.text.split(`href="/submissions/${id}"`)).to.have.length(2);
    expect(
      (await window.post(`/submissions/${id}/cancel`, {}, { from: `/submissions/${id}` })).status,
    ).to.equal(303);
    expect(await service.credits(rich.accountId)).to.equal(4_500);
    expect((await browser.get(`/submissions/${id}`)).status).to.equal(404);
  });
});
