import { expect } from 'chai';
import * as tokens from '../../../db/accounts/tokens.ts';
import type { TestAccount } from '../../support/accounts.ts';
import { useService } from '../../support/service.ts';

/** Keywords for which the sandbox has an AI Overview in each state. It cites rank-1 to rank-3.example. */
const keywords = {
  shown: 'shoes overview-shown',
  unread: 'shoes overview-unread',
  unknown: 'shoes overview-unknown',
  not_shown: 'shoes',
};
const include = ['features', 'ai_overview'];
const nothing = { cited: null, cited_url: null, citation: null };

describe('AI Overviews and features of rank checks', () => {
  const service = useService({}, { worker: true });
  let account: TestAccount;

  beforeEach(async () => {
    account = await service.account();
  });

  afterEach(async () => expect(await service.problems()).to.deep.equal([]));

  const query = (keyword: string, changes: object = {}) => ({
    url: 'rank-2.example',
    keyword,
    end_page: 1,
    ...changes,
  });
  const send = (queries: object[], changes: object = {}) =>
    service.call('/keyword-track', { token: account.token, body: { queries, ...changes } });
  const get = async (path: string) => (await service.call(path, { token: account.token })).body;
  const credits = () => service.credits(account.accountId);

  it('are in the answer of a single check, and are stored with it', async () => {
    const { body } = await send([
      query(keywords.shown, { include, competitors: ['rank-3.example', 'rank-9.example'], full: true }),
    ]);
    const facts = { state: 'shown', cited: true, cited_url: 'https://rank-2.example/', citation: 2 };
    const sources = [1, 2, 3].map((position) => ({
      position,
      url: `https://rank-${position}.example/`,
      title: `Simulated result ${position}`,
      source: `rank-${position}.example`,
    }));
    const whole = { ...facts, sources, text: 'A simulated overview.' };
    expect(body.ai_overview).to.deep.equal(whole);
    expect(body.competitors.map(({ cited }: { cited: boolean }) => cited)).to.deep.equal([true, false]);
    expect(body.features).to.deep.equal([
      { type: 'ai_overview', position: 1, owned: true, urls: sources.map(({ url }) => url) },
      { type: 'people_also_ask', position: 4, owned: true, urls: ['https://rank-2.example/answer'] },
    ]);
    expect(body.features_visible).to.have.members(['people_also_ask', 'featured_snippet', 'ai_overview']);
    expect(body.include).to.deep.equal(include);
    expect((await get(`/checks/${body.request_id}`)).ai_overview).to.deep.equal(facts);
    const stored = await get(`/checks/${body.request_id}?include=ai_overview`);
    expect(stored.ai_overview).to.deep.equal(whole);
    expect(stored.credits).to.equal(2);
  });

  it('cost 2 credits, of which 1 is refunded unless an overview was shown and read', async () => {
    for (const [state, keyword] of Object.entries(keywords)) {
      const before = await credits();
      const { body } = await send([query(keyword, { include })]);
      const cost = state === 'shown' ? 2 : 1;
      expect(body.ai_overview.state).to.equal(state);
      if (state !== 'shown') expect(body.ai_overview).to.deep.equal({ state, ...nothing });
      expect([before - (await credits()), before - body.credits_remaining], state).to.deep.equal([
        cost,
        cost,
      ]);
      expect(await get(`/checks/${body.request_id}`)).to.include({ credits: cost });
    }
    const before = await credits();
    expect((await send([query(keywords.shown, { include: ['features'] })])).body).not.to.have.property(
      'ai_overview',
    );
    expect((await send([query('blocked.example', { include })])).status).to.equal(503);
    expect(before - (await credits())).to.equal(1);
  });

  it('are refused with 402 when the balance is short, alone and in a batch', async () => {
    account = await service.account(3);
    expect((await send([query(keywords.shown, { include }), query('boots', { include })])).status).to.equal(
      402,
    );
    expect(await credits()).to.equal(3);
    await send([query(keywords.shown, { include })]);
    const alone = await send([query(keywords.shown, { include })]);
    expect(alone.status).to.equal(402);
    // A single query cannot be made smaller.
    expect(alone.body.message).to.equal(
      'This request costs 2 credits. Your balance is 1. You were not charged. Ask the operator for credits.',
    );
    expect(await credits()).to.equal(1);
  });

  it('above page 1 are unknown', async () => {
    const { body } = await send([query(keywords.shown, { include, start_page: 2, end_page: 2 })]);
    expect(body.ai_overview).to.deep.equal({ state: 'unknown', ...nothing });
    expect([body.features, body.features_visible]).to.deep.equal([[], []]);
  });

  it('apply to batches: charges, exports, and a second check of all or of a few', async () => {
    const queries = [
      ...Object.values(keywords).map((keyword) => query(keyword, { include })),
      query('boots'),
    ];
    const before = await credits();
    const { body: accepted } = await send(queries);
    expect(accepted.credits_remaining).to.equal(before - 9);
    const batch = await service.ended(account.token, accepted.batch_id);
    expect(batch).to.include({ credits_charged: 9, credits_refunded: 3 });
    expect(batch.results.map((result: { credits: number }) => result.credits)).to.deep.equal([2, 1, 1, 1, 1]);
    expect(before - (await credits())).to.equal(6);
    expect(batch.results[0].ai_overview).not.to.have.any.keys('sources', 'text');
    const path = `/batch/${accepted.batch_id}`;
    const { results } = await get(`${path}?include=ai_overview`);
    expect(results[0].ai_overview.sources).to.have.length(3);
    const { text } = await service.call(`${path}/results.csv`, { token: account.token });
    const [head = '', ...rows] = text
      .trim()
      .split('\n')
      .map((line: string) => line.split(','));
    const columns = ['ai_overview', 'ai_cited', 'features'].map((name) => head.indexOf(name));
    expect(rows.map((row: string[]) => columns.map((at) => row[at]))).to.deep.equal([
      ['shown', 'true', 'ai_overview people_also_ask'],
      ['unread', '', 'ai_overview people_also_ask'],
      ['unknown', '', 'people_also_ask'],
      ['not_shown', '', 'people_also_ask'],
      ['', '', ''],
    ]);
    const { body: again } = await service.call(`${path}/again`, { token: account.token, body: {} });
    await service.ended(account.token, again.batch_id);
    expect(before - (await credits())).to.equal(12);
    // A part of the inputs costs its own price, and is refused before any work.
    account = {
      ...account,
      token: await tokens.issue(service.db, account.accountId, 'low', { creditsPerMonth: 3 }),
    };
    const some = await service.call(`${path}/again`, { token: account.token, body: { q: 'overview' } });
    expect(some.status).to.equal(402);
    expect(some.body.message).to.contain('6');
  });

  it('of a test token cost nothing', async () => {
    const token = await tokens.issue(service.db, account.accountId, 'trial', { isTest: true });
    const { body } = await service.call('/keyword-track', {
      token,
      body: { queries: [query(keywords.shown, { include })] },
    });
    expect(body).to.deep.include({ simulated: true });
    expect(body.ai_overview.cited).to.equal(true);
    const { body: accepted } = await service.call('/keyword-track', {
      token,
      body: { queries: Object.values(keywords).map((keyword) => query(keyword, { include })) },
    });
    expect(await service.ended(token, accepted.batch_id)).to.include({
      credits_charged: 0,
      credits_refunded: 0,
    });
  });
});
