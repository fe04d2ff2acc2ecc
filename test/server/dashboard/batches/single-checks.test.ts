import { expect } from 'chai';
import { sql } from 'kysely';
import { visit } from '../../../support/dashboard.ts';
import { useService } from '../../../support/service.ts';

describe('the page of single checks', () => {
  const service = useService();

  it('lists single checks of all types, of its account only', async () => {
    const account = await service.account(10);
    const { token } = account;
    await service.call('/check', { token, body: { url: 'https://indexed.example/one' } });
    await service.call('/http-status', { token, body: { url: 'http://127.0.0.1:9/dead' } });
    await service.call('/keyword-track', {
      token,
      body: { queries: [{ keyword: 'boots', url: 'rank-7.example' }] },
    });
    const { text } = await (await visit(service, account)).get('/batches/singles');
    for (const shown of [
      'Google index',
      'HTTP status',
      'Ranks',
      'indexed.example/one',
      '/dead',
      'boots',
      '#7',
    ]) {
      expect(text).to.contain(shown);
    }
    expect(text.indexOf('boots')).to.be.below(text.indexOf('/dead'));
    const other = await visit(service, await service.account(0));
    expect((await other.get('/batches/singles')).text)
      .to.contain('No single checks yet')
      .and.not.to.contain('boots');
    expect((await other.get('/batches')).text).to.contain('href="/batches/singles"');
  });

  it('is linked from the ledger entry', async () => {
    const account = await service.account(9000);
    const [{ token }, browser] = [account, await visit(service, account)];
    await service.call('/check', { token, body: { url: 'https://indexed.example/one' } });
    await service.call('/keyword-track', {
      token,
      body: { queries: [{ keyword: 'red boots', url: 'rank-7.example' }] },
    });
    await browser.post('/credits/alert', { threshold: '8,500' });
    const { text } = await browser.get('/credits');
    expect(text)
      .to.contain('href="/address?url=https%3A%2F%2Findexed.example%2Fone">https://indexed.example/one</a>')
      .and.to.contain('href="/ranks/checks?q=red+boots">red boots</a>')
      .and.to.contain('value="8,500"')
      .and.not.to.match(/check \d{5,}/);
  });

  it('has pages of 25 checks', async () => {
    const account = await service.account(0);
    await sql`
      insert into items (account_id, request_id, type, state, input, outcome, checked_at)
      select ${account.accountId}, -n, 'index', 'success', json_build_object('url', 'https://a.example/' || n),
        json_build_object('is_indexed', true, 'match', 'exact', 'found_by', 'url', 'provider', 'sandbox'),
        now() - n * interval '1 second'
      from generate_series(1, 60) as n`.execute(service.db);
    const { text } = await (await visit(service, account)).get('/batches/singles?page=2');
    expect(text).to.contain('26–50').and.to.contain('https://a.example/26<');
  });
});
