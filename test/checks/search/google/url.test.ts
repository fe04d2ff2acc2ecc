import { expect } from 'chai';
import { isUrlHidden, toResults, toResultUrl } from '../../../../checks/search/google/url.ts';
import { expectFailure } from '../../../support/provider.ts';

const links: [title: string, href: string, target: string | null][] = [
  ['a plain link, unchanged', 'https://Shop.example/Red?b=2&a=1#top', 'https://Shop.example/Red?b=2&a=1#top'],
  [
    'the target of a redirect, decoded once',
    '/url?q=https://shop.example/a%2520b&sa=U&ved=2a',
    'https://shop.example/a%20b',
  ],
  [
    'the parameter `url` of a redirect that also has `q`',
    '/url?sa=t&q=red+shoes&url=https%3A%2F%2Fshop.example%2F%3Fa%3D1',
    'https://shop.example/?a=1',
  ],
  [
    'the target of an absolute redirect',
    'https://www.google.co.uk/url?q=http://shop.example/',
    'http://shop.example/',
  ],
  ['the target of a warning page', '/interstitial?url=http://ill.example/', 'http://ill.example/'],
  ['the home page of Google', 'https://www.google.com/', 'https://www.google.com/'],
  [
    'a page of Google about its search',
    'https://www.google.com/search/howsearchworks/',
    'https://www.google.com/search/howsearchworks/',
  ],
  [
    'a page on another host of Google',
    'https://support.google.com/a/answer/1?hl=en',
    'https://support.google.com/a/answer/1?hl=en',
  ],
  ['an invalid URL, because it has a rank', "http://old town's.example/a", "http://old town's.example/a"],
  ['a file on an FTP server', 'ftp://files.example/list.txt', 'ftp://files.example/list.txt'],
  ['a further search', '/search?q=red+shoes&tbm=isch', null],
  ['a further search, saved page', 'https://www.google.com/search?q=red', null],
  ['a further search on an earlier host', 'https://encrypted.google.com/search?q=red', null],
  ['the settings of a search', 'https://www.google.com/preferences?hl=en&prev=/search', null],
  ['the home page of the image search', 'https://images.google.com/', 'https://images.google.com/'],
  ['an ad click', 'https://www.google.com/aclk?sa=l&adurl=https://ad.example/', null],
  ['an ad click elsewhere', 'https://www.googleadservices.com/pagead/aclk?adurl=https://ad.example/', null],
  ['an image', '/imgres?imgurl=https://img.example/1.png&imgrefurl=https://img.example/', null],
  ['a map search', 'https://maps.google.ru/maps?q=hotels&fb=1', null],
  ['a redirect into Google', '/url?q=/search%3Fq%3Dred', null],
  ['a script', 'javascript:void(0)', null],
  ['a place on the page', '#', null],
  ['nothing', '', null],
];

describe('toResultUrl', () => {
  for (const [title, href, target] of links) {
    it(`${target === null ? 'ignores' : 'returns'} ${title}`, () =>
      expect(toResultUrl(href)).to.equal(target));
  }
});

describe('a hidden address of Google', () => {
  const token = 'CAESegHrOzAVXrOxTz8MiFgIt6wo_NHzA9uz8r1N';
  const hidden = [
    `/goto?url=${token}`,
    `https://www.google.com/goto?url=${token}`,
    `https://google.com/goto?url=${token}`,
    `/url?sa=t&source=web&url=${token}&ved=2a&uoh=1`,
    token,
  ];
  for (const href of hidden) {
    it(`is distinguished from a visible one: ${href.slice(0, 40)}`, async () => {
      expect(isUrlHidden(href)).to.equal(true);
      expect(toResultUrl(href)).to.equal(null);
      const entries = [{ link: 'https://one.example/' }, { link: href }];
      await expectFailure('blocked', () => toResults(entries, 'link', 'serpapi'));
    });
  }

  for (const href of [
    'https://shop.example/goto?url=CAESegHrOzAVXrOxTz8MiFgIt6wo',
    '/url?q=https://a.example/goto?x',
    'CAES',
  ]) {
    it(`is not ${href}`, () => expect(isUrlHidden(href)).to.equal(false));
  }
});
