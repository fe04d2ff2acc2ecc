import { expect } from 'chai';
import { sql } from 'kysely';
import { parse } from 'node-html-parser';
import type { MonitorChange } from '../../../../schemas/monitor-history.ts';
import { day } from '../../../../server/dashboard/format.ts';
import { toChangeView } from '../../../../server/dashboard/monitors/change-view.ts';
import { afterTest } from '../../../support/after-test.ts';
import { httpAnswer } from '../../../support/answers.ts';
import { alertIn, createByForm, fieldIn, toText, useVisit, visit } from '../../../support/dashboard.ts';
import { monitored } from '../../../support/monitored.ts';
import { useAccount, useService } from '../../../support/service.ts';
import { serve } from '../../../support/web.ts';

const dayMs = 86_400_000;

const toAnswer = (status: number) => httpAnswer({ status });
const toPlan = (page: string) => toText(parse(page).querySelector('#plan'));

describe('the pages of monitors', () => {
  const service = useService({}, { mails: true });
  const account = useAccount(service, 1000, { isForEach: true });
  const browser = useVisit(service, account, { isForEach: true });

  it('create a monitor with one button, at the shown price, once per form', async () => {
    const text = 'https://a.example/1\nhttps://a.example/2\nnot an address';
    const form = { text, type: 'index', check: 'watch', timezone: 'Europe/Berlin', once: 'twice' };
    const { made, plan } = await createByForm(browser, form);
    expect(plan).to.match(/^The monitor checks 2 URLs .* \(Europe\/Berlin\), for 60 credits a month, /);
    expect(made.status, made.text).to.equal(303);
    expect((await createByForm(browser, form)).made.location).to.equal(made.location);
    const page = await browser.get(made.location);
    expect(page.text)
      .to.contain('Google index of a.example')
      .and.contain(', Europe/Berlin')
      .and.contain('2 credits per run, 60 in the next 30 days')
      .and.match(/No runs yet. The first run is on \d+ \w+ \d{4}, 0[3-7]:\d\d CES?T/);
    const { body } = await service.call('/monitors', { token: account.token });
    expect(body.monitors ?? body.data).to.have.length(1);
    expect((await service.call('/credits', { token: account.token })).body.credits).to.equal(1000);
  });

  it('are created only after the form has said what they will do and cost a month', async () => {
    const form = {
      text: 'https://a.example/1',
      type: 'http',
      check: 'watch',
      timezone: 'Asia/Tokyo',
      once: 's',
    };
    const countMonitors = async () =>
      (await service.call('/monitors', { token: account.token })).body.data.length;
    // Without scripts, users can press the button before they see the price.
    const shown = await browser.post('/', form);
    expect([shown.status, await countMonitors()]).to.deep.equal([422, 0]);
    expect(alertIn(shown.text)).to.contain('Review below what the monitor will do and cost');
    expect(toPlan(shown.text)).to.equal(
      'The monitor checks 1 URL every day between 03:00 and 07:00 (Asia/Tokyo), for 30 credits a month, ' +
        'and emails the owners when something changed.',
    );
    const plan = parse(shown.text).querySelector('[name=plan]')?.getAttribute('value') ?? '';
    const longer = { ...form, plan, text: 'https://a.example/1 https://a.example/2' };
    expect([(await browser.post('/', longer)).status, await countMonitors()]).to.deep.equal([422, 0]);
    expect([(await browser.post('/', { ...form, plan })).status, await countMonitors()]).to.deep.equal([
      303, 1,
    ]);
  });

  it('accept keywords with their target, and count those once that differ only in tag or default country', async () => {
    const text = 'keyword;country;tag\nshoes;;a\nshoes;US;a\nshoes;;b\nhats;;a';
    const form = { text, type: 'ranks', check: 'watch', target: 'a.example', country: 'US', once: 'd' };
    const { made, plan } = await createByForm(browser, form);
    expect(plan).to.match(/^The monitor checks 2 keywords .*, for 60 credits a month, /);
    expect(made.status, made.text).to.equal(303);
    const { text: subjects } = await browser.get(`${made.location}/subjects`);
    expect(subjects).to.contain('Ranks of a.example').and.contain(', UTC');
    const monitor = made.location.split('/').at(-1) ?? '';
    const listKeywords = async () => {
      const list = (await browser.open(`/?monitor=${monitor}`)).querySelector('textarea')?.text;
      return list?.split('\n').map((line) => line.split(',')[0]);
    };
    expect(await listKeywords()).to.deep.equal(['keyword', 'shoes', 'hats']);

    const longer = { ...form, monitor, once: 'e', text: `${text}\nsocks;;` };
    const read = await browser.post('/read', longer);
    expect(read.text).to.contain('Save list · 3 credits per run');
    const saved = await browser.post('/', { ...longer, understood: fieldIn(read.text, 'understood') });
    expect(saved.status, saved.text).to.equal(303);
    expect(await listKeywords()).to.deep.equal(['keyword', 'shoes', 'hats', 'socks']);
  });

  it('reject an empty monitor, and charge and create nothing', async () => {
    const answer = await browser.post('/', {
      text: 'not an address',
      type: 'http',
      check: 'watch',
      once: 'n',
    });
    expect(answer.status).to.equal(422);
    expect((await browser.get('/monitors')).text).to.contain('A monitor checks a list on a schedule');
  });

  it('list each monitor with its last result, and the changes since the last visit', async () => {
    const [monitor, at] = [await shop(), Date.now()];
    await browser.get('/monitors');
    await monitor.run(new Date(at - dayMs), [200, 200].map(toAnswer));
    await sql`update memberships set visited_at = now() - interval '2 hours'
      where account_id = ${account.accountId}`.execute(service.db);
    await monitor.run(new Date(at), [200, 404].map(toAnswer));
    const page = await browser.open('/monitors');
    expect(page.querySelector('.head a[role=button]')?.text).to.equal('New monitor');
    const row = page.querySelector('.monitors tbody tr');
    const cells = row?.querySelectorAll('td').map(toText) ?? [];
    expect(cells[0]).to.contain('Shop 2 URLs');
    expect(cells.slice(1, 4)).to.deep.equal(['Active', '1 dead, 0 soft 404', '1']);
    expect(cells[4]).to.match(/\d\d:\d\d UTC$/);
  });

  it('show changes on the first page once', async () => {
    const monitor = await shop();
    await monitor.run(new Date(), [200, 200].map(toAnswer));
    expect((await browser.get('/')).text).not.to.contain('id="news"');
    afterTest(() => moveClock('0 days'));
    await moveClock('1 day');
    await monitor.run(new Date(Date.now() + dayMs), [200, 404].map(toAnswer));
    const news = toText((await browser.open('/')).querySelector('.news'));
    expect(news).to.contain('1 change since').and.contain('https://a.example/2');
    expect(news).to.contain('Status 200 → 404');
    await moveClock('2 days');
    expect((await browser.get('/')).text).not.to.contain('id="news"');
  });

  it('say on the first page that only the latest changes are listed, with a link', async () => {
    const pages = Array.from({ length: 6 }, (_, n) => ({ url: `https://a.example/${n}` }));
    const monitor = await monitored(service, account.accountId, 'http', pages);
    const getView = async () => (await browser.open('/')).querySelector('.news');
    const dying = async (dead: number) => {
      const found = pages.map((_, n) => toAnswer(n < dead ? 404 : 200));
      await monitor.run(new Date(), found);
      return (await getView())?.querySelectorAll('p').at(-1)?.text.trim();
    };
    expect(await dying(0)).to.equal(undefined);
    expect(await dying(5)).to.equal('All monitors');
    expect(await dying(6)).to.equal('Latest 5 of 6. All monitors');
    expect((await getView())?.querySelectorAll('.feed li')).to.have.length(5);
  });

  const moveClock = (by: string) =>
    sql`create or replace function clock() returns timestamptz language sql stable as
      ${sql.lit(`select now() + interval '${by}'`)}`.execute(service.db);

  it('show the chart, changes with old and new values, and the subjects', async () => {
    const monitor = await shop();
    const now = Date.now();
    await monitor.run(new Date(now - 2 * dayMs), [200, 200].map(toAnswer));
    await monitor.run(new Date(now - dayMs), [200, 404].map(toAnswer));
    const path = `/monitors/${monitor.monitorId}`;
    const page = await browser.open(path);
    expect(page.querySelectorAll('svg.chart .way').length).to.be.at.least(2);
    expect(page.querySelector('.head')?.text).to.contain('Last result: 1 dead, 0 soft 404');
    const first = day(new Date(now - 2 * dayMs));
    expect(toText(page)).to.contain(`The first run in these 90 days was on ${first}`);
    const told = toText(page.querySelector('.feed'));
    expect(told).to.contain('https://a.example/2').and.contain('Status 200 → 404');
    const table = page.querySelectorAll('details table tbody tr').map(toText);
    expect(table).to.have.length(2);
    expect(table[0]).to.contain('50%').and.contain('100%');
    expect(page.querySelectorAll('.legend li').map(({ text }) => text)).to.deep.equal([
      'Dead 50%',
      'Soft 404 0%',
    ]);
    const kept = await browser.get(`${path}/changes?kind=recovered`);
    expect(kept.text).to.contain('No matching changes');
    const subjects = await browser.open(`${path}/subjects`);
    expect(subjects.querySelectorAll('.sparkline path')).to.have.length(2);
    const subject = await browser.get(`${path}/subjects/${monitor.subjects[1]?.subjectId}`);
    expect(subject.text).to.contain('404').and.contain('<h2 id="told">Notifications</h2>');
  });

  it('pause, resume, change, run and delete a monitor by forms', async () => {
    const form = { text: 'https://a.example/1', type: 'index', check: 'watch', once: 'p' };
    const { location: path } = (await createByForm(browser, form)).made;
    await browser.post(`${path}/pause`);
    expect((await browser.get(path)).text).to.contain('Paused manually');
    await browser.post(`${path}/resume`);
    expect((await browser.get(path)).text).not.to.contain('Paused manually');
    const terms = {
      name: 'Mine',
      every: 'week',
      weekday: 'thu',
      at: '06:30',
      timezone: 'Asia/Kathmandu',
      when: 'always',
    };
    await browser.post(`${path}/change`, terms);
    expect((await browser.get(path)).text)
      .to.contain('Mine')
      .and.contain('Every Thursday at 06:30, Asia/Kathmandu');
    await browser.post(`${path}/change`, { ...terms, timezone: 'Mars/Olympus' });
    expect((await browser.get(path)).text).to.contain('Time zone: This time zone does not exist');
    const plan = async (changed: Record<string, string>) => {
      const { text } = await browser.post(`${path}/plan`, { ...terms, ...changed });
      return parse(text).querySelector('#plan')?.text;
    };
    const saved = (await browser.open(path)).querySelector('#plan')?.text;
    expect(saved).to.match(
      /^Checks 1 URL every Thursday at 06:30, Asia\/Kathmandu, for \d credits a month, and /,
    );
    expect(await plan({ every: 'hour', email: 'yes', webhook_url: 'https://hooks.example/x' })).to.equal(
      'Checks 1 URL every hour at :30, for 720 credits a month, and emails the owners and calls your webhook after every run.',
    );
    expect(await plan({ when: 'never', every: 'day' })).to.contain(
      ', for 30 credits a month, and notifies nobody.',
    );
    expect(await plan({ timezone: 'Mars/Olympus' })).to.match(
      /^Time zone: This time zone does not exist\. [^:]+$/,
    );
    expect(await plan({ every: 'month', days: '1, 15, last' })).to.contain('on the 1st, 15th and last');
    for (const days of ['0', '1, 32', 'mon']) {
      expect(await plan({ every: 'month', days }), days).to.equal(
        'Days of the month: Use numbers from 1 to 31, or last for the last day.',
      );
    }
    for (const _ of [1, 2]) await browser.post(`${path}/run`, { once: 'now' });
    const runs = (await browser.open(`${path}/runs`)).querySelectorAll('table tbody tr');
    expect(runs.map((row) => row.text)).to.have.length(1);
    expect(runs[0]?.text).to.contain('started manually');
    await browser.post(`${path}/delete`);
    expect((await browser.get(path)).status).to.equal(404);
  });

  it('say that credits are missing, and offer a run only when they suffice', async () => {
    const { monitorId } = await shop();
    const poor = await sql`update monitors set status = 'paused', paused_reason = 'insufficient_credits',
      next_run_at = null where account_id = ${account.accountId}`.execute(service.db);
    expect(poor.numAffectedRows).to.equal(1n);
    const getView = async (credits: number) => {
      await sql`update accounts set credits = ${credits} where account_id = ${account.accountId}`.execute(
        service.db,
      );
      const page = await browser.open(`/monitors/${monitorId}`);
      return {
        notice: page.querySelector('.notice.warn')?.text ?? '',
        credits: page.querySelector('.notice.warn a')?.getAttribute('href'),
        buttons: page.querySelectorAll('.head .buttons button').map(({ text }) => text),
        head: page.querySelector('main .head')?.text,
      };
    };
    const short = await getView(1);
    expect(short.notice)
      .to.contain('The monitor resumes automatically')
      .and.contain('You need 1 more credit. Ask the operator of this service for it.');
    expect([short.credits, short.buttons]).to.deep.equal(['/credits', []]);
    expect(short.head).to.contain('2 credits per run').and.not.contain('30 days');
    const affordable = await getView(2);
    expect(affordable.notice).not.to.contain('You need');
    expect(affordable.buttons).to.deep.equal(['Run now · 2 credits', 'Resume']);
  });

  it('show the progress of a run, and offer no second one', async () => {
    const list = {
      text: 'https://a.example/1\nhttps://a.example/2',
      type: 'http',
      check: 'watch',
      once: 'm',
    };
    const { location: path } = (await createByForm(browser, list)).made;
    const getView = async () => {
      const page = await browser.open(path);
      return {
        head: page.querySelector('main .head')?.text,
        buttons: page.querySelectorAll('.head .buttons button').map(({ text }) => text),
        changes: page.querySelector('.runs td[data-label=Changes]')?.text,
      };
    };
    const listed = async () =>
      toText((await browser.open('/monitors')).querySelector('td[data-label=State]'));
    expect(await listed()).to.equal('Active');
    expect((await getView()).buttons).to.deep.equal(['Run now · 2 credits', 'Pause']);
    await browser.post(`${path}/run`, { once: 'first' });
    const running = await getView();
    expect(running.head).to.contain('Progress: 0 of 2');
    expect([running.buttons, running.changes]).to.deep.equal([['Pause'], '–']);
    expect(await listed()).to.equal('Active Running 0 of 2');
    await browser.post(`${path}/run`, { once: 'second' });
    expect((await browser.get(path)).text).to.contain('A run of this monitor is in progress.');
    expect((await service.call('/credits', { token: account.token })).body.credits).to.equal(998);
  });

  it('edit and search a list, and keep its remaining entries', async () => {
    const monitor = await shop();
    const path = `/monitors/${monitor.monitorId}`;
    const from = `/?monitor=${monitor.monitorId}`;
    const page = await browser.get(from);
    expect(page.text)
      .to.contain('https://a.example/1\nhttps://a.example/2</textarea>')
      .and.contain('id="go">Save list · 2 credits per run</button>')
      .and.not.contain('Check this every day');
    const form = { monitor: monitor.monitorId, check: 'watch', type: 'http', once: 'list' };
    const text = 'https://a.example/2\nhttps://a.example/Three';
    const kept = await browser.post('/', { ...form, text }, { from });
    expect([kept.status, kept.location]).to.deep.equal([303, `${path}/subjects`]);
    const subjects = await browser.open(`${path}/subjects`);
    expect(subjects.querySelector('.notice')?.text).to.contain('The next run uses this list');
    const rows = subjects.querySelectorAll('tbody tr').map(toText);
    expect(rows).to.have.length(3);
    for (const [once, add, words] of [
      ['again', '', 'Nothing was changed.'],
      ['more', 'yes', 'Nothing was added.'],
    ] as const) {
      await browser.post('/', { ...form, text, once, ...(add && { add }) }, { from });
      expect((await browser.open(`${path}/subjects`)).querySelector('.notice')?.text).to.contain(words);
    }
    expect(rows.filter((row) => row.includes('Removed from the list'))).to.have.length(1);
    expect((await browser.get(path)).text).to.contain('2 URLs');
    const found = (await browser.open(`${path}/subjects?q=three`)).querySelectorAll('tbody tr');
    expect(found).to.have.length(1);
    expect((await browser.get(`${path}/subjects?q=%25`)).text).to.contain('No matching results');

    const wrong = await browser.post('/', { ...form, text, type: 'index' }, { from });
    expect([wrong.status, wrong.text.includes('You cannot change the type of a monitor')]).to.deep.equal([
      422,
      true,
    ]);
    const none = await browser.post('/', { ...form, text: 'no address' }, { from });
    expect(none.status).to.equal(422);
    const stranger = await visit(service, await service.account(0));
    expect((await stranger.get(from)).status).to.equal(404);
    expect((await stranger.post('/', { ...form, text })).status).to.equal(404);
  });

  it('set the sitemap of a list, and keep the list when the sitemap is removed', async () => {
    const listed = ['https://a.example/2', 'https://a.example/3', 'https://a.example/4'];
    const site = await serve((_req, res) => {
      res.end(`<urlset>${listed.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`);
    });
    afterTest(() => site.close());
    const path = `/monitors/${(await shop()).monitorId}`;
    const terms = { name: 'Shop', every: 'day', timezone: 'UTC', when: 'changed' };
    const change = (sitemap_url: string) => browser.post(`${path}/change`, { ...terms, sitemap_url });
    const readList = async () => {
      const page = await browser.open(path);
      const field = page.querySelector('[name=sitemap_url]')?.getAttribute('value');
      return [field, /\d+ URLs/.exec(page.text)?.[0]];
    };
    await change(`${site.url}/sitemap.xml`);
    expect(await readList()).to.deep.equal([`${site.url}/sitemap.xml`, '3 URLs']);
    await change('');
    expect(await readList()).to.deep.equal(['', '3 URLs']);
  });

  it('hide and protect the monitors of other accounts', async () => {
    const { monitorId } = await shop();
    const stranger = await visit(service, await service.account(0));
    for (const part of ['', '/changes', '/runs', '/subjects', '/subjects/1']) {
      const answer = await stranger.get(`/monitors/${monitorId}${part}`);
      expect([part, answer.status]).to.deep.equal([part, 404]);
    }
    for (const act of ['pause', 'resume', 'run', 'change', 'delete']) {
      const answer = await stranger.post(`/monitors/${monitorId}/${act}`);
      expect([act, answer.status]).to.deep.equal([act, 404]);
    }
  });

  const shop = () =>
    monitored(service, account.accountId, 'http', [
      { url: 'https://a.example/1' },
      { url: 'https://a.example/2' },
    ]);
});

describe('a change on the pages', () => {
  const toFields = (kind: string, before: object, after: object) => {
    const change = { subject: 'https://a.example/', kind, before, after, at: '2026-11-22T06:00:00Z' };
    return toChangeView(change as MonitorChange).fields.map((field) => Object.values(field).join(' '));
  };

  it('names the status first, and omits its consequences', () => {
    const before = { title: null, status: 404, noindex: null, canonical: null, is_soft404: null };
    const after = { title: 'Shoes', status: 200, noindex: [], canonical: null, is_soft404: false };
    const more = { initial_status: 404, final_url: 'https://a.example/' };
    const now = { initial_status: 200, final_url: 'https://a.example/shoes' };
    expect(toFields('status_changed', { ...before, ...more }, { ...after, ...now })).to.deep.equal([
      'Status 404 200',
      'Final URL https://a.example/ https://a.example/shoes',
    ]);
    expect(
      toFields('unreachable', { title: 'Shoes', status: 200 }, { title: null, status: 0 }),
    ).to.deep.equal(['Status 200 no HTTP response']);
  });

  it('names what is new, and omits what is equal on both sides', () => {
    expect(toFields('title_changed', { title: null }, { title: 'Shoes' })).to.deep.equal([
      'Title none Shoes',
    ]);
    expect(
      toFields('status_changed', { status: 200, title: 'A' }, { status: 203, title: 'B' }),
    ).to.deep.equal(['Status 200 203', 'Title A B']);
    expect(toFields('ranked', { rank: null, ranked_url: null }, { rank: 4 })).to.deep.equal(['Rank none #4']);
  });
});
