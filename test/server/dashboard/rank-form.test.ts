import { expect } from 'chai';
import { parse } from 'node-html-parser';
import type { TestAccount } from '../../support/accounts.ts';
import { type FormClient, visit } from '../../support/dashboard.ts';
import { useService } from '../../support/service.ts';

describe('the form for ranks', () => {
  const service = useService({}, { worker: true });
  let account: TestAccount;
  let browser: FormClient;

  before(async () => {
    account = await service.account(100);
    browser = await visit(service, account);
  });

  it("starts with the visitor's country and language", async () => {
    const readDefaults = async (languages: string) => {
      const page = parse((await browser.get('/?check=ranks', { 'Accept-Language': languages })).text);
      return ['country', 'language'].map((name) =>
        page.querySelector(`select[name=${name}] option[selected]`)?.getAttribute('value'),
      );
    };
    expect(await readDefaults('de-AT,de;q=0.9,en;q=0.8')).to.deep.equal(['AT', 'de']);
    expect(await readDefaults('fr')).to.deep.equal(['FR', 'fr']);
    expect(await readDefaults('xx-YY, *;q=0.5')).to.deep.equal(['US', 'en']);
    expect(await readDefaults('')).to.deep.equal(['US', 'en']);
  });

  it('reads competitors line by line, and all pages only if the user asks for them', async () => {
    const check = async (full: string) => {
      const form = {
        ...{ text: 'shoes', type: 'ranks', check: 'go', target: 'rank-3.example', pages: '2', full },
        ...{ competitors: 'rank-7.example\nnobody.example', once: `full-${full}` },
      };
      const { location } = await browser.post('/', form);
      const id = location?.split('/').at(-1) ?? '';
      await service.ended(account.token, id);
      return (await service.call(`/batch/${id}`, { token: account.token })).body.results[0];
    };
    const stopped = await check('');
    expect(stopped).to.deep.include({ end_page: 2, competitor_urls: ['rank-7.example', 'nobody.example'] });
    expect([stopped.full, stopped.pages_searched]).to.deep.equal([undefined, 1]);
    expect(await check('yes')).to.include({ full: true, pages_searched: 2 });
    await service.quiet();
  });

  const labelOf = (page: string) => parse(page).querySelector('#go')?.text;
  const overviewBox = (page: string) => parse(page).querySelector('input[name=overview]');
  const keywords = { text: 'shoes overview-shown\nbags', type: 'ranks', target: 'rank-3.example' };

  it('asks for AI Overviews at the shown price, and refunds the keywords that have none', async () => {
    const credits = await service.credits(account.accountId);
    expect(overviewBox((await browser.get('/?check=ranks')).text)?.hasAttribute('checked')).to.equal(false);
    const form = { ...keywords, overview: 'yes', once: 'overviews' };
    const read = await browser.post('/read', form, { from: '/' });
    expect(labelOf(read.text)).to.equal('Check 2 keywords · up to 4 credits');
    expect(parse(read.text).querySelector('#summary')?.text).to.contain(`costs up to 4 of your ${credits} `);

    const refused = await browser.post('/', { ...form, target: '', check: 'go' });
    expect(refused.status).to.equal(422);
    expect(overviewBox(refused.text)?.hasAttribute('checked')).to.equal(true);

    const { location } = await browser.post('/', { ...form, check: 'go' });
    const id = location?.split('/').at(-1) ?? '';
    await service.ended(account.token, id);
    const { results } = (await service.call(`/batch/${id}`, { token: account.token })).body;
    const states = results.map((item: { ai_overview: { state: string } }) => item.ai_overview.state);
    expect(states).to.deep.equal(['shown', 'not_shown']);
    expect(await service.credits(account.accountId)).to.equal(credits - 3);
    const edited = await browser.get(`/?from=${id}`);
    expect(labelOf(edited.text)).to.equal('Check 2 keywords · up to 4 credits');
    await service.quiet();
  });

  it('always asks for the other blocks of the page, which cost nothing', async () => {
    const credits = await service.credits(account.accountId);
    const { location } = await browser.post('/', { ...keywords, check: 'go', once: 'features' });
    const id = location?.split('/').at(-1) ?? '';
    await service.ended(account.token, id);
    const [first] = (await service.call(`/batch/${id}`, { token: account.token })).body.results;
    expect(first.features_visible).to.include('ai_overview');
    expect(first).not.to.have.property('ai_overview');
    expect(await service.credits(account.accountId)).to.equal(credits - 2);
    await service.quiet();
  });

  it('creates a monitor with AI Overviews only at the shown price, and keeps them when its list is edited', async () => {
    const watch = { ...keywords, overview: 'yes', check: 'watch', once: 'watched' };
    const cheaper = parse((await browser.post('/read', keywords, { from: '/' })).text);
    const plan = cheaper.querySelector('[name=plan]')?.getAttribute('value') ?? '';
    const refused = await browser.post('/', { ...watch, plan });
    expect(refused.status).to.equal(422);
    const shown = parse(refused.text);
    expect(shown.querySelector('#plan')?.text).to.contain(
      'checks 2 keywords every day between 03:00 and 07:00 (UTC), for up to 120 credits a month',
    );
    const planned = { ...watch, plan: shown.querySelector('[name=plan]')?.getAttribute('value') ?? '' };
    const { location: monitor = '', status, text } = await browser.post('/', planned);
    expect(status, text).to.equal(303);
    const id = monitor?.split('/').at(-1) ?? '';
    const readMonitor = async () =>
      (await service.call(`/monitors/${id}`, { token: account.token })).body.monitor;
    expect(await readMonitor()).to.include({ subjects: 2, credits_per_run: 4 });

    const credits = await service.credits(account.accountId);
    await browser.post(`${monitor}/run`, {}, { from: monitor ?? '' });
    await service.quiet();
    expect(await service.credits(account.accountId)).to.equal(credits - 3);
    const runs = parse((await browser.get(`${monitor}/runs`)).text);
    expect(runs.querySelector('[data-label=Credits]')?.text).to.equal('3 1 refunded');

    const from = `/?monitor=${id}`;
    const list = parse((await browser.get(from)).text);
    const value = (name: string) => list.querySelector(`#intake [name=${name}]`)?.getAttribute('value') ?? '';
    expect(labelOf(list.outerHTML)).to.equal('Save list · up to 4 credits per run');
    const saved = await browser.post(
      '/',
      {
        ...{ monitor: id, check: 'watch', type: 'ranks', once: 'saved' },
        ...{ about: value('about'), understood: value('understood') },
        text: list.querySelector('textarea')?.text ?? '',
      },
      { from },
    );
    expect(saved.status, saved.text).to.equal(303);
    expect(await readMonitor()).to.include({ subjects: 2, credits_per_run: 4 });
  });

  /** Returns the fields of the form as a browser sends them. */
  const readFields = (page: string) => {
    const form = parse(page).querySelector('#intake');
    const fields: Record<string, string> = {};
    for (const one of form?.querySelectorAll('input, select, textarea') ?? []) {
      const name = one.getAttribute('name') ?? '';
      const isOff =
        /^(?:checkbox|radio)$/.test(one.getAttribute('type') ?? '') && !one.hasAttribute('checked');
      if (name === '' || isOff || ['file', 'form_token'].includes(name)) continue;
      const chosen = one.tagName === 'SELECT' ? one.querySelector('option[selected]') : one;
      fields[name] =
        one.tagName === 'TEXTAREA' || !chosen?.hasAttribute('value')
          ? (chosen?.textContent ?? '')
          : (chosen.getAttribute('value') ?? '');
    }
    return fields;
  };

  /** Adds a line to the list of a monitor by its form. Returns the rows of the saved list. */
  const addKeyword = async (monitorId: string, keyword: string) => {
    const from = `/?monitor=${monitorId}`;
    const shown = readFields((await browser.get(from)).text);
    const form = { ...shown, text: `${shown.text}\n${keyword}`, check: 'watch' };
    const read = readFields(`<form id=intake>${(await browser.post('/read', form, { from })).text}</form>`);
    const saved = await browser.post('/', { ...form, ...read }, { from });
    expect(saved.status, saved.text).to.equal(303);
    const list = parse((await browser.get(from)).text).querySelector('textarea')?.text ?? '';
    return list.split('\n').map((line) => line.split(','));
  };

  it('proposes the values of the other keywords for keywords that are added to a monitor', async () => {
    const queries = ['deck chair', 'hammock'].map((keyword) => ({
      ...{ keyword, url: 'rank-2.example', country: 'DE', language: 'de', device: 'mobile', end_page: 4 },
      ...{
        competitors: ['rank-7.example', 'rank-9.example'],
        include: ['features', 'ai_overview'],
        tag: 'a',
      },
    }));
    const create = async (body: object) =>
      (await service.call('/monitors', { token: account.token, body })).body.monitor.monitor_id;
    const monitorId = await create({ name: 'Garden', type: 'keyword', queries, schedule: { every: 'day' } });
    const [head, first, , added] = await addKeyword(monitorId, 'sun lounger');
    const place = head?.indexOf('tag') ?? 0;
    expect(head).to.include.members(['url', 'competitors', 'include']);
    expect(added?.toSpliced(place, 1)).to.deep.equal([
      'sun lounger',
      ...(first?.toSpliced(place, 1).slice(1) ?? []),
    ]);
    expect(added?.[place]).to.equal('');

    // The other keywords keep what they do not have: the form's values would also apply to them.
    const { competitors: _, include: __, ...plain } = queries[0] as (typeof queries)[0];
    const others = [...queries, { ...plain, keyword: 'parasol', url: 'rank-3.example' }];
    const mixed = await create({
      name: 'Garden',
      type: 'keyword',
      queries: others,
      schedule: { every: 'day' },
    });
    const page = readFields((await browser.get(`/?monitor=${mixed}`)).text);
    expect(page).to.include({ target: '', country: 'DE', device: 'mobile', competitors: '' });
    expect(page).not.to.have.property('overview');
  });
});
