import { expect } from 'chai';
import fc from 'fast-check';
import { checkIndex } from '../../../checks/search/index-check.ts';
import { checkRank } from '../../../checks/search/rank-check.ts';
import {
  type Comparable,
  isSamePage,
  matchesTarget,
  parseRankTarget,
  type RankTarget,
  toComparable,
} from '../../../checks/search/target.ts';
import { useProvider } from '../../support/provider.ts';
import { googleReaders, makeProvider } from '../../support/replies.ts';
import { noDeadline, rankQuestion, searchWith } from '../../support/serps.ts';
import { queryIn } from '../../support/simulated-google.ts';

const site = 'https://shop.example';
type Pair = [one: string, other: string];

/** Spellings of one page. */
const same: Pair[] = [
  // Characters that a URI must escape.
  ['/list?filter[color]=a|b', '/list?filter%5bcolor%5D=a%7Cb'],
  ['/?t={id}"<a>^`', '/?t=%7Bid%7d%22%3Ca%3E%5E%60'],
  ['/?c=a\\b c', '/?c=a%5Cb%20c'],
  ['/?c=ü', '/?c=%c3%bc'],
  ["/?c=o'neill", '/?c=o%27neill'],
  ['/a|b[1]{c}^`', '/a%7Cb%5B1%5D%7bc%7D%5E%60'],
  ['/größe a', '/gr%C3%B6%c3%9fe%20a'],
  // Unreserved characters.
  ['/~a-b_c.', '/%7Ea%2Db%5fc%2e'],
  ['/?%61=%62', '/?a=b'],
  // Characters that do not separate in an HTTP path.
  ["/Paris,_(Texas):o'neill", '/Paris%2C_%28Texas%29%3Ao%27neill'],
  ['/@ann/$5*!', '/%40ann/%245%2A%21'],
  // Tracking parameters in any spelling.
  ['/a?utm%5Fsource=x', '/a'],
];

/** Different pages, for at least some servers. */
const different: Pair[] = [
  ['/a%2Fb', '/a/b'],
  ['/?x=a%26b=1', '/?x=a&b=1'],
  ['/a%3Fb', '/a?b'],
  ['/a%23b', '/a#b'],
  ['/50%25', '/50%2525'],
  ['/a;b', '/a%3Bb'],
  ['/a&b', '/a%26b'],
  ['/a=b', '/a%3Db'],
  ['/a+b', '/a%2Bb'],
  ['/?x=a+b', '/?x=a%2Bb'],
  ['/?x=a%3Db', '/?x=a=b'],
  ['/?x=a;b', '/?x=a%3Bb'],
  ['/a%5Cb', '/a/b'],
  ['/a|b', '/a%257Cb'],
  ['/A', '/a'],
  ['/a//', '/a'],
  ['/?a=1&b=2', '/?b=2&a=1'],
  ['/?flag', '/?flag='],
  ['/%%34', '/%4'],
  ['/%4%31', '/%41'],
];

const keyword = 'red shoes';
const createQuestion = (url: string) => {
  const competitors = [{ url, target: parseRankTarget(url, 'page') as RankTarget }];
  return rankQuestion(url, { match: 'page', competitors, isFull: true });
};

for (const [turn, { name, format, reply }] of googleReaders.entries()) {
  describe(`one page in two spellings, through ${name}`, () => {
    const { server, provider } = useProvider((baseUrl) => makeProvider(format, baseUrl));

    const isIndexed = async (asked: string, shown: string[]) => {
      server.willAnswer((request) => reply(queryIn(format.source.name, request), shown));
      const outcome = await checkIndex(asked, searchWith([provider]), noDeadline);
      return outcome.state === 'success' ? outcome.answer : null;
    };
    const rank = async (asked: string, shown: string[]) => {
      server.willAnswer(reply(keyword, shown));
      const outcome = await checkRank(createQuestion(asked), searchWith([provider]), noDeadline);
      return outcome.state === 'success' ? outcome.answer : null;
    };

    it('is indexed and ranked, whichever spelling is requested', async () => {
      for (const [nth, [one, other]] of same.entries()) {
        // Half of the pairs in each direction, another half with the next provider.
        const pair = [site + one, site + other];
        const [asked = '', shown = ''] = (nth + turn) % 2 ? pair.reverse() : pair;
        expect(await isIndexed(asked, [shown]), `${asked} as ${shown}`).to.include({ is_indexed: true });
        const answer = await rank(asked, ['https://first.example/', shown]);
        expect(answer, `${asked} as ${shown}`).to.include({ found: true, rank: 2 });
        expect(answer?.competitors?.[0]?.rank).to.equal(2);
      }
    });

    it('is never reported for two pages', async () => {
      for (const [one, other] of different) {
        const answer = await isIndexed(site + one, [site + other]);
        // openserp and SearXNG change the URLs of Google, so some pairs remain unknown.
        if (name === 'openserp' || name === 'searxng') continue;
        expect(answer, `${one} as ${other}`).to.include({ is_indexed: false });
        expect(await rank(site + one, [site + other]), one).to.include({ found: false });
      }
    });
  });
}

describe('the normal form of a URL', () => {
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...`aZ9-._~!$&'()*+,;=:@/?#[]|{}^\`"<>\\ %ü`) },
    { weight: 2, arbitrary: fc.integer({ min: 32, max: 126 }).map((code) => `%${code.toString(16)}`) },
    fc.constantFrom('%', '%4', '%C3%BC', '%c3', 'utm_x=1&', '&', '//', '..', '.', '%2e'),
  );
  const address = fc
    .tuple(
      fc.constantFrom('http://', 'https://www.', 'https://'),
      fc.constantFrom('shop.example', 'www.gov.uk', 'a.b.example:8443', 'my--shop-example.translate.goog'),
      fc.array(piece, { maxLength: 8 }),
    )
    .map(([scheme, host, pieces]) => `${scheme}${host}/${pieces.join('')}`);
  const parseUrl = (url: string) => toComparable(url) as Comparable;
  const written = ({ host, path, query }: Comparable) =>
    `https://www.${host}${path}/${query === '' ? '' : `?${query}`}`;

  it('does not change when it is normalised again', () => {
    fc.assert(
      fc.property(address, (url) => {
        expect(parseUrl(written(parseUrl(url)))).to.deep.equal(parseUrl(url));
      }),
      { numRuns: 1_000 },
    );
  });

  it('makes equality symmetric and transitive, and keeps separators', () => {
    const isOne = (a: string, b: string) => isSamePage(parseUrl(a), parseUrl(b));
    fc.assert(
      fc.property(address, address, address, (a, b, c) => {
        expect(isOne(a, a)).to.equal(true);
        expect(isOne(a, b)).to.equal(isOne(b, a));
        if (isOne(a, b) && isOne(b, c)) expect(isOne(a, c)).to.equal(true);
        const separators = (url: string) => parseUrl(url).path.replace(/[^/;&=+]/g, '');
        if (isOne(a, b)) expect(separators(a)).to.equal(separators(b));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is the same with escapes in lower case, and with a letter escaped', () => {
    fc.assert(
      fc.property(address, fc.nat(), (url, seed) => {
        const end = url.indexOf('/', 8) + 1;
        const tail = url.slice(end);
        const lower = tail.replace(/%[0-9a-f]{2}/gi, (escaped) => escaped.toLowerCase());
        // A broken escape has no other spelling.
        fc.pre(!/%(?![0-9a-f]{2})/i.test(tail));
        expect(parseUrl(url.slice(0, end) + lower)).to.deep.equal(parseUrl(url));
        const letters = [...tail.matchAll(/(?<!%[0-9a-f]?)[aZ9]/gi)];
        const letter = letters[seed % Math.max(1, letters.length)];
        if (letter === undefined) return;
        const escaped = `%${letter[0].charCodeAt(0).toString(16)}`;
        const spelled = tail.slice(0, letter.index) + escaped + tail.slice(letter.index + 1);
        expect(parseUrl(url.slice(0, end) + spelled)).to.deep.equal(parseUrl(url));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a website on a public suffix', () => {
  for (const suffix of 'gov.uk nhs.uk police.uk gov.br gov.pl gob.mx gov.sg gov.il gouv.fr'.split(' ')) {
    const host = `www.${suffix}`;
    it(`${host} is a site of its own`, () => {
      const target = parseRankTarget(host) as RankTarget;
      expect(matchesTarget(target, `https://${host}/a`)).to.equal(true);
      expect(matchesTarget(target, `https://someone.${suffix}/a`)).to.equal(false);
      expect(parseRankTarget(`https://${host}/a`)).to.include({ match: 'page' });
      expect(parseRankTarget(`https://${host}/a`, 'prefix')).to.include({ match: 'prefix' });
      for (const text of [suffix, `https://${suffix}/a`]) {
        expect(parseRankTarget(text), text).to.equal(null);
      }
    });
  }

  it('excludes other sites also with match "site"', () => {
    const target = parseRankTarget('https://www.gov.uk/housing-benefit', 'site') as RankTarget;
    expect(matchesTarget(target, 'https://www.gov.uk/browse')).to.equal(true);
    expect(matchesTarget(target, 'https://find.service.gov.uk/')).to.equal(false);
  });
});
