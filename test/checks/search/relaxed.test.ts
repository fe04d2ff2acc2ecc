import { expect } from 'chai';
import { checkIndex } from '../../../checks/search/index-check.ts';
import { checkRank, type RankQuestion } from '../../../checks/search/rank-check.ts';
import type { SerpProvider } from '../../../checks/search/serp.ts';
import { type RankTarget, readRankTarget } from '../../../checks/search/target.ts';
import { type ProviderServer, type SeenRequest, startProvider } from '../../support/provider.ts';
import { Random } from '../../support/random.ts';
import { readers, type TestReader } from '../../support/replies.ts';
import { patient, searchWith } from '../../support/serps.ts';
import { pageOf, queryIn } from '../../support/simulated-google.ts';

const queriesEach = 300;
const share = 1 / 20;
const pageSize = 6;
const target = 'wanted.example';

/** Twelve results of a query on two pages, the target among them or not. */
function resultsFor(query: string): string[] {
  const seed = [...query].reduce((sum, character) => sum * 31 + character.charCodeAt(0), 7);
  const random = new Random(seed);
  const urls = Array.from({ length: 2 * pageSize }, () => `https://s${random.integer(0, 1e9)}.example/a`);
  if (random.chance(0.6)) urls[random.integer(0, urls.length - 1)] = `https://${target}/`;
  return urls;
}

/** Other words than were asked for, and others again the next time. */
function relaxed(query: string, random: Random): string {
  const words = query.split(' ');
  const kept = words.filter(() => random.chance(0.5));
  const other = random.pick(['shoe', 'boots', 'sale', 'blue']);
  return kept.length === words.length || kept.length === 0 ? other : kept.join(' ');
}

/** A Google that answers one search in twenty for other words, which only its links to other pages tell. */
function relaxing({ talk, reply }: TestReader, random: Random, count: { relaxed: number }) {
  return (request: SeenRequest) => {
    const asked = queryIn(talk.source.name, request);
    const isRelaxed = random.chance(share);
    if (isRelaxed) count.relaxed++;
    const query = isRelaxed ? relaxed(asked, random) : spelled(asked, random);
    const page = pageOf(talk.source.name, request);
    const results = resultsFor(isRelaxed ? query : asked);
    const urls = page === null ? results : results.slice((page - 1) * pageSize, page * pageSize);
    return reply(asked, urls, { query, page: page ?? 1, hasNext: page === 1 });
  };
}

/** As links may repeat our own query. */
function spelled(query: string, random: Random): string {
  return random.pick([query, query.toUpperCase(), ` ${query.replaceAll(' ', '  ')}`]);
}

const questionOf = (keyword: string): RankQuestion => ({
  target: readRankTarget(target) as RankTarget,
  competitors: [],
  isFull: false,
  keyword,
  ...({ country: 'US', language: 'en', device: 'desktop', startPage: 1, endPage: 2 } as const),
});

for (const reader of readers) {
  describe(`a Google that relaxes queries, through ${reader.name}`, () => {
    let server: ProviderServer;
    let provider: SerpProvider;

    before(async () => {
      server = await startProvider();
      provider = reader.talk.source.make(reader.talk.env(server.baseUrl), 30_000);
    });
    after(() => server.close());

    it('is never reported with an answer to other words, at the first try or the next', async () => {
      const random = new Random(20_261_127);
      const count = { relaxed: 0, refused: 0, answered: 0 };
      server.willAnswer(relaxing(reader, random, count));
      for (let nth = 0; nth < queriesEach; nth++) {
        const keyword = `red shoes "size ${nth}" a+b ${random.integer(0, 99)}%`;
        const place = resultsFor(keyword).indexOf(`https://${target}/`);
        for (let attempt = 0; attempt < 2; attempt++) {
          const outcome = await checkRank(questionOf(keyword), searchWith([provider]), patient);
          if (outcome.state === 'failed') {
            expect(outcome.error, keyword).to.equal('query_rewritten');
            count.refused++;
            continue;
          }
          count.answered++;
          expect(outcome.answer.rank, keyword).to.equal(place < 0 ? null : place + 1);
          break;
        }
      }
      expect(count.refused).to.equal(count.relaxed).and.to.be.within(10, 60);
      expect(count.answered).to.be.above(queriesEach - 15);
    });

    it('is no "not indexed" either', async () => {
      const answer = (query: string) => (request: SeenRequest) => {
        const asked = queryIn(reader.talk.source.name, request);
        return reader.reply(asked, ['https://other.example/'], {
          query: query || asked,
          page: 1,
          hasNext: true,
        });
      };
      const isIndexed = async () => {
        const url = 'https://shop.example/a%20b?c=d+e&f=100%25';
        const outcome = await checkIndex(url, searchWith([provider]), patient);
        return outcome.state === 'success' ? outcome.answer.is_indexed : outcome.error;
      };
      server.willAnswer(answer(''));
      expect(await isIndexed()).to.equal(false);
      server.willAnswer(answer('shop.example'));
      expect(await isIndexed()).to.equal('query_rewritten');
    });
  });
}

describe('links to other pages', () => {
  let server: ProviderServer;
  before(async () => {
    server = await startProvider();
  });
  after(() => server.close());

  it('of another spelling count for nothing where ours found nothing', async () => {
    for (const { talk } of readers) {
      const empty = talk.nothingMatched('red shoes', ['https://other.example/']);
      if (empty === null) continue;
      const provider = talk.source.make(talk.env(server.baseUrl), 30_000);
      server.willAnswer({ body: talk.withOtherPages(empty, { query: 'red shoe', page: 1, hasNext: true }) });
      const outcome = await checkRank(
        { ...questionOf('red shoes'), endPage: 1 },
        searchWith([provider]),
        patient,
      );
      expect(outcome, talk.source.name).to.have.nested.property('answer.found', false);
    }
  });
});
