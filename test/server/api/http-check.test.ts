import { expect } from 'chai';
import { presetUserAgents } from '../../../checks/http/user-agents.ts';
import { useDns } from '../../support/dns.ts';
import { eventually } from '../../support/eventually.ts';
import { useAccount, useService } from '../../support/service.ts';
import { serve, serveHeld, useSite } from '../../support/web.ts';

describe('POST /http-status', () => {
  const site = useSite();
  const dns = useDns({ 'failing.test': 'servfail', 'metadata.test': { a: ['169.254.169.254'] } });
  const service = useService(() => ({ DNS_SERVERS: dns.server, CHECK_TIMEOUT_MS: '2000' }));
  const account = useAccount(service, 100);

  afterEach(async () => expect(await service.problems()).to.deep.equal([]));

  const check = (body: object) => service.call('/http-status', { token: account.token, body });

  it('returns all documented fields', async () => {
    const creditsBefore = await service.credits(account.accountId);
    const { status, body } = await check({ url: ` ${site.url}/moved ` });
    expect(status).to.equal(200);
    expect(body).to.include({
      success: true,
      url: ` ${site.url}/moved `,
      status: 200,
      is_soft404: false,
      initial_status: 301,
      redirect_count: 1,
      final_url: `${site.url}/good`,
      content_type: 'text/html; charset=utf-8',
      credits_remaining: creditsBefore - 1,
      error: null,
      bot_wall: null,
    });
    expect(body.redirects).to.deep.equal([{ url: `${site.url}/moved`, status: 301 }]);
    expect(body.request_id).to.be.a('number');
    expect(body.checked_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    expect(body.response_time_ms).to.be.a('number');
  });

  it('reports the first response when redirects are not followed', async () => {
    const { body } = await check({ url: `${site.url}/moved`, follow_redirects: false });
    expect(body).to.include({ status: 301, redirect_count: 0, final_url: `${site.url}/moved`, error: null });
  });

  it('sends the requested user agent', async () => {
    const names: (string | undefined)[] = [];
    const asked = await serve((req, res) => {
      names.push(req.headers['user-agent']);
      res.end();
    });
    await check({ url: asked.url, user_agent: 'googlebot' });
    await check({ url: asked.url });
    expect(names).to.deep.equal([presetUserAgents.googlebot, service.config.checks.userAgent]);
    expect((await check({ url: asked.url, user_agent: 'bingbot' })).body.errors).to.have.property(
      'user_agent',
    );
    await asked.close();
  });

  it('returns title, canonical and noindex of the page', async () => {
    const site = await serve((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/html', 'X-Robots-Tag': 'noindex' });
      res.end('<title>Red shoes</title><link rel="canonical" href="/shoes"><h1>Red shoes</h1>');
    });
    const { body } = await check({ url: site.url });
    expect(body).to.include({ title: 'Red shoes', canonical: `${site.url}/shoes`, noindex: 'header' });
    await site.close();
  });

  it('charges for error statuses and connection errors', async () => {
    const creditsBefore = await service.credits(account.accountId);
    expect((await check({ url: `${site.url}/missing` })).body.status).to.equal(404);
    expect((await check({ url: 'http://nobody.test/' })).body).to.include({
      status: 0,
      error: 'dns_not_found',
    });
    expect((await check({ url: 'http://127.0.0.1:1/' })).body).to.include({
      status: 0,
      error: 'connect_refused',
    });
    expect(await service.credits(account.accountId)).to.equal(creditsBefore - 3);
  });

  it('reports a timeout', async () => {
    const silent = await serve(() => {});
    const { status, body } = await check({ url: silent.url });
    expect(status).to.equal(200);
    expect(body).to.include({ status: 0, error: 'response_timeout' });
    await silent.close();
  });

  it('refunds the credit and answers 503 when the failure is ours', async () => {
    const creditsBefore = await service.credits(account.accountId);
    const { status, headers, body } = await check({ url: 'http://failing.test/' });
    expect(status).to.equal(503);
    expect(headers.get('retry-after')).to.equal('5');
    expect(body).to.include({ success: false, error: 'checker_unreachable' });
    expect(await service.credits(account.accountId)).to.equal(creditsBefore);
  });

  it('answers 422 and refunds the credit when the host resolves to a private address', async () => {
    const creditsBefore = await service.credits(account.accountId);
    const { status, body } = await check({ url: 'http://metadata.test/' });
    expect(status).to.equal(422);
    expect(body.errors.url[0]).to.match(/leads to a private IP address/);
    expect(await service.credits(account.accountId)).to.equal(creditsBefore);
  });

  it('makes the answer available under GET /checks/{request_id}, to its own account only', async () => {
    const { body } = await check({ url: `${site.url}/good` });
    const again = await service.call(`/checks/${body.request_id}`, { token: account.token });
    expect(again.body).to.include({
      success: true,
      type: 'http',
      batch_id: null,
      state: 'success',
      credits: 1,
    });
    expect(again.body).to.include({ url: `${site.url}/good`, status: 200, request_id: body.request_id });
    const stranger = await service.account(0);
    const foreign = await service.call(`/checks/${body.request_id}`, { token: stranger.token });
    const missing = await service.call('/checks/999999999', { token: stranger.token });
    expect(foreign.status).to.equal(404);
    expect(foreign.body).to.deep.equal(missing.body);
    expect((await service.call('/checks/x', { token: stranger.token })).status).to.equal(404);
  });

  it('says so when the check is still running', async () => {
    const slow = await serveHeld();
    const running = check({ url: slow.url });
    const id = await eventually(latestOpen);
    const answer = await service.call(`/checks/${id}`, { token: account.token });
    expect([answer.status, answer.body.error]).to.deep.equal([409, 'still_running']);
    slow.release();
    await running;
    await slow.close();
  });

  async function latestOpen(): Promise<number | null> {
    const open = service.db.selectFrom('chunks').select('chunkId').where('settled', '=', 0);
    return (await open.executeTakeFirst())?.chunkId ?? null;
  }
});
