import { expect } from 'chai';
import {
  matchesTarget,
  parseMatch,
  parseRankTarget,
  type TargetMatch,
  toSearchText,
} from '../../../checks/search/target.ts';
import { countParses } from '../../support/parses.ts';

type Row = [target: string, match: TargetMatch | undefined, result: string, isMatch: boolean];

const table: Row[] = [
  // A domain means the site: the host, with or without www., and its subdomains.
  ['example.com', undefined, 'https://example.com/', true],
  ['example.com', undefined, 'http://www.example.com/shoes?a=1#top', true],
  ['example.com', undefined, 'https://shop.example.com/x', true],
  ['https://www.example.com/', undefined, 'https://shop.example.com/x', true],
  ['example.com', undefined, 'https://notexample.com/', false],
  ['example.com', undefined, 'https://example.com.evil.net/', false],
  ['example.com', undefined, 'https://example.org/', false],
  ['shop.example.com', undefined, 'https://example.com/', false],
  ['münchen.de', undefined, 'https://xn--mnchen-3ya.de/rathaus', true],
  ['example.com.', undefined, 'https://example.com/', true],
  // `host` excludes subdomains.
  ['example.com', 'host', 'https://www.example.com/x', true],
  ['example.com', 'host', 'https://shop.example.com/x', false],
  // An address means one page.
  ['https://example.com/shoes', undefined, 'https://example.com/shoes', true],
  ['example.com/shoes', undefined, 'http://www.example.com/shoes/', true],
  ['https://example.com/shoes/', undefined, 'https://example.com/shoes', true],
  ['https://example.com/shoes', undefined, 'https://example.com/shoes#reviews', true],
  ['https://example.com:443/shoes', undefined, 'https://example.com/shoes', true],
  ['https://example.com/shoes', undefined, 'https://example.com:8443/shoes', false],
  ['https://example.com/shoes', undefined, 'https://example.com/shoes/red', false],
  ['https://example.com/shoes', undefined, 'https://shop.example.com/shoes', false],
  ['https://example.com/shoes?color=red', undefined, 'https://example.com/shoes?color=red', true],
  ['https://example.com/?p=3', undefined, 'https://example.com/?p=4', false],
  // Tracking parameters do not distinguish pages.
  [
    'https://example.com/shoes',
    undefined,
    'https://example.com/shoes?utm_source=x&UTM_Medium=y&gclid=1',
    true,
  ],
  ['https://example.com/shoes?CMP=mail&_ga=1', undefined, 'https://example.com/shoes', true],
  ['https://example.com/s?id=7', undefined, 'https://example.com/s?fbclid=z&id=7&mc_cid=1&_hsenc=2', true],
  ['https://example.com/shoes', undefined, 'https://example.com/shoes?cmp=1', false],
  // Overrides.
  ['https://example.com/shoes', 'site', 'https://shop.example.com/hats', true],
  ['example.com', 'page', 'https://example.com/', true],
  ['example.com', 'page', 'https://example.com/shoes', false],
  ['https://example.com/shoes', 'prefix', 'https://example.com/shoes', true],
  ['https://example.com/shoes/', 'prefix', 'https://example.com/shoes/red?x=1', true],
  ['https://example.com/shoes', 'prefix', 'https://example.com/shoestrings', false],
  ['https://example.com/shoes', 'prefix', 'https://shop.example.com/shoes/red', false],
  // Invalid URLs and URLs of other schemes do not match.
  ['example.com', undefined, 'https://a b.example.com/', false],
  ['example.com', undefined, 'ftp://example.com/', false],
];

describe('a target', () => {
  for (const [target, match, result, isMatch] of table) {
    it(`${target}${match ? ` as ${match}` : ''} ${isMatch ? 'matches' : 'does not match'} ${result}`, () => {
      const read = parseRankTarget(target, match);
      expect(read).to.not.equal(null);
      if (read) expect(matchesTarget(read, result)).to.equal(isMatch);
    });
  }

  for (const text of [
    '',
    'shoes',
    'localhost',
    'co.uk',
    'com',
    'https://',
    'ftp://example.com',
    'mailto:a@b.c',
    'a b.com',
  ]) {
    it(`is not "${text}"`, () => {
      expect(parseRankTarget(text)).to.equal(null);
    });
  }

  it('is parsed once, and not at all with a host that DNS cannot hold', () => {
    expect(countParses(() => parseRankTarget('bücher.example/ü')).parses).to.equal(1);
    expect(countParses(() => parseMatch('bücher.example/ü')).parses).to.equal(1);
    const hosts = [
      'ü'.repeat(1000),
      `${'ü.'.repeat(200)}example`,
      'a'.repeat(64),
      `http://${'ü'.repeat(64)}.de/`,
    ];
    for (const host of hosts) {
      expect(countParses(() => expect(parseRankTarget(host)).to.equal(null)).parses, host).to.equal(0);
    }
  });

  it('gets the same match from parseMatch as from parseRankTarget', () => {
    const texts = [
      'a.de',
      'a.de/',
      'a.de/x',
      'a.de?gclid=1',
      'a.de?&',
      'a.de?p=1',
      'a.de/%2e',
      'com',
      'u@a.de',
      '',
    ];
    for (const text of [...texts, ...table.map(([target]) => target)]) {
      expect(parseMatch(text), text).to.equal(parseRankTarget(text)?.match ?? null);
      expect(parseMatch(text, 'host'), text).to.equal(parseRankTarget(text, 'host')?.match ?? null);
    }
  });

  it('may be a site on a shared suffix', () => {
    expect(parseRankTarget('someone.blogspot.com')).to.include({
      match: 'site',
      host: 'someone.blogspot.com',
    });
    expect(parseRankTarget('github.io')).to.include({ match: 'site' });
  });
});

describe('toSearchText', () => {
  it('omits the scheme, www., the fragment and tracking parameters', () => {
    expect(toSearchText('https://www.example.com/')).to.equal('example.com');
    expect(toSearchText('https://www.example.com/shoes/?utm_source=x&id=1#top')).to.equal(
      'example.com/shoes/?id=1',
    );
    expect(toSearchText('http://example.com:8080/?gclid=1')).to.equal('example.com:8080');
  });
});
