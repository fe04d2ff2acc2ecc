import { expect } from 'chai';
import fc from 'fast-check';
import { readGoogleHtml } from '../../../checks/search/google/html.ts';
import { readBrightDataReply } from '../../../checks/search/providers/brightdata.ts';
import { readDataForSeo } from '../../../checks/search/providers/dataforseo.ts';
import { readOpenserp } from '../../../checks/search/providers/openserp.ts';
import { readSerpApi } from '../../../checks/search/providers/serpapi.ts';
import { readSerper } from '../../../checks/search/providers/serper.ts';
import { checkRank } from '../../../checks/search/rank-check.ts';
import { type Serp, supportsAll } from '../../../checks/search/serp.ts';
import { findUrls, readOverview } from '../../../checks/search/upstream/features.ts';
import { overviewStates } from '../../../schemas/features.ts';
import { pageWith } from '../../support/google-pages.ts';
import { providerFormats } from '../../support/replies.ts';
import { noDeadline, rankQuestion, searchWith } from '../../support/serps.ts';

const asked = { query: 'red shoes', wants: ['features'] as const };
const results = ['https://one.example/', 'https://two.example/'];

function replyOf(name: string): Record<string, unknown> {
  return providerFormats.find(({ source }) => source.name === name)!.reply('red shoes', results);
}

/** Returns the blocks as `type position URLs`. */
const listed = ({ features }: Serp) =>
  features?.found.map(({ type, position, urls }) => [type, position, ...urls].join(' '));

describe('blocks of a results page', () => {
  it('are read from Bright Data, with positions that count the results', () => {
    const [first, second] = replyOf('brightdata').organic as object[];
    const reply = {
      ...replyOf('brightdata'),
      organic: [
        {
          ...first,
          global_rank: 2,
          extensions: [
            { type: 'site_link', link: 'https://one.example/sale' },
            { type: 'text', text: 'Open' },
          ],
        },
        { ...second, global_rank: 9 },
      ],
      top_ads: [{ link: 'https://ad.example/', global_rank: 1 }],
      people_also_ask: [3, 4, 5].map((rank) => ({
        question: 'Why?',
        answer_link: `https://answer-${rank}.example/#:~:text=red`,
        global_rank: rank,
      })),
      images: [],
    };
    const serp = readBrightDataReply(JSON.stringify(reply), asked);
    expect(listed(serp)).to.have.members([
      'ads_top 1 https://ad.example/',
      'people_also_ask 3 https://answer-3.example/ https://answer-4.example/ https://answer-5.example/',
      'sitelinks  https://one.example/sale',
    ]);
    expect(serp.features?.visible).to.include('images').and.not.include('ai_overview');
  });

  it('are read from the first page of DataForSEO, with blocks of one type joined', () => {
    const item = (type: string, rank: number, page: number, url: string) => ({
      ...{ type, rank_absolute: rank, rank_group: rank, page, url, title: url },
    });
    const items = [
      item('paid', 1, 1, 'https://ad.example/'),
      item('paid', 2, 1, 'https://ad2.example/'),
      item('organic', 3, 1, results[0]!),
      { type: 'video', rank_absolute: 4, page: 1, items: [{ url: 'https://video.example/1' }] },
      item('organic', 5, 1, results[1]!),
      { type: 'carousel', rank_absolute: 6, page: 1, items: [] },
      { type: 'images', rank_absolute: 12, page: 2, items: [{ url: 'https://late.example/' }] },
    ];
    const reply = replyOf('dataforseo') as { tasks: { result: object[] }[] };
    reply.tasks[0]!.result = [{ keyword: 'red shoes', items }];
    const serp = readDataForSeo(reply, asked);
    expect(listed(serp)).to.have.members([
      'ads_top 1 https://ad.example/ https://ad2.example/',
      'videos 3 https://video.example/1',
      'other 5',
    ]);
  });

  it('are read from SerpApi, with the websites of places, and the ads at both ends', () => {
    const reply = {
      ...replyOf('serpapi'),
      answer_box: { type: 'organic_result', link: 'https://two.example/' },
      local_results: {
        places: [
          {
            title: 'Shop',
            links: { website: 'https://place.example/', directions: 'https://maps.example/' },
          },
        ],
        more_locations_link: 'https://www.google.com/search?q=red+shoes',
      },
      ads: [
        { block_position: 'top', link: 'https://ad.example/' },
        { block_position: 'bottom', link: 'https://ad2.example/' },
      ],
    };
    expect(listed(readSerpApi(reply, asked))).to.have.members([
      'featured_snippet  https://two.example/',
      'local_pack  https://place.example/',
      'ads_top  https://ad.example/',
      'ads_bottom  https://ad2.example/',
    ]);
  });

  it('are read from Serper and openserp', () => {
    const serper = {
      ...replyOf('serper'),
      peopleAlsoAsk: [{ link: 'https://answer.example/' }],
      answerBox: { title: 'x' },
    };
    expect(listed(readSerper(serper, asked))).to.deep.equal(['people_also_ask  https://answer.example/']);
    const questions = { type: 'people_also_ask', links: [{ url: 'https://answer.example/' }] };
    const openserp = { ...replyOf('openserp'), serp_features: [questions, { type: 'related_searches' }] };
    expect(listed(readOpenserp(openserp, asked))).to.deep.equal(['people_also_ask  https://answer.example/']);
  });

  it('are read from Google’s page by its ids and classes', () => {
    const list = results.map((url) => `<div class="g"><a href="${url}"><h3>A</h3></a></div>`).join('');
    const ads = '<div id="tads"><a href="https://ad.example/">Ad</a></div><div id="bottomads"></div>';
    const html = pageWith(ads, `${list}<div class="related-question-pair">Why?</div>`, 'red shoes');
    expect(listed(readGoogleHtml(html, 'google', asked))).to.have.members(['people_also_ask ', 'ads_top ']);
  });

  it('belong to the target if one of their URLs does, and take at most 4 KiB', async () => {
    const found = [
      { type: 'images' as const, position: 2, urls: ['https://a.example/', 'https://shop.one.example/x'] },
      { type: 'videos' as const, position: null, urls: ['https://a.example/'] },
      { type: 'news' as const, position: 4, urls: [] },
      {
        type: 'other' as const,
        position: 5,
        urls: Array.from({ length: 12 }, (_, n) => `https://${n}.example/${'x'.repeat(600)}`),
      },
    ];
    const page = { results: results.map((url) => ({ url, title: '' })), featuredSnippetUrl: null };
    const provider = {
      name: 'one',
      supports: supportsAll,
      search: async () => ({ ...page, features: { visible: ['images' as const], found } }),
    };
    const outcome = await checkRank(
      rankQuestion('one.example', { wants: [...asked.wants] }),
      searchWith([provider]),
      noDeadline,
    );
    if (outcome.state === 'failed') throw new Error(outcome.error);
    const { features = [] } = outcome.answer;
    expect(features.map(({ type, owned }) => [type, owned])).to.deep.equal([
      ['images', true],
      ['videos', false],
      ['news', null],
      ['other', false],
    ]);
    expect(JSON.stringify(features).length).to.be.at.most(4_096);
    expect(features[3]?.urls).to.have.length.within(1, 9);
  });

  it('have the type “other” if DataForSEO’s type is unknown, even the name of a built-in member', () => {
    for (const type of ['constructor', '__proto__', 'new_carousel']) {
      const reply = replyOf('dataforseo') as { tasks: { result: { items: object[] }[] }[] };
      reply.tasks[0]!.result[0]!.items.push({ type, rank_absolute: 9 });
      expect(listed(readDataForSeo(reply, asked))).to.deep.equal(['other 3']);
      const openserp = { ...replyOf('openserp'), serp_features: [{ type, links: ['https://a.example/'] }] };
      expect(listed(readOpenserp(openserp, asked))).to.deep.equal([]);
    }
  });

  it('never make a rank fail, whatever is in the place of an overview or a block', () => {
    const names =
      'references source_links links link url href title text text_blocks texts items markdown page_token error confidence';
    const part = fc.dictionary(fc.constantFrom(...names.split(' ')), fc.jsonValue({ maxDepth: 3 }));
    const askedForAll = { query: 'red shoes', wants: ['features', 'ai_overview'] as const };
    const dataForSeo = (item: object) => {
      const reply = replyOf('dataforseo') as { tasks: { result: { items: object[] }[] }[] };
      reply.tasks[0]!.result[0]!.items.unshift(item);
      return reply;
    };
    fc.assert(
      fc.property(fc.oneof(part, fc.jsonValue(), fc.array(part)), (value) => {
        const summary = { ...(value as object), type: 'ai_summary', confidence: 0.9 };
        const replies = [
          readSerpApi({ ...replyOf('serpapi'), ai_overview: value, answer_box: value }, askedForAll),
          readBrightDataReply(
            JSON.stringify({ ...replyOf('brightdata'), ai_overview: value, knowledge: value }),
            askedForAll,
          ),
          readDataForSeo(
            dataForSeo({ ...(value as object), type: 'ai_overview', rank_absolute: 1 }),
            askedForAll,
          ),
          readOpenserp({ ...replyOf('openserp'), serp_features: [summary, value] }, askedForAll),
          readSerper({ ...replyOf('serper'), peopleAlsoAsk: value }, askedForAll),
        ];
        for (const { results: found, aiOverview } of replies) {
          expect(found).to.have.length(2);
          expect(aiOverview?.state).to.be.oneOf(overviewStates);
          expect(aiOverview?.state === 'shown').to.equal((aiOverview?.sources.length ?? 0) > 0);
        }
      }),
    );
  });

  it('are read up to 100 URLs and 4 KiB of text', () => {
    const many = { list: Array.from({ length: 10_000 }, (_, n) => ({ url: `https://${n}.example/` })) };
    expect(findUrls(many)).to.have.length(100);
    const references = many.list;
    expect(readOverview({ text: 'a'.repeat(100_000) }, references)).to.include({ state: 'unread' });
    const { text } = readOverview({ text: `\u202e\u0007${'ü'.repeat(10_000)}` }, [
      { url: 'https://a.example/' },
    ]);
    expect(Buffer.byteLength(text ?? '')).to.equal(4_096);
    expect(text).to.match(/^ü+$/);
  });
});
