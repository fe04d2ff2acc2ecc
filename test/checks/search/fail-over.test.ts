import { expect } from 'chai';
import { checkIndex } from '../../../checks/search/index-check.ts';
import { checkRank } from '../../../checks/search/rank-check.ts';
import { type Answer, type SeenRequest, useProviderServer } from '../../support/provider.ts';
import { Random } from '../../support/random.ts';
import { makeProvider, type ProviderFormat, providerFormats } from '../../support/replies.ts';
import { noDeadline, rankQuestion, searchWith } from '../../support/serps.ts';
import { answering, createPages, queryIn } from '../../support/simulated-google.ts';

/** Bad answers of an upstream, made from the right one. */
const oddities: ((format: ProviderFormat, query: string, urls: string[]) => Answer)[] = [
  () => ({ status: 500, body: '' }),
  () => ({ status: 429, body: {} }),
  () => ({ body: {} }),
  ({ captcha }) => captcha,
  (format, query, urls) => ({ body: JSON.stringify(format.reply(query, urls)).slice(0, -9) }),
  (format, query) => ({ body: format.withError(format.reply(query, [])) }),
  (format) => ({ body: format.reply(undefined, []) }),
  (format) => ({ body: format.reply('something.example/else', ['https://something.example/else']) }),
  (format, query) => ({ status: 202, body: format.reply(query, []) }),
  (format, query) => ({ body: format.withEntries(format.reply(query, []), [{ title: 'no address' }]) }),
];

describe('fail-over', () => {
  const servers = providerFormats.map(() => useProviderServer());

  const makeAll = () =>
    providerFormats.map((format, index) => makeProvider(format, servers[index]?.baseUrl ?? ''));

  /** Every second URL is in Google. Half of these URLs are found only with `site:`. */
  const resultsFor = (query: string) => {
    const address = query.replace(/^site:/, '');
    const number = Number(/\d+/.exec(address)?.[0]);
    const isShown = number % 4 === 0 || (number % 4 === 2 && query.startsWith('site:'));
    return isShown ? [`https://${address}`] : [];
  };

  it('never changes a verdict when a third of the upstreams’ answers are bad', async () => {
    const random = new Random(1);
    for (const [index, format] of providerFormats.entries()) {
      servers[index]?.willAnswer((request: SeenRequest) => {
        const query = queryIn(format.source.name, request);
        const urls = resultsFor(query);
        const oddity = random.next() < 0.35 ? oddities[random.integer(0, oddities.length - 1)] : undefined;
        return oddity ? oddity(format, query, urls) : { body: format.reply(query, urls) };
      });
    }
    const search = searchWith(makeAll(), 0, 50);
    let [answered, byAnother] = [0, 0];
    for (let number = 0; number < 120; number++) {
      const seen: string[] = [];
      for (let time = 0; time < 2; time++) {
        const outcome = await checkIndex(`https://shop.example/p${number}`, search, {
          ...noDeadline,
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
    // With fewer answers, the test would prove nothing.
    expect(answered).to.be.above(200);
    expect(byAnother).to.be.above(20);
  });

  it('never changes a rank', async () => {
    const random = new Random(2);
    const pages = createPages([9, 8, 11, 7], 1);
    const urls = [...new Set(pages.flat())];
    for (const [index, format] of providerFormats.entries()) {
      const well = answering(format, 'red shoes', pages);
      servers[index]?.willAnswer((request: SeenRequest) => {
        const oddity = random.next() < 0.2 ? oddities[random.integer(0, oddities.length - 1)] : undefined;
        return oddity ? oddity(format, 'red shoes', urls.slice(0, 9)) : well(request);
      });
    }
    const search = searchWith(makeAll(), 0, 50);
    const by = new Set<string>();
    for (const [index, url] of [...urls, 'https://nowhere.example/'].entries()) {
      const question = rankQuestion(new URL(url).hostname, { endPage: 10 });
      const outcome = await checkRank(question, search, { ...noDeadline, accountId: index });
      if (outcome.state === 'failed') continue;
      by.add(outcome.answer.provider);
      expect(outcome.answer.rank, url).to.equal(index < urls.length ? index + 1 : null);
    }
    expect(by.size).to.be.above(1);
  });
});
