import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { sql } from 'kysely';
import { parse } from 'node-html-parser';
import { listCurrent } from '../../../db/monitors/subjects.ts';
import type { InputOf } from '../../../schemas/check-types.ts';
import { tableOf } from '../../../server/dashboard/intake/earlier-lists.ts';
import { alertIn, useVisit } from '../../support/dashboard.ts';
import { countWaiting, untilWaiting } from '../../support/locks.ts';
import { itOnOneServer } from '../../support/postgres.ts';
import { useAccount, useService } from '../../support/service.ts';

describe('the form for ranks', () => {
  const service = useService({}, { worker: true });
  const account = useAccount(service, 100);
  const browser = useVisit(service, account);

  const labelOf = (page: string) => parse(page).querySelector('#go')?.text;

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

  const create = async (body: object) => {
    const sent = { name: 'Garden', type: 'keyword', schedule: { every: 'day' }, ...body };
    const { status, body: answer } = await service.call('/monitors', { token: account.token, body: sent });
    expect(status, JSON.stringify(answer)).to.equal(201);
    return answer.monitor.monitor_id as string;
  };

  const open = async (path: string) => readFields((await browser.get(path)).text);

  /** Reads the form of the page `from`. Returns the label of its button, and the fields that the reading adds. */
  const read = async (from: string, form: Record<string, string>) => {
    const { text } = await browser.post('/read', { ...form, check: 'watch' }, { from });
    return { label: labelOf(text), fields: readFields(`<form id=intake>${text}</form>`) };
  };

  /** Reads the form of the page `from`, with an answer to its question, and saves it. Returns its last label. */
  const save = async (from: string, form: Record<string, string>, answer: Record<string, string> = {}) => {
    const { label, fields } = await read(from, { ...form, ...answer });
    const saved = await browser.post('/', { ...form, check: 'watch', ...fields }, { from });
    expect(saved.status, saved.text).to.equal(303);
    return label;
  };

  it("starts with the visitor's country and language", async () => {
    const readDefaults = async (languages: string) => {
      const page = await browser.open('/?check=ranks', { 'Accept-Language': languages });
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
      const id = location.split('/').at(-1) ?? '';
      await service.ended(account.token, id);
      return (await service.call(`/batch/${id}`, { token: account.token })).body.results[0];
    };
    const stopped = await check('');
    expect(stopped).to.deep.include({ end_page: 2, competitor_urls: ['rank-7.example', 'nobody.example'] });
    expect([stopped.full, stopped.pages_searched]).to.deep.equal([undefined, 1]);
    expect(await check('yes')).to.include({ full: true, pages_searched: 2 });
    await service.quiet();
  });

  const overviewBox = (page: string) => parse(page).querySelector('input[name=overview]');
  const keywords = { text: 'shoes overview-shown\nbags', type: 'ranks', target: 'rank-3.example' };

  it('asks for AI Overviews at the shown price, and refunds the keywords that have none', async () => {
    const credits = await service.credits(account.accountId);
    expect(overviewBox((await browser.get('/?check=ranks')).text)?.hasAttribute('checked')).to.equal(false);
    const form = { ...keywords, overview: 'yes', once: 'overviews' };
    const read = await browser.post('/read', form);
    expect(labelOf(read.text)).to.equal('Check 2 keywords · up to 4 credits');
    expect(parse(read.text).querySelector('#summary')?.text).to.contain(`costs up to 4 of your ${credits} `);

    const refused = await browser.post('/', { ...form, target: '', check: 'go' });
    expect(refused.status).to.equal(422);
    expect(overviewBox(refused.text)?.hasAttribute('checked')).to.equal(true);

    const { location } = await browser.post('/', { ...form, check: 'go' });
    const id = location.split('/').at(-1) ?? '';
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
    const id = location.split('/').at(-1) ?? '';
    await service.ended(account.token, id);
    const [first] = (await service.call(`/batch/${id}`, { token: account.token })).body.results;
    expect(first.features_visible).to.include('ai_overview');
    expect(first).not.to.have.property('ai_overview');
    expect(await service.credits(account.accountId)).to.equal(credits - 2);
    await service.quiet();
  });

  it('creates a monitor with AI Overviews only at the shown price, and keeps them when its list is edited', async () => {
    const watch = { ...keywords, overview: 'yes', check: 'watch', once: 'watched' };
    const cheaper = parse((await browser.post('/read', keywords)).text);
    const plan = cheaper.querySelector('[name=plan]')?.getAttribute('value') ?? '';
    const refused = await browser.post('/', { ...watch, plan });
    expect(refused.status).to.equal(422);
    const shown = parse(refused.text);
    expect(shown.querySelector('#plan')?.text).to.contain(
      'checks 2 keywords every day between 03:00 and 07:00 (UTC), for up to 120 credits a month. This service does not send email.',
    );
    const planned = { ...watch, plan: shown.querySelector('[name=plan]')?.getAttribute('value') ?? '' };
    const { location: monitor, status, text } = await browser.post('/', planned);
    expect(status, text).to.equal(303);
    const id = monitor.split('/').at(-1) ?? '';
    const readMonitor = async () =>
      (await service.call(`/monitors/${id}`, { token: account.token })).body.monitor;
    expect(await readMonitor()).to.include({ subjects: 2, credits_per_run: 4 });

    const credits = await service.credits(account.accountId);
    await browser.post(`${monitor}/run`);
    await service.quiet();
    expect(await service.credits(account.accountId)).to.equal(credits - 3);
    const runs = await browser.open(`${monitor}/runs`);
    expect(runs.querySelector('[data-label=Credits]')?.text).to.equal('3 1 refunded');

    const from = `/?monitor=${id}`;
    const list = (await browser.get(from)).text;
    expect(labelOf(list)).to.equal('Save list · up to 4 credits per run');
    await save(from, readFields(list));
    expect(await readMonitor()).to.include({ subjects: 2, credits_per_run: 4 });
  });

  it('proposes the values of the other keywords for keywords that are added to a monitor', async () => {
    const queries = ['deck chair', 'hammock'].map((keyword) => ({
      ...{ keyword, url: 'rank-2.example', country: 'DE', language: 'de', device: 'mobile', end_page: 4 },
      ...{
        competitors: ['rank-7.example', 'rank-9.example'],
        include: ['features', 'ai_overview'],
        tag: 'a',
      },
    }));
    const from = `/?monitor=${await create({ queries })}`;
    const shown = await open(from);
    await save(from, { ...shown, text: `${shown.text}\nsun lounger` });
    const [head, first, , added] = ((await open(from)).text ?? '').split('\n').map((line) => line.split(','));
    expect(head).to.include.members(['url', 'competitors', 'include', 'tag']);
    expect(added).to.deep.equal(['sun lounger', ...(first?.slice(1) ?? [])]);

    // Values that some keywords lack are not proposed, because they would also apply to these keywords.
    const { competitors: _, include: __, ...plain } = queries[0] as (typeof queries)[0];
    const others = [...queries, { ...plain, keyword: 'parasol', url: 'rank-3.example' }];
    const page = await open(`/?monitor=${await create({ queries: others })}`);
    expect(page).to.include({ target: '', country: 'DE', device: 'mobile', competitors: '' });
    expect(page).not.to.have.property('overview');
  });

  describe('of a monitor', () => {
    const listKeywords = async (monitorId: string) => {
      const current = await listCurrent(service.db, { accountId: account.accountId, monitorId });
      return current.map(({ input }) => input as InputOf<'keyword'>);
    };
    const ofSite = { url: 'rank-2.example', country: 'DE', competitors: ['rank-7.example'], tag: 'a' };
    const garden = [
      { ...ofSite, keyword: 'deck chair' },
      { ...ofSite, keyword: 'hammock', url: 'https://www.rank-2.example/' },
      { keyword: 'tent', url: 'rank-3.example', country: 'US', competitors: ['rank-8.example'], tag: 'b' },
    ];

    it('adds keywords to the site from whose page it was opened, and changes no other keyword', async () => {
      const id = await create({ queries: garden });
      const before = await listKeywords(id);
      const from = `/?monitor=${id}&add=yes&site=rank-2.example`;
      const shown = await open(from);
      expect(shown).to.include({
        ...{ text: '', target: 'rank-2.example', country: 'DE', competitors: 'rank-7.example', tag: 'a' },
      });
      // The values of different sites are not mixed.
      expect(await open(`/?monitor=${id}&add=yes`)).to.include({
        target: '',
        country: 'DE',
        competitors: '',
        tag: '',
      });
      const label = await save(from, { ...shown, text: 'parasol\nhammock' });
      expect(label).to.equal('Add to list · 2 credits more per run');
      const after = await listKeywords(id);
      expect(after.slice(0, 3)).to.deep.equal(before);
      const added = [
        { keyword: 'parasol', target_url: 'rank-2.example', country: 'DE', tag: 'a' },
        { keyword: 'hammock', target_url: 'rank-2.example', country: 'DE', tag: 'a' },
      ];
      expect(after.slice(3)).to.have.length(added.length);
      for (const [place, one] of added.entries())
        expect(after[3 + place]).to.deep.include({ ...one, competitor_urls: ['rank-7.example'] });
    });

    it('leaves keywords as they are that are already in the list, and prices only the others', async () => {
      const id = await create({ queries: garden });
      const before = await listKeywords(id);
      const from = `/?monitor=${id}&add=yes&site=rank-2.example`;
      const form = { ...(await open(from)), tag: 'new', competitors: '', overview: 'yes' };
      const { text } = await browser.post('/read', { ...form, text: 'deck chair\nparasol' }, { from });
      const summary = parse(text).querySelector('#reading')?.text;
      expect(summary).to.contain('1 is already in the list and stays as it is.').and.not.contain('costs');
      const label = await save(from, { ...form, text: 'deck chair\nparasol' });
      expect(label).to.equal('Add to list · up to 2 credits more per run');
      const after = await listKeywords(id);
      expect(after.slice(0, 3)).to.deep.equal(before);
      expect(after.slice(3).map(({ keyword, tag }) => [keyword, tag])).to.deep.equal([['parasol', 'new']]);
    });

    it('knows the keywords of the list that are read less deep, because they have no competitors', async () => {
      const id = await create({ queries: [{ url: 'rank-2.example', keyword: 'desk' }] });
      const from = `/?monitor=${id}&add=yes&site=rank-2.example`;
      const form = { ...(await open(from)), competitors: 'rank-7.example', text: 'desk\nwardrobe' };
      expect(await save(from, form)).to.equal('Add to list · 1 credit more per run');
      expect((await listKeywords(id)).map(({ keyword }) => keyword)).to.deep.equal(['desk', 'wardrobe']);
    });

    it('refuses keywords that make the list longer than its limit', async () => {
      const id = await create({ queries: garden, subjects_max: 3 });
      const from = `/?monitor=${id}&add=yes`;
      const form = { ...(await open(from)), text: 'parasol', check: 'watch' };
      const refused = await browser.post('/', { ...form, target: 'rank-2.example' }, { from });
      expect(refused.status).to.equal(422);
      expect(refused.text).to.contain('The list would have 4 entries. The limit of this monitor is 3.');
      expect(await listKeywords(id)).to.have.length(3);
    });

    it('refuses a list that the competitors in the form make too large, and does not show such a list', async () => {
      const competitors = Array.from(
        { length: 10 },
        (_, place) => `rank-${place}.example/${'a'.repeat(380)}`,
      );
      const form = {
        type: 'ranks',
        check: 'watch',
        target: 'rank-2.example',
        competitors: competitors.join('\n'),
      };
      const text = Array.from({ length: 2500 }, (_, place) => `keyword ${place}`).join('\n');
      const tooLarge = 'The list with all its competitors is larger than 8 MiB.';
      const refused = await browser.post('/', { ...form, text, once: 'large' });
      expect([refused.status, refused.text.includes(tooLarge)]).to.deep.equal([422, true]);

      const id = await create({ queries: garden });
      const from = `/?monitor=${id}&add=yes`;
      const part = (first: number) =>
        text
          .split('\n')
          .slice(first, first + 1500)
          .join('\n');
      await save(from, { ...(await open(from)), ...form, text: part(0) });
      const shown = await browser.get(`/?monitor=${id}`);
      expect([shown.status, shown.text.includes('This list is too long for a form.')]).to.deep.equal([
        413,
        true,
      ]);
      const again = await browser.post('/', { ...(await open(from)), ...form, text: part(1000) }, { from });
      expect([again.status, again.text.includes(tooLarge)]).to.deep.equal([422, true]);
      expect(await listKeywords(id)).to.have.length(1503);
    });

    it('shows the longest realistic list, but none that takes long to escape', async () => {
      const tooLong = 'This list is too long for a form.';
      const show = async (text: string) => {
        const { status, text: page } = await browser.post('/', { check: 'read', text });
        return [status, page.includes(tooLong)];
      };
      expect(await show('&'.repeat(160_000))).to.deep.equal([413, true]);
      const longest = `https://shop.example/${'a'.repeat(169)}?b&c&d&e&f\n`.repeat(10_000);
      expect(await show(longest)).to.deep.equal([200, false]);
      const urls = Array.from({ length: 100 }, (_, nth) => `https://a.example/${nth}?${'&'.repeat(1950)}`);
      const shown = await browser.get(`/?monitor=${await create({ type: 'http', urls })}`);
      expect([shown.status, shown.text.includes(tooLong)]).to.deep.equal([413, true]);
    });

    it('writes a long list in several turns of the event loop', async () => {
      let text = '';
      void tableOf(Array(2000).fill({ keyword: 'tent', target_url: 'rank-2.example' })).then((written) => {
        text = written;
      });
      let turns = 0;
      for (; text === ''; turns++) await setImmediate();
      expect(text.split('\n')).to.have.length(2001);
      expect(turns).to.be.at.least(9);
    });

    it('refuses to add to a list that comes from a sitemap since the form was opened', async () => {
      const id = await create({ type: 'http', urls: ['https://a.example/1'] });
      const from = `/?monitor=${id}&add=yes`;
      const form = { ...(await open(from)), text: 'https://a.example/2', check: 'watch' };
      await service.db
        .updateTable('monitors')
        .set({ sitemapUrl: 'https://a.example/sitemap.xml' })
        .where('monitorId', '=', id)
        .execute();
      const refused = await browser.post('/', form, { from });
      expect(refused.status).to.equal(422);
      expect(refused.text).to.contain('The list of this monitor comes from a sitemap.');
      expect(await listKeywords(id)).to.have.length(1);
    });

    itOnOneServer('answers other accounts while additions of one account wait for the monitor', async () => {
      const id = await create({ queries: garden });
      const from = `/?monitor=${id}&add=yes`;
      const form = { ...(await open(from)), target: 'rank-2.example' };
      const { accountId } = account;
      const waiting = await service.db.transaction().execute(async (trx) => {
        await sql`select from monitors where account_id = ${accountId} and monitor_id = ${id} for update`.execute(
          trx,
        );
        const sent = Array.from({ length: 6 }, (_, place) =>
          browser.post(
            '/',
            { ...form, text: `new ${place}`, check: 'watch', once: `add-${place}` },
            // The page with the list would count as one of the lists.
            { from: '/' },
          ),
        );
        await untilWaiting(service.db, 2, '%monitors%');
        const other = await service.account(10);
        const urls = ['http://a.invalid/'];
        const { status } = await service.call('/http-status/bulk', { token: other.token, body: { urls } });
        expect(status).to.equal(202);
        // Half of the connections for acceptance are for other accounts.
        expect(await countWaiting(service.db, '%monitors%')).to.equal(2);
        return sent;
      });
      const statuses = (await Promise.all(waiting)).map((answer) => answer.status);
      expect(statuses.toSorted()).to.deep.equal([303, 303, 429, 429, 429, 429]);
      expect(await listKeywords(id)).to.have.length(5);
    });

    it('proposes the sites in the list, if a site is typed for new lines of an edited list', async () => {
      const id = await create({ queries: garden });
      const from = `/?monitor=${id}`;
      // While a question is open, the form has no field for detected columns.
      const { detected: _, ...shown } = await open(from);
      const form = { ...shown, target: 'rank-3.example', text: `${shown.text}\nparasol` };
      const { fields: asked } = await read(from, form);
      expect(asked.column_url).to.equal('1');
      await save(from, form, asked);
      const sites = (await listKeywords(id)).map(({ target_url: url }) => url);
      expect(sites).to.deep.equal([...garden.map(({ url }) => url), 'rank-3.example']);
    });

    it('refuses a changed field that no keyword of the edited list uses, and says how to use it', async () => {
      const queries = garden.slice(0, 2);
      const id = await create({ queries });
      const from = `/?monitor=${id}`;
      const shown = await open(from);
      const edited = { ...shown, text: shown.text?.replaceAll('hammock', 'swing') ?? '', check: 'watch' };
      const before = await listKeywords(id);
      for (const [field, value, column] of [
        ['competitors', 'rank-7.example\nrank-9.example', 'Competitors'],
        ['competitors', '', 'Competitors'],
        ['country', 'AT', 'Country'],
        ['location', 'Berlin', 'Country'],
        ['pages', '2', 'Last page'],
      ] as const) {
        const refused = await browser.post('/', { ...edited, [field]: value }, { from });
        expect(refused.status, field).to.equal(422);
        expect(alertIn(refused.text)).to.equal(
          `Every keyword in the list has its own value for “${column}”, so your change below would have no effect. Change the list, or choose “No column” in “${column} from” to use the field for all keywords.`,
        );
        const kept = readFields(refused.text);
        expect([kept[field], kept[`shown_${field}`]].map((one) => one?.replaceAll('\r', ''))).to.deep.equal([
          value,
          shown[`shown_${field}`],
        ]);
      }
      expect(await listKeywords(id)).to.deep.equal(before);
      const competitors = 'rank-7.example\nrank-9.example';
      const sent = { ...edited, competitors };
      const { fields } = await read(from, sent);
      await save(from, sent, { column_competitors: '-1', about: fields.about ?? '' });
      const after = await listKeywords(id);
      expect(after.map(({ keyword }) => keyword)).to.deep.equal(['deck chair', 'swing']);
      for (const query of after) expect(query.competitor_urls).to.deep.equal(competitors.split('\n'));
    });

    it('keeps all keywords of an unchanged list, also those that look like comments or missing values', async () => {
      const keywords = ['"exact words"', '[boxed]', '#1 tool', '# tool', 'n/a', '(not set)', '--', '"a" [b]'];
      const query = { ...ofSite, device: 'mobile', include: ['features'] };
      const id = await create({ queries: keywords.map((keyword) => ({ ...query, keyword })) });
      expect((await listKeywords(id)).map(({ keyword }) => keyword)).to.deep.equal(keywords);
      const listSubjects = () => listCurrent(service.db, { accountId: account.accountId, monitorId: id });
      const before = await listSubjects();
      const from = `/?monitor=${id}`;
      await save(from, await open(from));
      expect(await listSubjects()).to.deep.equal(before);
      const message = (await browser.open(`/monitors/${id}/subjects`)).querySelector('.notice.warn');
      expect(message?.text).to.equal('Nothing was changed.');
    });
  });
});
