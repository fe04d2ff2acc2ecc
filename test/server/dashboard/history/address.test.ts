import { expect } from 'chai';
import * as tokens from '../../../../db/accounts/tokens.ts';
import { visit } from '../../../support/dashboard.ts';
import { useService } from '../../../support/service.ts';

describe('the page of a URL', () => {
  const service = useService({}, { worker: true });

  const toPagePath = (url: string) => `/address?${new URLSearchParams({ url })}`;

  it('shows its results from batches and single checks, of its account only', async () => {
    const account = await service.account(20);
    const { token } = account;
    const dead = 'http://127.0.0.1:9/a%20b?x=1&y=_';
    const others = [`${dead}z`, 'http://127.0.0.1:9/ab', `${dead}/`];
    const id = await service.runBatch(token, '/http-status/bulk', { urls: [...others, dead] });
    await service.call('/http-status', { token, body: { url: dead } });
    await service.call('/check', { token, body: { url: 'https://indexed.example/one' } });
    await service.call('/check', { token, body: { url: 'https://indexed.example/one/two' } });

    const browser = await visit(service, account);
    const http = await browser.get(toPagePath(dead));
    expect(http.text.match(/>Unreachable</g)).to.have.length(2);
    expect(http.text)
      .to.contain('Single check')
      .and.to.contain('#results">HTTP status, 4 URLs</a>')
      .and.to.contain(`href="/batches/${id}?q=`);
    const rows = await browser.get(`/batches/${id}`);
    expect(rows.text).to.contain(`href="${toPagePath(dead).replaceAll('&', '&amp;')}"`);
    expect((await browser.get('/batches/singles')).text).to.contain(
      `href="${toPagePath('https://indexed.example/one')}"`,
    );

    const index = await browser.get(toPagePath('https://indexed.example/one'));
    expect(index.text.match(/>Indexed</g)).to.have.length(1);
    expect(index.text).to.contain('or as a single check');

    const stranger = await visit(service, await service.account(0));
    expect((await stranger.get(toPagePath(dead))).text)
      .to.contain('Not checked yet')
      .and.not.to.contain('Unreachable');
  });

  it('does not show simulated results', async () => {
    const account = await service.account(0);
    const trial = await tokens.issue(service.db, account.accountId, 'trial', { isTest: true });
    const url = 'https://status-404.example/';
    await service.call('/http-status', { token: trial, body: { url } });
    await service.runBatch(trial, '/http-status/bulk', { urls: [url] });
    expect((await (await visit(service, account)).get(toPagePath(url))).text).to.contain('Not checked yet');
  });

  it('needs a URL', async () => {
    const browser = await visit(service, await service.account(0));
    for (const path of ['/address', toPagePath('javascript:alert(1)'), toPagePath('shoes')])
      expect((await browser.get(path)).status, path).to.equal(404);
  });
});
