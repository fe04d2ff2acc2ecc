import { expect } from 'chai';
import { fieldIn, useVisit, visit } from '../../../support/dashboard.ts';
import { useAccount, useService } from '../../../support/service.ts';

describe('submitting the form', () => {
  const service = useService();
  const account = useAccount(service, 100);
  const browser = useVisit(service, account);

  it('checks each distinct entry once, as the summary says', async () => {
    const lines = Array.from({ length: 2005 }, (_, number) => `https://indexed.example/${number % 5}`);
    const sent = await browser.post('/', { check: 'index', text: lines.join('\n') });
    expect(sent.status).to.equal(303);
    const { text } = await browser.get(sent.location!);
    expect(text).to.contain('0 of 5 checked').and.to.contain('2,000 duplicates checked once');
    expect(await service.credits(account.accountId)).to.equal(95);
  });

  it('charges the shown price if keywords differ only in how they are written', async () => {
    const rows = Array.from({ length: 1_000 }, (_, number) => `shoes ${number};\nshoes ${number};US`);
    const form = {
      ...{ type: 'ranks', check: 'go', target: 'a.example', country: 'US', once: 'written' },
      text: `keyword;country\n${[...rows, 'hats;'].join('\n')}\nhats;us\nhats;XX`,
    };
    const rich = await service.account(1_100);
    const window = await visit(service, rich);
    const { text } = await window.post('/read', form, { from: '/' });
    expect(text)
      .to.contain('<strong>2,003 keywords</strong>, 1,001 duplicates, 1 invalid')
      .and.to.contain('Check 1,001 keywords · 1,001 credits')
      .and.to.match(/Line 2,004<\/span> <code>hats<\/code> <span>country “XX”/i)
      .and.not.to.contain('batches of one submission');
    const sent = await window.post('/', { ...form, understood: fieldIn(text, 'understood') });
    expect(sent.location).to.match(/^\/batches\//);
    expect((await window.get(sent.location!)).text).to.contain('1,001 duplicates checked once');
    expect(await service.credits(rich.accountId)).to.equal(99);
  });

  it('names the batch', async () => {
    const text = 'https://indexed.example/named';
    const sent = await browser.post('/', { check: 'index', text, name: ' October <crawl> ' });
    expect((await browser.get(sent.location!)).text).to.contain('<h1>October &lt;crawl&gt;</h1>');
    const { body } = await service.call(`/batches?q=october`, { token: account.token });
    expect(body.data[0]).to.include({ name: 'October <crawl>', reference: null });
  });

  it('shows the errors of a table, and keeps the text', async () => {
    const answer = await browser.post('/', {
      check: 'index',
      text: 'name,url\n"Shoes,https://indexed.example/',
    });
    expect(answer.status).to.equal(422);
    expect(answer.text).to.match(/role="alert">Line 2: a quotation mark is not closed\./);
    expect(answer.text).to.contain('&quot;Shoes,https://indexed.example/</textarea>');
  });

  it('splits a long list into batches of one submission, all or none', async () => {
    const rich = await service.account(4_500);
    const window = await visit(service, rich);
    const lines = (count: number) =>
      Array.from({ length: count }, (_, number) => `https://indexed.example/${number}`).join('\n');
    const form = { check: 'index', text: lines(4_001), once: 'one' };
    const listBatches = async () =>
      (await service.call('/batches', { token: rich.token })).body.data as Array<{
        total: number;
        submission_id: string;
      }>;

    const poor = await window.post('/', { ...form, text: lines(5_000) });
    expect([poor.status, (await listBatches()).length]).to.deep.equal([402, 0]);
    expect(poor.text).to.contain('3 batches of one submission');

    const sent = await window.post('/', form);
    expect((await window.post('/', form)).location).to.equal(sent.location);
    const made = await listBatches();
    expect(made.map(({ total }) => total).sort()).to.deep.equal([1, 2000, 2000]);
    const id = made[0]?.submission_id;
    expect(sent.location).to.equal(`/submissions/${id}`);
    expect(await service.credits(rich.accountId)).to.equal(499);

    const { text } = await window.get(`/submissions/${id}`);
    expect(text)
      .to.contain('0 of 4,001 checked')
      .and.to.contain('3 batches')
      .and.to.contain('4,001 credits charged');
    const places = [...text.matchAll(/class="name" href="[^"]+">([^<]+)/g)].map(([, name]) => name);
    expect(places).to.deep.equal(['URLs 1–2,000', 'URLs 2,001–4,000', 'URLs 4,001']);
    const hrefs = async (path: string) =>
      [...(await window.get(path)).text.matchAll(/class="name" href="([^"]+)"/g)].map(([, href]) => href);
    expect(await hrefs('/batches')).to.deep.equal([`/submissions/${id}`]);
    expect(await hrefs('/batches?type=index')).to.have.length(1);
    expect(await hrefs('/batches?status=pending')).to.have.length(3);
    expect(await hrefs('/batches?q=indexed.example%2F4000')).to.have.length(1);
    const home = await window.get('/');
    expect(home.text.split(`href="/submissions/${id}"`)).to.have.length(2);
    expect(
      (await window.post(`/submissions/${id}/cancel`, {}, { from: `/submissions/${id}` })).status,
    ).to.equal(303);
    expect(await service.credits(rich.accountId)).to.equal(4_500);
    expect((await browser.get(`/submissions/${id}`)).status).to.equal(404);
  });

  it('shows and exports the results of a tile of a submission', async () => {
    const account = await service.account(2_000);
    const window = await visit(service, account);
    const lines = Array.from({ length: 2_000 }, (_, number) => `https://indexed.example/${number}`);
    // The last line creates a batch without checks.
    const text = [...lines, 'htp:/wrong'].join('\n');
    const { location } = await window.post('/', { check: 'index', text, once: 'tiles' });
    const whole = await window.get(`${location}`);
    expect(whole.text).to.contain('Export all 1').and.to.contain(`href="${location}?show=skipped#results"`);
    expect(whole.text.indexOf('URLs 1–2,000')).to.be.below(whole.text.indexOf('URLs 2,001<'));

    const skipped = await window.get(`${location}?show=skipped`);
    expect(skipped.text)
      .to.contain('Batches with Skipped')
      .and.to.contain('Export these 1')
      .and.to.contain('?show=skipped#results">URLs 2,001<')
      .and.not.to.contain('URLs 1–2,000');
    const { headers, text: csv } = await window.get(`${location}/results.csv?show=skipped`);
    expect(csv.trim().split('\n')).to.have.length(2);
    expect(headers.get('content-disposition')).to.contain('skipped');
    const indexed = await window.get(`${location}/results.csv?show=indexed`);
    expect(indexed.text.trim().split('\n')).to.have.length(1);
    expect((await window.get(`${location}/results.csv?show=dead`)).status).to.equal(422);
  });
});
