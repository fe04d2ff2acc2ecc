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

  it('says what is wrong with a table, and gives the text back', async () => {
    const answer = await browser.post('/', {
      check: 'index',
      text: 'name,url\n"Shoes,https://indexed.example/',
    });
    expect(answer.status).to.equal(422);
    expect(answer.text).to.match(/role="alert">Line 2: a quote is not closed\./);
    expect(answer.text).to.contain('&quot;Shoes,https://indexed.example/</textarea>');
  });
});
