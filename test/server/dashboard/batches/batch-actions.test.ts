import { expect } from 'chai';
import { sql } from 'kysely';
import { fieldIn, useVisit, visit } from '../../../support/dashboard.ts';
import { countWaiting, untilWaiting } from '../../../support/locks.ts';
import { itOnOneServer } from '../../../support/postgres.ts';
import { useAccount, useService } from '../../../support/service.ts';

const urls = ['https://indexed.example/a', 'https://not-indexed.example/b', 'https://not-indexed.example/c'];

describe('actions on an ended batch', () => {
  const service = useService({}, { worker: true });
  const serviceWithoutWorker = useService();
  const account = useAccount(service, 100);
  const browser = useVisit(service, account);
  let path: string;

  before(async () => {
    path = `/batches/${await checked('/check/bulk', { urls: [...urls, 'shoes'], on_invalid: 'skip' })}`;
  });

  const checked = (bulk: string, body: object) => service.runBatch(account.token, bulk, body);

  const asked = async (location: string) => {
    const { results, type } = await service.ended(account.token, location.split('/')[2] ?? '');
    return [type, ...results.map(({ url }: { url: string }) => url)];
  };

  it('checks all items again, at the shown price, once per form', async () => {
    const page = (await browser.get(path)).text;
    expect(page).to.contain('Check all 3 again · 3 credits');
    const form = { do: 'index', once: fieldIn(page, 'once') };
    const sent = await browser.post(`${path}/again`, form);
    expect(sent.status).to.equal(303);
    expect(await asked(sent.location)).to.deep.equal(['index', ...urls]);
    expect((await browser.post(`${path}/again`, form)).location).to.equal(sent.location);
  });

  it('checks a filter or a selection again, for the same type or another', async () => {
    const shown = `${path}?show=not_indexed&q=/c`;
    const page = (await browser.get(shown)).text;
    expect(page).to.contain('HTTP status of these 1 · 1 credit');
    const form = { once: fieldIn(page, 'once'), show: 'not_indexed', q: '/c' };
    const http = await browser.post(`${path}/again`, { ...form, do: 'http' }, { from: shown });
    expect(await asked(http.location)).to.deep.equal(['http', urls[2]]);

    const id = fieldIn((await browser.get(`${path}?q=indexed.example/a`)).text, 'request_id');
    const selected = { ...form, do: 'index.selected', request_id: id };
    const one = await browser.post(`${path}/again`, selected, { from: shown });
    expect(await asked(one.location)).to.deep.equal(['index', urls[0]]);
  });

  it('charges nothing for an empty or invalid selection', async () => {
    const before = await service.credits(account.accountId);
    const again = (form: Record<string, string>) => browser.post(`${path}/again`, form);
    expect((await again({ do: 'index.selected' })).location).to.equal(path);
    expect((await browser.get(path)).text).to.contain('Select at least one result. You were not charged.');
    expect((await again({ do: 'index', show: 'nonsense' })).status).to.equal(422);
    expect((await again({ do: 'keyword' })).location).to.equal(path);
    const poor = await service.account(1);
    const window = await visit(service, poor);
    const own = `/batches/${await service.runBatch(poor.token, '/check/bulk', { urls: [urls[0]] })}`;
    await window.post(`${own}/again`, { do: 'index' });
    expect((await window.get(own)).text).to.contain(
      'This costs 1 credit. Your balance is 0. You were not charged. Ask the operator for credits.',
    );
    expect((await window.post(`${path}/again`, { do: 'index' })).status).to.equal(404);
    expect(await service.credits(account.accountId)).to.equal(before);
  });

  it('repeats a submission as a submission', async () => {
    const id = '5b1c3f0e-6a0c-4a58-9d8b-3a1f0c7f5d11';
    for (const url of urls) await checked('/check/bulk', { urls: [url], submission_id: id });
    const page = await browser.get(`/submissions/${id}`);
    expect(page.text).to.contain('Check all again · 3 credits');
    const sent = await browser.post(`/submissions/${id}/again`, { once: fieldIn(page.text, 'once') });
    expect(sent.location)
      .to.match(/^\/submissions\/[\da-f-]{36}$/)
      .and.not.to.contain(id);
    expect((await browser.get(sent.location)).text).to.contain('3 batches');
    await service.quiet();
  });

  itOnOneServer('keeps the lists of one submission per account in memory', async () => {
    const id = '5b1c3f0e-6a0c-4a58-9d8b-3a1f0c7f5d12';
    await checked('/check/bulk', { urls: [urls[0]], submission_id: id });
    const again = (once: string) => browser.post(`/submissions/${id}/again`, { once });
    const sharing = '%keep_account_open%';
    const sent = await service.db.transaction().execute(async (trx) => {
      await sql`select from accounts where account_id = ${account.accountId} for update`.execute(trx);
      const all = ['one', 'two', 'three'].map(again);
      await untilWaiting(service.db, 1, sharing);
      for (let n = 0; n < 10; n++) await browser.get(path);
      expect(await countWaiting(service.db, sharing)).to.equal(1);
      return all;
    });
    const locations = (await Promise.all(sent)).map(({ location }) => location);
    expect(new Set(locations)).to.have.property('size', 3);
    await service.quiet();
  });

  it('compares by page and API only when both batches have ended and are kept', async () => {
    const owner = await serviceWithoutWorker.account(2);
    const visitor = await visit(serviceWithoutWorker, owner);
    const call = (to: string, options = {}) =>
      serviceWithoutWorker.call(to, { token: owner.token, ...options });
    const submit = async () => (await call('/check/bulk', { body: { urls: [urls[0]] } })).body.batch_id;
    const [one, other] = [await submit(), await submit()];
    const answers = async () => {
      const found: unknown[] = [];
      for (const [now, before] of [
        [one, other],
        [other, one],
      ]) {
        const api = await call(`/batch/${now}/comparison?with=${before}`);
        const page = await visitor.get(`/batches/${now}/compare?with=${before}`);
        found.push([api.status, api.body.error, page.status]);
      }
      return found;
    };
    const both = (answer: unknown[]) => [answer, answer];
    expect(await answers()).to.deep.equal(both([409, 'batch_not_finished', 409]));
    await call(`/batch/${one}/cancel`, { method: 'POST' });
    expect(await answers()).to.deep.equal(both([409, 'batch_not_finished', 409]));
    await call(`/batch/${other}/cancel`, { method: 'POST' });
    expect(await answers()).to.deep.equal(both([200, undefined, 200]));
    await sql`update batches set purged_at = now() where batch_id = ${one}`.execute(serviceWithoutWorker.db);
    expect(await answers()).to.deep.equal(both([410, 'results_expired', 410]));
  });

  it('opens the list in the form again, with its invalid entries, or filtered', async () => {
    const getFormText = async (query: string) =>
      /<textarea[^>]*>([\s\S]*?)<\/textarea>/.exec((await browser.get(`/?from=${query}`)).text)?.[1];
    const id = path.split('/')[2];
    expect(await getFormText(`${id}`)).to.equal([...urls, 'shoes'].join('\n'));
    expect(await getFormText(`${id}&show=not_indexed&q=/c`)).to.equal(urls[2]);
    // More entries than are read from the database at once.
    const words = Array.from({ length: 450 }, (_, n) => `entry ${n}`);
    const long = await checked('/check/bulk', { urls: words, on_invalid: 'skip' });
    expect(await getFormText(long)).to.equal(words.join('\n'));
    const queries = [
      {
        keyword: 'red, "shoes"',
        url: 'rank-7.example',
        country: 'DE',
        competitors: ['a.example', 'b.example'],
      },
      { keyword: 'bags', url: 'rank-7.example', device: 'mobile', tag: 'autumn' },
    ];
    const ranks = await checked('/keyword-track', { queries });
    const text = (await getFormText(ranks))?.replaceAll('&quot;', '"') ?? '';
    expect(text.split('\n')[0]).to.equal(
      'keyword,url,country,language,device,match,end_page,tag,competitors',
    );
    const first = await browser.post('/', { check: 'ranks', text });
    const understood = fieldIn(first.text, 'understood');
    const sent = await browser.post('/', { check: 'ranks', text, understood, kind: 'keywords' });
    const { results } = await service.ended(account.token, sent.location.split('/')[2] ?? '');
    const { results: before } = await service.ended(account.token, ranks);
    const getQueries = ({
      keyword,
      country,
      device,
      tag,
      competitor_urls: others,
    }: Record<string, unknown>) => ({ keyword, country, device, tag, others });
    expect(results.map(getQueries)).to.deep.equal(before.map(getQueries));
    for (const wrong of ['nothing', '00000000-0000-4000-8000-000000000001'])
      expect(await getFormText(wrong)).to.equal('');
    const stranger = await visit(service, await service.account(0));
    expect((await stranger.get(`/?from=${id}`)).text).not.to.contain(urls[0]);
  });

  it('sets and removes a name', async () => {
    const summaries = async () =>
      (await browser.get(path)).text.match(/<summary>(Rename|Add name)<\/summary>/)?.[1];
    expect(await summaries()).to.equal('Add name');
    const rename = (name: string) => browser.post(`${path}/rename`, { name });
    await rename('  Shop <weekly> ');
    expect((await browser.get(path)).text).to.contain('<h1>Shop &lt;weekly&gt;</h1>');
    expect(await summaries()).to.equal('Rename');
    expect((await browser.get('/batches')).text).to.contain('Shop &lt;weekly&gt;');
    const box = await browser.get(`/?from=${path.split('/')[2]}`);
    expect(box.text).to.contain('name="name" value="Shop &lt;weekly&gt;"');
    await rename('');
    expect((await browser.get(path)).text).not.to.contain('weekly');
  });
});
