import { expect } from 'chai';
import { checkIndex } from '../../../checks/search/index-check.ts';
import { checkRank } from '../../../checks/search/rank-check.ts';
import { linksToOtherSearch } from '../../../checks/search/upstream/other-pages.ts';
import { type SeenRequest, useProvider, useProviderServer } from '../../support/provider.ts';
import { Random } from '../../support/random.ts';
import { type GoogleReader, googleReaders, makeProvider } from '../../support/replies.ts';
import { noDeadline, rankQuestion, searchWith } from '../../support/serps.ts';
import { queryIn, readPageNumber } from '../../support/simulated-google.ts';

const queriesEach = 80;
const share = 1 / 8;
const pageSize = 6;
const target = 'wanted.example';

/** Twelve results of a query, on two pages. The target may be one of them. */
function resultsFor(query: string): string[] {
  const seed = [...query].reduce((sum, character) => sum * 31 + character.charCodeAt(0), 7);
  const random = new Random(seed);
  const urls = Array.from({ length: 2 * pageSize }, () => `https://s${random.integer(0, 1e9)}.example/a`);
  if (random.chance(0.6)) urls[random.integer(0, urls.length - 1)] = `https://${target}/`;
  return urls;
}

/** Returns another query, a new one each time. */
function relaxed(query: string, random: Random): string {
  const words = query.split(' ');
  const kept = words.filter(() => random.chance(0.5));
  const other = random.pick(['shoe', 'boots', 'sale', 'blue']);
  return kept.length === words.length || kept.length === 0 ? other : kept.join(' ');
}

/** Answers one search in eight for another query. Only the links to other pages show it. */
function relaxing({ format, reply }: GoogleReader, random: Random, count: { relaxed: number }) {
  return (request: SeenRequest) => {
    const asked = queryIn(format.source.name, request);
    const isRelaxed = random.chance(share);
    if (isRelaxed) count.relaxed++;
    const query = isRelaxed ? relaxed(asked, random) : spelled(asked, random);
    const page = readPageNumber(format.source.name, request);
    const results = resultsFor(isRelaxed ? query : asked);
    const urls = page === null ? results : results.slice((page - 1) * pageSize, page * pageSize);
    return reply(asked, urls, { query, page: page ?? 1, hasNext: page === 1 });
  };
}

/** A spelling of our query that links may have. */
function spelled(query: string, random: Random): string {
  return random.pick([query, query.toUpperCase(), ` ${query.replaceAll(' ', '  ')}`]);
}

for (const reader of googleReaders) {
  describe(`a Google that relaxes queries, through ${reader.name}`, () => {
    const { server, provider } = useProvider((baseUrl) => makeProvider(reader.format, baseUrl));

    it('never gives an answer to another query, at the first attempt or the next', async () => {
      const random = new Random(20_261_127);
      const count = { relaxed: 0, refused: 0, answered: 0 };
      server.willAnswer(relaxing(reader, random, count));
      for (let nth = 0; nth < queriesEach; nth++) {
        const keyword = `red shoes "size ${nth}" a+b ${random.integer(0, 99)}%`;
        const place = resultsFor(keyword).indexOf(`https://${target}/`);
        for (let attempt = 0; attempt < 2; attempt++) {
          const question = rankQuestion(target, { keyword, endPage: 2 });
          const outcome = await checkRank(question, searchWith([provider]), noDeadline);
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

    it('gives no "not indexed"', async () => {
      const answer = (query: string) => (request: SeenRequest) => {
        const asked = queryIn(reader.format.source.name, request);
        return reader.reply(asked, ['https://other.example/'], {
          query: query || asked,
          page: 1,
          hasNext: true,
        });
      };
      const isIndexed = async () => {
        const url = 'https://shop.example/a%20b?c=d+e&f=100%25';
        const outcome = await checkIndex(url, searchWith([provider]), noDeadline);
        return outcome.state === 'success' ? outcome.answer.is_indexed : outcome.error;
      };
      server.willAnswer(answer(''));
      expect(await isIndexed()).to.equal(false);
      server.willAnswer(answer('shop.example'));
      expect(await isIndexed()).to.equal('query_rewritten');
    });
  });
}

describe('links to other result pages', () => {
  const server = useProviderServer();

  it('are ignored if they have another spelling and our query found nothing', async () => {
    for (const { format } of googleReaders) {
      const empty = format.nothingMatched('red shoes', ['https://other.example/']);
      if (empty === null) continue;
      const provider = makeProvider(format, server.baseUrl);
      server.willAnswer({
        body: format.withOtherPages(empty, { query: 'red shoe', page: 1, hasNext: true }),
      });
      const outcome = await checkRank(rankQuestion(target), searchWith([provider]), noDeadline);
      expect(outcome, format.source.name).to.have.nested.property('answer.found', false);
    }
  });
});

/** A link to the next page of a search for "red shoes", with the space escaped `times` times. */
const linkEscaped = (times: number) =>
  `https://www.google.com/search?q=red%${'25'.repeat(times - 1)}20shoes&start=10`;
const isOther = (link: string) => linksToOtherSearch('red shoes', { next_page: link });

describe('a link to another page of a search', () => {
  it('belongs to the same search if it is escaped a few times more', () => {
    expect([1, 2, 3, 4].map((times) => isOther(linkEscaped(times)))).to.deep.equal([
      false,
      false,
      false,
      false,
    ]);
    expect(isOther('https://www.google.com/search?q=blue+shoes')).to.equal(true);
  });

  it('is unescaped at most three times', () => {
    expect([5, 50, 1_000_000].map((times) => isOther(linkEscaped(times)))).to.deep.equal([true, true, true]);
  });
});
