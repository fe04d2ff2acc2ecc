import { expect } from 'chai';
import { sql } from 'kysely';
import { parse } from 'node-html-parser';
import { afterTest } from '../../support/after-test.ts';
import { FormClient, visit } from '../../support/dashboard.ts';
import { monitored } from '../../support/monitored.ts';
import { useService } from '../../support/service.ts';

describe('an error page', () => {
  const service = useService({ RATE_LIMIT_PER_MINUTE: '3' });
  let browser: FormClient;
  const forPeople = { Accept: 'text/html' };

  beforeEach(async () => {
    browser = await visit(service, await service.account(1));
  });

  const shown = ({ status, text }: { status: number; text: string }) => [
    status,
    ...parse(text)
      .querySelectorAll('main section.empty a, body > p > a')
      .map((link) => link.getAttribute('href')),
  ];

  it('links a missing thing to its list, and a signed-out visitor to the home page', async () => {
    const [no, stranger] = ['0e0bd036-ac62-4143-9dfa-84aa98ff32d4', new FormClient(service.baseUrl)];
    expect(shown(await browser.get(`/batches/${no}`))).to.deep.equal([404, '/batches', '/']);
    expect(shown(await browser.get('/monitors/9'))).to.deep.equal([404, '/monitors', '/']);
    expect(shown(await browser.get('/bathces', forPeople))).to.deep.equal([404, '/']);
    expect(shown(await stranger.get('/batches/a/b/c', forPeople))).to.deep.equal([404, '/']);
    expect(shown(await stranger.get('/docs/nothing', forPeople))).to.deep.equal([404, '/docs', '/']);
  });

  it('links deleted results to their batch', async () => {
    const account = await service.account(1);
    const owner = await visit(service, account);
    const body = { urls: ['no address'], on_invalid: 'skip' };
    const { batch_id: id } = (await service.call('/http-status/bulk', { token: account.token, body })).body;
    await sql`update batches set purged_at = now() where batch_id = ${id}`.execute(service.db);
    expect(shown(await owner.get(`/batches/${id}/results.csv`))).to.deep.equal([410, `/batches/${id}`, '/']);
  });

  it('says that credits are missing, and links to them', async () => {
    const account = await service.account(0);
    const { accountId } = account;
    const monitor = await monitored(service, accountId, 'http', [{ url: 'https://shop.example/' }]);
    const { batchIds } = await monitor.run(new Date(), [null]);
    const path = `/batches/${batchIds[0]}`;
    const answer = await (await visit(service, account)).post(`${path}/retry`);
    expect(shown(answer)).to.deep.equal([402, '/credits', '/']);
    expect(parse(answer.text).querySelector('main')?.text).to.match(
      /Not enough credits\s+This request costs 1 credit\. Your balance is 0\. .* Ask the operator for credits\./,
    );
  });

  it('links a form to its page, and never to another site', async () => {
    const stale = (referer: string) =>
      browser.post('/tokens', { form_token: 'old' }, { headers: { referer } });
    const expired = await stale(`${service.baseUrl}/tokens?page=2`);
    expect(shown(expired)).to.deep.equal([403, '/tokens?page=2', '/']);
    expect(expired.text).to.contain('<h1>Form expired</h1>');
    expect(shown(await stale('https://evil.example/tokens'))).to.deep.equal([403, '/']);
    expect(shown(await stale(`${service.baseUrl}//evil.example/`))).to.deep.equal([403, '/']);
  });

  it('links to itself after too many requests', async () => {
    let answer = await browser.get('/tokens?page=2');
    while (answer.status === 200) answer = await browser.get('/tokens?page=2');
    expect(shown(answer)).to.deep.equal([429, '/tokens?page=2', '/']);
  });

  it('links to itself after an internal error, even without an account', async () => {
    await sql`alter table accounts rename column credits to elsewhere`.execute(service.db);
    afterTest(() => sql`alter table accounts rename column elsewhere to credits`.execute(service.db));
    const answer = await browser.get('/settings');
    expect(shown(answer)).to.deep.equal([500, '/settings', '/']);
    expect(answer.text).to.contain('<h1>Something went wrong</h1>').and.not.contain('Idempotency-Key');
    expect(answer.headers.get('content-type')).to.match(/^text\/html/);
  });
});
