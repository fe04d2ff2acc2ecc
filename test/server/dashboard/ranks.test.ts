import { expect } from 'chai';
import { sql } from 'kysely';
import { FormClient, signedIn } from '../../support/dashboard.ts';
import { TestService } from '../../support/service.ts';

describe('the page of ranks over time', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });

  after(() => service.stop());

  it('has all queries that were checked twice, page by page, however many checks came since', async () => {
    const account = await service.account(0);
    const browser = new FormClient(service.baseUrl);
    browser.cookies.set('sonde_session', await signedIn(service, account));
    // 80 queries twice, and then 1,500 checks of others once.
    await sql`
      insert into history (account_id, request_id, type, state, input, series, rank, checked_at)
      select ${account.accountId}, -n, 'keyword', 'success',
        json_build_object('keyword', 'kw-' || what || '.', 'target_url', 'a.example', 'country', 'US', 'language', 'en',
          'device', 'desktop'),
        sha256(convert_to('kw-' || what, 'UTF8')), 7, now() - (2000 - n) * interval '1 minute'
      from (
        select n, case when n <= 160 then n % 80 else n end as what from generate_series(1, 1660) as n) as points`.execute(
      service.db,
    );
    const first = await browser.get('/ranks');
    expect(first.text).to.contain('1–50 of 80');
    const second = await browser.get('/ranks?page=2');
    expect(second.text).to.contain('51–80 of 80');
    const shown = new Set((first.text + second.text).match(/>kw-\d+\.<\/a>/g));
    expect(shown.size).to.equal(80);
    expect((await browser.get('/ranks?q=kw-79.')).text)
      .to.contain('>kw-79.</a>')
      .and.not.to.contain('>kw-78.</a>');
  });
});
