import { expect } from 'chai';
import { checkIndex } from '../../../checks/search/index-check.ts';
import { checkRank, questionOf } from '../../../checks/search/rank-check.ts';
import type { RankQuery } from '../../../schemas/keyword.ts';
import { type Answer, type ProviderServer, type SeenRequest, startProvider } from '../../support/provider.ts';
import { Random } from '../../support/random.ts';
import { type Talk, talks } from '../../support/replies.ts';
import { patient, searchWith } from '../../support/serps.ts';
import { answering, pagesOf, queryIn } from '../../support/simulated-google.ts';

/** What an upstream may do in place of answering, each with the right answer at hand. */
const oddities: ((talk: Talk, query: string, urls: string[]) => Answer)[] = [
  () => ({ status: 500, body: '' }),
  () => ({ status: 429, body: {} }),
  () => ({ body: {} }),
  ({ captcha }) => captcha,
  (talk, query, urls) => ({ body: JSON.stringify(talk.reply(query, urls)).slice(0, -9) }),
  (talk, query) => ({ body: talk.withError(talk.reply(query, [])) }),
  (talk) => ({ body: talk.reply(undefined, []) }),
  (talk) => ({ body: talk.reply('something.example/else', ['https://something.example/else']) }),
  (talk, query) => ({ status: 202, body: talk.reply(query, []) }),
  (talk, query) => ({ body: talk.withEntries(talk.reply(query, []), [{ title: 'no address' }]) }),
];

const query: RankQuery = {
  keyword: 'red shoes',
  target_url: 'shop.example',
  country: 'US',
  language: 'en',
  device: 'desktop',
  start_page: 1,
  end_page: 10,
  match: 'site',
  tag: null,
};

describe('fail-over', () => {
  let servers: ProviderServer[];

  before(async () => {
    servers = await Promise.all(talks.map(() => startProvider()));
  });
  after(() => Promise.all(servers.map((server) => server.close())));

  /** Every other address is in Google; of those every other is found by `site:` alone. */
  const resultsFor = (query: string) => {
    const address = query.replace(/^site:/, '');
    const number = Number(/\d+/.exec(address)?.[0]);
    const isShown = number % 4 === 0 || (number % 4 === 2 && query.startsWith('site:'));
    return isShown ? [`https://${address}`] : [];
  };

  it('never changes a verdict, whatever a third of the upstreams’ answers are', async () => {
    const random = new Random(1);
    for (const [index, talk] of talks.entries()) {
      servers[index]?.willAnswer((request: SeenRequest) => {
        const query = queryIn(talk.source.name, request);
        const urls = resultsFor(query);
        const oddity = random.next() < 0.35 ? oddities[random.integer(0, oddities.length - 1)] : undefined;
        return oddity ? oddity(talk, query, urls) : { body: talk.reply(query, urls) };
      });
    }
    const providers = talks.map((talk, index) =>
      talk.source.make(talk.env((servers[index] as ProviderServer).baseUrl), 30_000),
    );
    const search = searchWith(providers, 0, 50);
    let [answered, byAnother] = [0, 0];
    for (let number = 0; number < 120; number++) {
      const seen: string[] = [];
      for (let time = 0; time < 2; time++) {
        const outcome = await checkIndex(`https://shop.example/p${number}`, search, {
          ...patient,
          accountId: number,
        });
        if (outcome.state === 'failed') continue;
        answered += 1;
        expect(outcome.answer.is_indexed, `${number} by ${outcome.answer.provider}`).to.equal(
          number % 2 === 0,
        );
        seen.push(outcome.answer.provider);
      }
      if (new Set(seen).size > 1) byAnother += 1;
    }
    // Otherwise nothing was tried.
    expect(answered).to.be.above(200);
    expect(byAnother).to.be.above(20);
  });

  it('never changes a rank either', async () => {
    const random = new Random(2);
    const pages = pagesOf([9, 8, 11, 7], 1);
    const urls = [...new Set(pages.flat())];
    for (const [index, talk] of talks.entries()) {
      const well = answering(talk, 'red shoes', pages);
      servers[index]?.willAnswer((request: SeenRequest) => {
        const oddity = random.next() < 0.2 ? oddities[random.integer(0, oddities.length - 1)] : undefined;
        return oddity ? oddity(talk, 'red shoes', urls.slice(0, 9)) : well(request);
      });
    }
    const providers = talks.map((talk, index) =>
      talk.source.make(talk.env((servers[index] as ProviderServer).baseUrl), 30_000),
    );
    const search = searchWith(providers, 0, 50);
    const by = new Set<string>();
    for (const [index, url] of [...urls, 'https://nowhere.example/'].entries()) {
      const question = questionOf({ ...query, target_url: new URL(url).hostname });
      const outcome = await checkRank(question, search, { ...patient, accountId: index });
      if (outcome.state === 'failed') continue;
      by.add(outcome.answer.provider);
      expect(outcome.answer.rank, url).to.equal(index < urls.length ? index + 1 : null);
    }
    expect(by.size).to.be.above(1);
  });
});
