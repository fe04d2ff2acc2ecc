import { expect } from 'chai';
import { isUrlHidden, toResultUrl } from '../../../checks/search/google/url.ts';
import { checkIndex } from '../../../checks/search/index-check.ts';
import { checkRank } from '../../../checks/search/rank-check.ts';
import { parseRankTarget, type RankTarget } from '../../../checks/search/target.ts';
import { useProvider } from '../../support/provider.ts';
import { googleReaders, makeProvider } from '../../support/replies.ts';
import { noDeadline, rankQuestion, searchWith } from '../../support/serps.ts';
import { queryIn } from '../../support/simulated-google.ts';
import { words } from '../../support/words.ts';

const translated = '?_x_tr_sl=en&_x_tr_tl=hi&_x_tr_hl=hi&_x_tr_pto=tc';

/** Links of a result page, and the pages they show. */
const links: [href: string, page: string][] = [
  [`https://shop-example.translate.goog/rakes${translated}`, 'https://shop.example/rakes'],
  [`https://shop-example.translate.goog/rakes${translated}&size=9`, 'https://shop.example/rakes?size=9'],
  ['https://my--shop-example.translate.goog/', 'https://my-shop.example/'],
  ['https://shop-co-uk.translate.goog/', 'https://shop.co.uk/'],
  ['https://www-shop-example.translate.goog/', 'https://www.shop.example/'],
  [`https://shop-example.translate.goog/a${translated}&_x_tr_sch=http`, 'http://shop.example/a'],
  ['https://0-57hw060o-com.translate.goog/?_x_tr_enc=0', 'https://xn--57hw060o.com/'],
  ['https://1-en--us-example-com.translate.goog/?_x_tr_enc=1', 'https://en-us.example.com/'],
  ['https://du-example.translate.goog/?_x_tr_hp=per', 'https://perdu.example/'],
  ['https://translate.google.com/translate?u=https://shop.example/rakes&hl=hi', 'https://shop.example/rakes'],
  [
    'https://translate.google.co.in/translate?hl=hi&u=https%3A%2F%2Fshop.example%2Frakes%3Fa%3D1',
    'https://shop.example/rakes?a=1',
  ],
  ['https://translate.google.com/translate_c?u=shop.example/rakes', 'http://shop.example/rakes'],
  ['https://translate.google.com/website?sl=en&tl=hi&u=http://shop.example/', 'http://shop.example/'],
  ['https://translate.googleusercontent.com/translate_c?u=http://shop.example/a', 'http://shop.example/a'],
  ['https://shop-example.cdn.ampproject.org/c/s/shop.example/rakes', 'https://shop.example/rakes'],
  ['https://cdn.ampproject.org/c/shop.example/rakes', 'http://shop.example/rakes'],
  [
    'https://shop-example.cdn.ampproject.org/v/s/shop.example/rakes?amp_js_v=a6&size=9&usqp=mq331AQ',
    'https://shop.example/rakes?size=9',
  ],
  ['https://www.google.com/amp/s/shop.example/rakes', 'https://shop.example/rakes'],
  ['https://www.google.co.in/amp/s/shop.example/rakes?usqp=mq331AQ', 'https://shop.example/rakes'],
  ['/amp/s/shop.example/rakes', 'https://shop.example/rakes'],
  [
    'https://www.google.com/amp/s/shop-example.cdn.ampproject.org/c/s/shop.example/rakes',
    'https://shop.example/rakes',
  ],
  ['/url?q=https://shop-example.translate.goog/rakes%3F_x_tr_sl%3Den&sa=U', 'https://shop.example/rakes'],
  ['/url?url=https://www.google.com/amp/s/shop.example/rakes', 'https://shop.example/rakes'],
];

/** Pages that only look like a viewer. */
const ownPages = words(`
  https://translate.google.com/ https://translate.google.com/?sl=en&tl=hi&op=translate
  https://cdn.ampproject.org/v0.js https://www.ampproject.org/docs https://translate.goog.example/rakes
  https://shop-example.translate.goog.example/rakes
  https://translate.google.com.example/translate?u=https://shop.example/
  https://shop.example/amp/s/other.example/rakes https://amp.google.example/amp/s/shop.example/
  https://support.google.com/translate?u=https://shop.example/`);

describe('a Google viewer', () => {
  for (const [href, page] of links) {
    it(`${href} shows ${page}`, () => expect(toResultUrl(href)).to.equal(page));
  }
  for (const url of ownPages) {
    it(`is not ${url}`, () => {
      expect(toResultUrl(url)).to.equal(url);
      expect(isUrlHidden(url)).to.equal(false);
    });
  }
  it('makes the result page unreadable when its URL does not name the page', () => {
    const label = `${'a'.repeat(26)}-${'b'.repeat(15)}-com`;
    for (const href of [`https://${label}.translate.goog/`, 'https://translate.google.com/translate?u=']) {
      expect(toResultUrl(href), href).to.equal(null);
      expect(isUrlHidden(href), href).to.equal(true);
    }
  });
});

for (const { name, format, reply } of googleReaders) {
  describe(`a page in a viewer, through ${name}`, () => {
    const { server, provider } = useProvider((baseUrl) => makeProvider(format, baseUrl));

    it('is indexed, ranked, compared and stored like the page itself', async () => {
      for (const [href, page] of links.filter(([one]) => one.startsWith('http'))) {
        server.willAnswer((request) => reply(queryIn(format.source.name, request), [href]));
        const index = await checkIndex(page, searchWith([provider]), noDeadline);
        expect(index.state === 'success' && index.answer, href).to.include({
          is_indexed: true,
          matched_url: page,
        });
        server.willAnswer(reply('red shoes', ['https://first.example/', href]));
        const competitors = [{ url: page, target: parseRankTarget(page) as RankTarget }];
        const question = rankQuestion(new URL(page).hostname, { competitors, isFull: true });
        const rank = await checkRank(question, searchWith([provider]), noDeadline);
        if (rank.state === 'failed') throw new Error(href);
        expect(rank.answer, href).to.include({ rank: 2, ranked_url: page });
        expect(rank.answer.competitors?.[0], href).to.include({ rank: 2, ranked_url: page });
        expect(rank.results?.[1]?.url, href).to.equal(page);
      }
    });

    it('is searched for when the viewer’s URL is requested', async () => {
      const [href, page] = links[0] as [string, string];
      server.willAnswer((request) => reply(queryIn(format.source.name, request), [page]));
      const { state, ...outcome } = await checkIndex(href, searchWith([provider]), noDeadline);
      expect(state).to.equal('success');
      expect(outcome).to.have.nested.property('answer.is_indexed', true);
      expect(queryIn(format.source.name, server.seen[0]!)).to.equal('shop.example/rakes');
    });

    it('gives no answer if its URL is unknown', async () => {
      const href = `https://${'a'.repeat(26)}-${'b'.repeat(15)}-com.translate.goog/`;
      server.willAnswer((request) => reply(queryIn(format.source.name, request), [href]));
      expect((await checkIndex('https://shop.example/', searchWith([provider]), noDeadline)).state).to.equal(
        'failed',
      );
    });
  });
}
