import { expect } from 'chai';
import { sql } from 'kysely';
import * as tokens from '../../../db/accounts/tokens.ts';
import * as spending from '../../../db/ledger/token-spending.ts';
import { sweepOrphans } from '../../../upkeep/sweep.ts';
import { eventually } from '../../support/eventually.ts';
import { asSerpApi, overviewCases, useGoogle } from '../../support/google.ts';
import { Random } from '../../support/random.ts';
import { seedOfRun } from '../../support/seed.ts';
import { useAccount, useService } from '../../support/service.ts';

const include = ['ai_overview'];

describe('the second credit of an AI Overview', () => {
  const google = useGoogle();
  const service = useService(
    () => ({ ...google.env('serpapi'), SERP_REUSE_SECONDS: '0', RATE_LIMIT_PER_MINUTE: '6000' }),
    { worker: true },
  );
  const account = useAccount(service, 1_000, { isForEach: true });

  beforeEach(() => google.let('serpapi', 'well'));

  const query = (keyword: string) => ({ url: 'rank-4.example', keyword, end_page: 1, include });
  const track = (keywords: string[], token = account.token) =>
    service.call('/keyword-track', { token, body: { queries: keywords.map(query) } });

  /** Returns the price of all stored answers, by their outcomes. */
  async function priceOfAnswers(): Promise<number> {
    const { rows } = await sql<{ price: number }>`
      select count(*) + count(*) filter (where outcome -> 'ai_overview' ->> 'state' = 'shown') as price
      from items where account_id = ${account.accountId} and state = 'success'`.execute(service.db);
    return Number(rows[0]?.price);
  }

  async function issueLimited(creditsPerMonth: number) {
    const token = await tokens.issue(service.db, account.accountId, 'limited', { creditsPerMonth });
    const { tokenId } = await service.db
      .selectFrom('apiTokens')
      .select('tokenId')
      .where('accountId', '=', account.accountId)
      .where('name', '=', 'limited')
      .executeTakeFirstOrThrow();
    return { token, findSpent: () => spending.findSpent(service.db, tokenId) };
  }

  it('is refunded once if checks are canceled, retried and checked again at the same moment', async () => {
    const seed = seedOfRun();
    const random = new Random(seed);
    const { token, findSpent } = await issueLimited(900);
    const post = (path: string) => service.call(path, { token, body: {} });
    const statuses = new Set<number>();
    for (let round = 0; round < 4; round++) {
      google.serpapi.seen.length = 0;
      const kinds = Array.from({ length: 8 }, () => random.pick(overviewCases));
      const seenMin = random.integer(0, 8);
      const { body } = await track(
        kinds.map((kind, nth) => `overview-${kind} ${round} ${nth}`),
        token,
      );
      const path = `/batch/${body.batch_id}`;
      await eventually(async () => (google.serpapi.seen.length >= seenMin ? true : null));
      const acts = random.shuffled(['cancel', 'cancel', 'retry', 'again', 'cancel', 'retry', 'again']);
      const answers = await Promise.all(acts.map((act) => post(`${path}/${act}`)));
      const late = await Promise.all(
        ['retry', 'again', 'retry', 'cancel'].map((act) => post(`${path}/${act}`)),
      );
      for (const { status } of [...answers, ...late]) statuses.add(status);
      await service.quiet();
    }
    expect([...statuses], `seed ${seed}`).to.include.members([200, 202]);
    expect(Math.max(...statuses), `seed ${seed}`).to.be.below(500);
    expect(await service.problems(), `seed ${seed}`).to.deep.equal([]);
    const paid = 1_000 - (await service.credits(account.accountId));
    expect([paid, await findSpent()], `seed ${seed}`).to.deep.equal(Array(2).fill(await priceOfAnswers()));
  });

  it('comes back to the monthly limit of a token, and never exceeds it', async () => {
    const { token, findSpent } = await issueLimited(5);
    // Six at once need 12 credits. Two fit into the limit, and up to four because each returns a credit.
    const six = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((one) => track([`overview-none ${one}`], token)),
    );
    const answered = six.filter(({ status }) => status === 200).length;
    expect(six.map(({ status }) => status)).to.have.members([
      ...Array(answered).fill(200),
      ...Array(6 - answered).fill(402),
    ]);
    expect(answered).to.be.within(2, 4);
    expect(await findSpent()).to.equal(answered);
    while ((await findSpent()) < 4) expect((await track(['overview-none'], token)).status).to.equal(200);
    // One credit is left, and a check costs two.
    expect((await track(['overview-none'], token)).body.error).to.equal('token_limit');
    expect([await findSpent(), 1_000 - (await service.credits(account.accountId))]).to.deep.equal([4, 4]);
  });

  it('is refunded by the sweep or by the answer of a slow check, not by both', async () => {
    const { token, findSpent } = await issueLimited(100);
    const boss = await service.boss();
    for (const kind of ['none', 'inline', 'later']) {
      const swept = Promise.withResolvers<void>();
      google.serpapi.willAnswer((request) => swept.promise.then(() => asSerpApi(request)));
      const asked = track([`overview-${kind} swept`], token);
      await eventually(async () => (google.serpapi.seen.length > 0 ? true : null));
      await sql`update chunks set created_at = now() - interval '36 seconds'
        where account_id = ${account.accountId} and settled = 0`.execute(service.db);
      await Promise.all(
        [1, 2].map(() => sweepOrphans(service.db, boss, (error) => expect.fail(String(error)))),
      ).finally(swept.resolve);
      expect((await asked).body.error).to.equal('check_given_up');
      expect([await findSpent(), await service.credits(account.accountId)]).to.deep.equal([0, 1_000]);
    }
    expect(await service.problems()).to.deep.equal([]);
  });

  it('is kept only if the sources were read, in the first answer or in a later one', async () => {
    const states = { inline: 'shown', later: 'shown', none: 'not_shown', phone: 'not_shown' };
    for (const kind of overviewCases) {
      const before = await service.credits(account.accountId);
      const { body } = await track([`overview-${kind}`]);
      const state = (states as Record<string, string>)[kind] ?? 'unread';
      expect(body.ai_overview.state, kind).to.equal(state);
      expect(before - (await service.credits(account.accountId)), kind).to.equal(state === 'shown' ? 2 : 1);
      expect(body.credits_remaining).to.equal(await service.credits(account.accountId));
    }
    expect(await service.problems()).to.deep.equal([]);
  });
});
