import { expect } from 'chai';
import { checkRank } from '../../../checks/search/rank-check.ts';
import { answerWithOverview, type OverviewCase, type OverviewGoogle } from '../../support/overviews.ts';
import { useProviderServer } from '../../support/provider.ts';
import { googleReaders, makeProvider, providerFormats } from '../../support/replies.ts';
import { deadlineIn, noDeadline, rankQuestion, scriptProvider, searchWith } from '../../support/serps.ts';

const one = 'https://one.example/red';
const two = 'https://two.example/';
const pages = [[one, 'https://other.example/']];

/** A Google with an overview of this kind, which cites `two` and then `one`. */
const googleWith = (kind: OverviewCase, ...kinds: OverviewCase[]): OverviewGoogle => ({
  pages: () => pages,
  overview: (_query, device) => (device === 'mobile' ? (kinds[0] ?? kind) : kind),
  sources: () => [two, one],
});

/** Each row: the state by provider. Serper and SearXNG cannot report overviews. */
const unknown = { serper: 'unknown', searxng: 'unknown' };
const table: Record<OverviewCase, Record<string, string>> = {
  inline: { brightdata: 'shown', serpapi: 'shown', dataforseo: 'shown', openserp: 'shown', ...unknown },
  later: { brightdata: 'shown', serpapi: 'shown', dataforseo: 'shown', openserp: 'shown', ...unknown },
  expired: { serpapi: 'unread', dataforseo: 'unread', ...unknown },
  placeholder: {
    ...{ brightdata: 'unread', serpapi: 'unread', dataforseo: 'unread', openserp: 'unknown' },
    ...unknown,
  },
  hidden: { brightdata: 'unread', serpapi: 'unread', dataforseo: 'unread', openserp: 'unread', ...unknown },
  none: {
    ...{ brightdata: 'not_shown', serpapi: 'not_shown', dataforseo: 'not_shown', openserp: 'not_shown' },
    ...unknown,
  },
  raw: { openserp: 'unknown' },
};

describe('AI Overviews', () => {
  const server = useProviderServer();

  async function ask(name: string, google: OverviewGoogle, changes: Parameters<typeof rankQuestion>[1] = {}) {
    const format = providerFormats.find(({ source }) => source.name === name)!;
    server.willAnswer(answerWithOverview(format, google));
    const question = rankQuestion('one.example', { wants: ['features', 'ai_overview'], ...changes });
    const outcome = await checkRank(question, searchWith([makeProvider(format, server.baseUrl)]), noDeadline);
    if (outcome.state === 'failed') throw new Error(outcome.error);
    expect(outcome.answer.rank).to.equal(1);
    return outcome;
  }

  for (const [kind, states] of Object.entries(table)) {
    for (const [name, state] of Object.entries(states)) {
      it(`are ${state} on a page of ${name} with this case: ${kind}`, async () => {
        const { answer, overview } = await ask(name, googleWith(kind as OverviewCase), {
          competitors: [{ url: 'absent.example', target: rankQuestion('absent.example').target }],
        });
        const isRead = state === 'shown';
        expect(answer.ai_overview).to.deep.equal({
          state,
          cited: isRead ? true : null,
          cited_url: isRead ? one : null,
          citation: isRead ? 2 : null,
        });
        // Only sources that were read prove that a site is not cited.
        expect(answer.competitors).to.deep.equal([
          { url: 'absent.example', rank: null, ranked_url: null, cited: isRead ? false : null },
        ]);
        if (!isRead) return expect(overview?.sources ?? []).to.deep.equal([]);
        expect(overview?.sources.map(({ url, title }) => [url, title])).to.deep.equal([
          [two, 'A page'],
          [one, 'A page'],
        ]);
        expect(overview?.text).to.match(/^Red shoes are shoes that are red\./);
        const block = answer.features?.find(({ type }) => type === 'ai_overview');
        expect(block).to.deep.include({ owned: true, urls: [two, one] });
        expect(answer.features_visible).to.include('ai_overview');
      });
    }
  }

  for (const name of ['brightdata', 'serpapi', 'dataforseo']) {
    it(`are reported by ${name} if only phones see them`, async () => {
      const states: unknown[] = [];
      for (const device of ['desktop', 'mobile'] as const) {
        const { answer } = await ask(name, googleWith('none', 'inline'), { wants: ['ai_overview'], device });
        states.push(answer.ai_overview?.state);
      }
      expect(states).to.deep.equal(['not_shown', 'shown']);
    });
  }

  it('are unread on Google’s own page, and unknown without their block', async () => {
    const { format, reply } = googleReaders.at(-1)!;
    const states = [];
    for (const block of ['<div data-subtree="aimc"><a href="/goto?url=CAES">One</a></div>', '']) {
      const { body } = reply('red shoes', pages[0]!) as { body: { body: string } };
      server.willAnswer({
        body: { ...body, body: body.body.replace('<div id="taw">', `<div id="taw">${block}`) },
      });
      const question = rankQuestion('one.example', { wants: ['features', 'ai_overview'] });
      const asked = await checkRank(question, searchWith([makeProvider(format, server.baseUrl)]), noDeadline);
      if (asked.state === 'success') states.push([asked.answer.ai_overview, asked.answer.features]);
    }
    const nothing = { cited: null, cited_url: null, citation: null };
    expect(states).to.deep.equal([
      [{ state: 'unread', ...nothing }, [{ type: 'ai_overview', position: null, owned: null, urls: [] }]],
      [{ state: 'unknown', ...nothing }, []],
    ]);
  });

  it('are requested once with SerpApi’s token, before page 2, and count as two searches', async () => {
    const deep = { ...googleWith('later'), pages: () => [pages[0]!, ['https://late.example/']] };
    server.willAnswer(answerWithOverview(providerFormats[1]!, deep));
    const question = rankQuestion('late.example', { wants: ['ai_overview'], endPage: 2 });
    const provider = makeProvider(providerFormats[1]!, server.baseUrl);
    const outcome = await checkRank(question, searchWith([provider]), noDeadline);
    expect(outcome).to.deep.include({ cost: { pages: 3 } });
    expect(
      server.seen.map(
        ({ url: { searchParams } }) => searchParams.get('page_token') ?? searchParams.get('start'),
      ),
    ).to.deep.equal([null, 'later-0 red shoes', '10']);
  });

  it('never make a check fail or late: a token search that hangs is abandoned', async () => {
    const answer = answerWithOverview(providerFormats[1]!, googleWith('later'));
    server.willAnswer((request) => ({
      ...answer(request),
      ...(request.url.searchParams.has('page_token') ? { delayMs: 60_000 } : {}),
    }));
    const question = rankQuestion('one.example', { wants: ['ai_overview'] });
    const provider = makeProvider(providerFormats[1]!, server.baseUrl);
    const outcome = await checkRank(question, searchWith([provider]), deadlineIn(1_500));
    expect(outcome).to.have.nested.property('answer.ai_overview.state', 'unread');
    expect(outcome).to.have.nested.property('answer.rank', 1);
  });

  it('are requested from a provider that reports them, if there is one', async () => {
    const plain = scriptProvider('plain', () => [one]);
    const able = scriptProvider('able', () => [one], { aiOverviews: true });
    const search = searchWith([plain, able]);
    const providers = [];
    for (const wants of [[], ['features'], ['ai_overview']] as const) {
      const outcome = await checkRank(rankQuestion('one.example', { wants: [...wants] }), search, noDeadline);
      if (outcome.state === 'success') providers.push(outcome.answer.provider);
    }
    expect(providers).to.deep.equal(['plain', 'plain', 'able']);
  });

  it('are not requested by plain checks, nor on later pages', async () => {
    for (const format of providerFormats) {
      const plain = await ask(format.source.name, googleWith('inline'), { wants: [] });
      expect(plain.answer).not.to.have.any.keys('features', 'features_visible', 'ai_overview');
      const sent = JSON.stringify(server.seen);
      expect(sent, format.source.name).not.to.match(/ai_overview|advanced|features/);
    }
    const provider = scriptProvider('able', () => [one], { aiOverviews: true });
    const question = rankQuestion('one.example', {
      wants: ['features', 'ai_overview'],
      startPage: 2,
      endPage: 2,
    });
    const outcome = await checkRank(question, searchWith([provider]), noDeadline);
    expect(provider.asked[0]).not.to.have.property('wants');
    expect(outcome).to.have.nested.property('answer.ai_overview.state', 'unknown');
    expect(outcome).to.have.nested.property('answer.features_visible').that.is.empty;
  });
});
