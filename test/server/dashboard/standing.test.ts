import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { parse } from 'node-html-parser';
import * as alerts from '../../../db/ledger/credit-alerts.ts';
import * as deliveries from '../../../db/notifications/deliveries.ts';
import * as events from '../../../db/notifications/events.ts';
import { inTransaction } from '../../../db/postgres/connect.ts';
import { workerChore } from '../../../upkeep/chores.ts';
import { afterTest } from '../../support/after-test.ts';
import { FormClient, visit } from '../../support/dashboard.ts';
import { monitored } from '../../support/monitored.ts';
import { useService } from '../../support/service.ts';

const forPeople = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

describe('the dashboard about the service', () => {
  const service = useService({ OPERATOR_CONTACT: 'ops@example.org' });

  it('says that no worker is running, or that other accounts come first', async () => {
    const account = await service.account(100);
    const browser = await visit(service, account);
    const body = {
      urls: ['https://indexed.example/'],
      submission_id: '0e0bd036-ac62-4143-9dfa-84aa98ff32d4',
    };
    const { batch_id: id } = (await service.call('/check/bulk', { token: account.token, body })).body;
    const paths = [`/batches/${id}`, `/submissions/${body.submission_id}`, '/', `/batches/${id}/live?seen=0`];
    const pages = () => Promise.all(paths.map(async (path) => (await browser.get(path)).text));
    for (const text of await pages()) expect(text).not.to.match(/No worker|Other checks/);
    await sql`update batches set created_at = now() - interval '90 seconds' where batch_id = ${id}`.execute(
      service.db,
    );
    for (const text of await pages()) expect(text).to.contain('No worker is running');
    await sql`insert into chores (chore) values (${workerChore})`.execute(service.db);
    for (const text of await pages()) expect(text).to.contain('Other checks are ahead in the queue');
  });

  it('answers an unknown path with a page for browsers, and with JSON for programs', async () => {
    for (const browser of [new FormClient(service.baseUrl), await visit(service, await service.account(0))]) {
      const page = await browser.get('/bathces', forPeople);
      expect([page.status, page.headers.get('content-type')]).to.deep.equal([
        404,
        'text/html; charset=utf-8',
      ]);
      expect(page.text).to.contain('This page does not exist.').and.to.contain('href="/"');
      expect(JSON.parse((await browser.get('/bathces')).text).error).to.equal('not_found');
    }
    const program = await new FormClient(service.baseUrl).get('/api/v1/bathces', forPeople);
    expect(program.headers.get('content-type')).to.match(/^application\/json/);
  });

  it('says in one place that credits are missing, and whom to contact', async () => {
    const browser = await visit(service, await service.account(1));
    const fields = { text: 'https://a.example/\nhttps://b.example/', check: 'http' };
    const { status, text } = await browser.post('/', fields);
    expect(status).to.equal(402);
    expect(text.match(/class="notice bad"/g)).to.have.length(1);
    expect(text)
      .to.contain('This costs 2 credits. Your balance is 1.')
      .and.to.contain('href="mailto:ops@example.org"')
      .and.to.contain('value="go" id="go" class="secondary"');
    const { text: enough } = await browser.post('/read', { ...fields, text: 'https://a.example/' });
    expect(enough).to.contain('value="go" id="go">');
    expect((await browser.get('/')).text).to.contain('value="go" id="go">');
  });

  it('follows a delivery until it has arrived, and says when it fails', async () => {
    const account = await service.account(1);
    const browser = await visit(service, account);
    const body = { urls: ['no address'], on_invalid: 'skip', webhook_url: 'https://hooks.example.com/' };
    const { batch_id: id } = (await service.call('/http-status/bulk', { token: account.token, body })).body;
    const page = async () => (await browser.get(`/webhooks/${id}`)).text;
    expect(await page())
      .to.contain('>Pending<')
      .and.to.contain(`hx-get="/webhooks/${id}"`)
      .and.not.to.contain(`/webhooks/${id}/resend`);
    await sql`update deliveries set attempts = 1 where event_id = ${id}`.execute(service.db);
    // Attempts before a resend do not count, so the resend has not failed.
    expect(await page()).to.contain('>Resending<');
    await sql`update deliveries set round_attempts = 1 where event_id = ${id}`.execute(service.db);
    expect(await page())
      .to.contain('>Failed, retry scheduled<')
      .and.to.contain('Next attempt')
      .and.to.contain('Send now');
    await sql`update deliveries set state = 'failed', ended_at = now(), next_attempt_at = null where event_id = ${id}`.execute(
      service.db,
    );
    expect(await page())
      .to.contain('>Failed<')
      .and.to.contain('Send again');
    expect((await browser.get(`/batches/${id}`)).text).to.contain('Skipped: 0 of 0 checked');
  });

  it('links a delivery to its monitor or to the credits', async () => {
    const account = await service.account(1);
    const browser = await visit(service, account);
    const { accountId } = account;
    const { monitorId } = await monitored(service, accountId, 'http', [{ url: 'https://a.example/' }]);
    const url = 'https://hooks.shop.example/sonde';
    const deliver = (event: string, of: string | null) =>
      inTransaction(service.db, async (trx) => {
        const eventId = randomUUID();
        const messageId = `msg_${eventId}_${event.replace('.', '_')}`;
        const about = { monitorId: of, runId: null, isPaid: false, body: { event } };
        await events.create(trx, { accountId, messageId, eventId, event, ...about });
        await deliveries.create(trx, { accountId, eventId, url, jobId: randomUUID() });
        return eventId;
      });
    const eventIds = {
      monitor: await deliver('monitor.changed', monitorId),
      credits: await deliver('credits.low', null),
    };
    await inTransaction(service.db, (trx) => alerts.change(trx, accountId, { threshold: 6000, url }));
    await sql`update accounts set low_told_at = now() where account_id = ${accountId}`.execute(service.db);
    // A pending delivery has not arrived yet.
    expect((await browser.get('/credits')).text)
      .to.contain('Alert sent')
      .and.to.contain('<a href="/webhooks">see its webhook delivery</a>');
    const page = async (id: string) => (await browser.get(`/webhooks/${id}`)).text;
    const ofMonitor = await page(eventIds.monitor);
    expect(ofMonitor)
      .to.contain(`<a href="/monitors/${monitorId}">Shop</a>`)
      .and.to.contain(`<code>msg_${eventIds.monitor}_monitor_changed</code>`)
      .and.not.to.contain('href="/batches/');
    expect(await page(eventIds.credits))
      .to.contain('<a href="/credits">Low credits</a>')
      .and.to.contain(`<code>msg_${eventIds.credits}_credits_low</code>`);
    const { text } = await browser.get('/webhooks');
    expect(text).to.contain(`<a href="/monitors/${monitorId}">Shop</a>`).and.contain('<a href="/credits">');
    await browser.post(`/monitors/${monitorId}/delete`);
    expect(await page(eventIds.monitor)).to.contain('Deleted monitor');
  });

  it('offers each language once', async () => {
    const { text } = await (await visit(service, await service.account(0))).get('/');
    const select = /<select name="language">(.*?)<\/select>/s.exec(text)?.[1] ?? '';
    const names = [...select.matchAll(/>([^<]+)<\/option>/g)].map(([, name]) => name);
    expect(names).to.have.length.above(100);
    expect(new Set(names).size).to.equal(names.length);
  });

  it('serves the balance alone, which the page loads when its window becomes visible', async () => {
    const account = await service.account(7);
    const browser = await visit(service, account);
    const { text } = await browser.get('/balance');
    expect(text).to.match(/^<a class="balance" id="balance".*<strong>7<\/strong> <span>credits<\/span><\/a>/);
  });

  describe('on an error page', () => {
    const shown = ({ status, text }: { status: number; text: string }) => [
      status,
      ...parse(text)
        .querySelectorAll('main section.empty a, body > p > a')
        .map((link) => link.getAttribute('href')),
    ];

    it('links a missing thing to its list, and a signed-out visitor to the home page', async () => {
      const browser = await visit(service, await service.account(0));
      const [no, stranger] = ['0e0bd036-ac62-4143-9dfa-84aa98ff32d4', new FormClient(service.baseUrl)];
      expect(shown(await browser.get(`/batches/${no}`))).to.deep.equal([404, '/batches', '/']);
      expect(shown(await browser.get('/monitors/9'))).to.deep.equal([404, '/monitors', '/']);
      expect(shown(await stranger.get('/batches/a/b/c', forPeople))).to.deep.equal([404, '/']);
      expect(shown(await stranger.get('/docs/nothing', forPeople))).to.deep.equal([404, '/docs', '/']);
    });

    it('links deleted results to their batch', async () => {
      const account = await service.account(1);
      const owner = await visit(service, account);
      const body = { urls: ['no address'], on_invalid: 'skip' };
      const { batch_id: id } = (await service.call('/http-status/bulk', { token: account.token, body })).body;
      await sql`update batches set purged_at = now() where batch_id = ${id}`.execute(service.db);
      expect(shown(await owner.get(`/batches/${id}/results.csv`))).to.deep.equal([
        410,
        `/batches/${id}`,
        '/',
      ]);
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
      const browser = await visit(service, await service.account(0));
      const stale = (referer: string) =>
        browser.post('/tokens', { form_token: 'old' }, { headers: { referer } });
      const expired = await stale(`${service.baseUrl}/tokens?page=2`);
      expect(shown(expired)).to.deep.equal([403, '/tokens?page=2', '/']);
      expect(expired.text).to.contain('<h1>Form expired</h1>');
      expect(shown(await stale('https://evil.example/tokens'))).to.deep.equal([403, '/']);
      expect(shown(await stale(`${service.baseUrl}//evil.example/`))).to.deep.equal([403, '/']);
    });

    it('links to itself after an internal error, even without an account', async () => {
      const browser = await visit(service, await service.account(0));
      await sql`alter table accounts rename column credits to elsewhere`.execute(service.db);
      afterTest(() => sql`alter table accounts rename column elsewhere to credits`.execute(service.db));
      const answer = await browser.get('/settings');
      expect(shown(answer)).to.deep.equal([500, '/settings', '/']);
      expect(answer.text).to.contain('<h1>Something went wrong</h1>').and.not.contain('Idempotency-Key');
      expect(answer.headers.get('content-type')).to.match(/^text\/html/);
    });
  });
});
