import { expect } from 'chai';
import { checkIndex } from '../../../checks/search/index-check.ts';
import { checkRank } from '../../../checks/search/rank-check.ts';
import { parseRankTarget, type RankTarget } from '../../../checks/search/target.ts';
import { useProvider } from '../../support/provider.ts';
import { makeProvider, type ProviderFormat, providerFormats } from '../../support/replies.ts';
import { noDeadline, rankQuestion, searchWith } from '../../support/serps.ts';
import { queryIn } from '../../support/simulated-google.ts';

/**
 * Normalizes a URL as openserp does (core/response_builder.go, normalizeURL, as of 16d3a844), written from Go's
 * documentation of `url.Values`.
 */
function normalizeUrl(address: string): string {
  const [base = '', query = ''] = address.split('?');
  const dropped = new Set(
    'utm_source utm_medium utm_campaign utm_term utm_content fbclid gclid msclkid ref _ga'.split(' '),
  );
  const pairs = query
    .split('&')
    .filter((pair) => pair !== '' && !pair.includes(';') && !/%(?![0-9a-f]{2})/i.test(pair))
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [unescaped(name), unescaped(value.join('='))] as const;
    })
    .filter(([name]) => !dropped.has(name))
    .toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)));
  const encoded = pairs.map(([name, value]) => `${queryEscaped(name)}=${queryEscaped(value)}`).join('&');
  const url = encoded === '' ? base : `${base}?${encoded}`;
  return new URL(address).pathname !== '/' ? url.replace(/\/+$/, '') : url;
}

const unescaped = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
const queryEscaped = (text: string) =>
  encodeURIComponent(text)
    .replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

/** Prefixes of the parameters in an instance's list of trackers. */
const listed = /^(utm|spm|mc)/;

/**
 * Cleans a URL as SearXNG does (searx/data/tracker_patterns.py, clean_url, as of 9fea4120), written from Python's
 * documentation of `urllib.parse`.
 */
function cleanUrl(address: string): string {
  const [base = '', query = ''] = address.split('?');
  const pairs = query
    .split('&')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [unquoted(name), unquoted(value.join('='))] as const;
    })
    .filter(([name, value]) => value !== '' && !listed.test(name));
  // A query without any name=value pair stays, unless the list names it.
  if (query !== '' && query.split('&').every((pair) => !/=./.test(pair)))
    return listed.test(query) ? base : address;
  const encoded = pairs.map(([name, value]) => `${queryEscaped(name)}=${queryEscaped(value)}`).join('&');
  return encoded === '' ? base : `${base}?${encoded}`;
}

const unquoted = (text: string) => {
  const bytes = text.replaceAll('+', ' ').split(/(%[0-9a-f]{2})/i);
  const buffers = bytes.map((part) =>
    /^%[0-9a-f]{2}$/i.test(part) ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part),
  );
  return Buffer.concat(buffers).toString('utf8');
};

type Verdict = true | false | 'unknown';

/** The requested page, the page in Google, and whether they are reported as one. */
type Case = [asked: string, linked: string, verdict: Verdict];

const byOpenserp: Case[] = [
  ['/list?size=9&color=red', '/list?size=9&color=red', true],
  ['/list?flag=', '/list?flag', true],
  ['/list?x=1%2C2', '/list?x=1,2', true],
  ['/list?x=a%20b', '/list?x=a%20b', true],
  ['/list?x=a+b', '/list?x=a+b', true],
  ['/list?x=a%2Bb', '/list?x=a%2Bb', true],
  ['/list?f[]=2&f[]=1&a=3', '/list?f[]=2&f[]=1&a=3', true],
  ['/list?x=(1)', '/list?x=(1)', true],
  ["/list?x=it's*", "/list?x=it's*", true],
  ['/list?x=%C3%BC&a=ü', '/list?x=%C3%BC&a=ü', true],
  ['/list?b=x=y&a=1', '/list?b=x=y&a=1', true],
  ['/list?z=1&utm_source=mail&a=2', '/list?z=1&a=2&gclid=7', true],
  ['/list//?b=1&a=2', '/list//?b=1&a=2', true],
  // The provider omits these parameters from every URL.
  ['/list?size=9&color=red&ref=nav', '/list?size=9&color=red&ref=nav', 'unknown'],
  ['/list?id=7&ref=nav', '/list?id=7', 'unknown'],
  ['/list?a;b=1', '/list?a;b=1', 'unknown'],
  ['/list?x=5%', '/list?x=5%', 'unknown'],
  // Other pages.
  ['/list?id=7&ref=nav', '/list?id=8', false],
  ['/list?a=1&b=2', '/list?a=1', false],
  ['/list?a=1', '/list?a=1&b=2', false],
  ['/list?x=a%26b=1', '/list?x=a&b=1', false],
  ['/list?x=a%2Bb', '/list?x=a+b', false],
  ['/list?x=a%3Db', '/list?x=b', false],
  ['/list?f[]=2&f[]=1', '/list?f[]=1&f[]=2', false],
  ['/a%2Fb', '/a/b', false],
];

const bySearxng: Case[] = [
  ['/list?size=9&color=red', '/list?size=9&color=red', true],
  ['/list?x=1,2', '/list?x=1,2', true],
  ['/list?x=a%20b', '/list?x=a%20b', true],
  ['/list?f[]=2&f[]=1', '/list?f[]=2&f[]=1', true],
  ['/list?x=5%', '/list?x=5%', true],
  ['/list?x=ü', '/list?x=%C3%BC', true],
  ['/list?utm_source=a&z=1', '/list?z=1', true],
  ['/list//?b=1', '/list//?b=1', true],
  ['/list?flag', '/list?flag', true],
  ['/?threads/boots.123/', '/?threads/boots.123/', true],
  // The provider omits these parameters from every URL.
  ['/list?flag&id=7', '/list?flag&id=7', 'unknown'],
  ['/list?spm=3&id=7', '/list?spm=3&id=7', 'unknown'],
  ['/?spm-boots', '/?spm-boots', 'unknown'],
  ['/list?mcat=shoes', '/list?mcat=shoes', 'unknown'],
  ['/list?x=%E9', '/list?x=%E9', 'unknown'],
  ['/list?a=1&b=2', '/list?a=1', 'unknown'],
  // Other pages.
  ['/list?a=1', '/list?a=2', false],
  ['/list?a=1', '/list?a=1&b=2', false],
  ['/list?a=1&b=2', '/list?b=2&a=1', false],
  ['/list?x=a%26b=1', '/list?x=a&b=1', false],
  ['/list?x=a%2Bb', '/list?x=a+b', false],
  ['/a%2Fb', '/a/b', false],
];

const site = 'https://shop.example';

const providers: [name: string, respell: (url: string) => string, cases: Case[]][] = [
  ['openserp', normalizeUrl, byOpenserp],
  ['searxng', cleanUrl, bySearxng],
];

const saysSame: Record<string, string> = {
  true: 'is the page',
  false: 'is not the page',
  unknown: 'may be the page',
};

for (const [name, respell, cases] of providers) {
  const format = providerFormats.find(({ source }) => source.name === name) as ProviderFormat;

  describe(`a URL that ${name} has respelled`, () => {
    const { server, provider } = useProvider((baseUrl) => makeProvider(format, baseUrl));

    const isIndexed = async (asked: string, linked: string): Promise<Verdict> => {
      server.willAnswer((request) => ({
        body: format.reply(queryIn(name, request), [respell(linked)]),
      }));
      const outcome = await checkIndex(asked, searchWith([provider]), noDeadline);
      return outcome.state === 'success' ? outcome.answer.is_indexed : 'unknown';
    };
    const rank = async (asked: string, linked: string, competitor = asked) => {
      const urls = ['https://first.example/', respell(linked)];
      server.willAnswer({ body: format.reply('red shoes', urls) });
      const competitors = [{ url: competitor, target: parseRankTarget(competitor, 'page') as RankTarget }];
      const question = rankQuestion(asked, { match: 'page', competitors, isFull: true });
      return checkRank(question, searchWith([provider]), noDeadline);
    };

    for (const [asked, linked, verdict] of cases) {
      it(`${saysSame[`${verdict}`]} ${asked}: ${linked}`, async () => {
        expect(await isIndexed(site + asked, site + linked)).to.equal(verdict);
        const outcome = await rank(site + asked, site + linked);
        const found = outcome.state === 'success' ? outcome.answer.found : 'unknown';
        expect(found).to.equal(verdict);
      });
    }

    it('leaves the rank of a competitor unknown', async () => {
      const asked = `${site}/list?id=7&${name === 'openserp' ? 'ref' : 'spm'}=nav`;
      expect((await rank('https://first.example/', `${site}/list?id=7`, asked)).state).to.equal('failed');
      expect((await rank('https://first.example/', `${site}/list?id=8`, asked)).state).to.equal('success');
    });
  });
}
