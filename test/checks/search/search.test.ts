import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { checkIndex } from '../../../checks/search/index-check.ts';
import { type ProviderGate, Search } from '../../../checks/search/search.ts';
import { SearchError, toSearchFailure } from '../../../checks/search/search-error.ts';
import { ProviderError, type ProviderErrorKind } from '../../../checks/search/serp.ts';
import { serpRequest } from '../../support/provider.ts';
import {
  afterMs,
  deadlineIn,
  noDeadline,
  openGate,
  scriptProvider,
  searchWith,
} from '../../support/serps.ts';

const found = ['https://example.com/'];
const url = 'https://example.com/';

describe('the search', () => {
  const known = ['blocked', 'rewritten', 'quota', 'auth', 'rate_limit', 'unreadable', 'upstream'] as const;
  const kinds = [...known, 'timeout'] as const;

  it('takes all pages of an answer from one provider', async () => {
    const first = scriptProvider('first', ({ query }) => (query.startsWith('site:') ? 'blocked' : []));
    const second = scriptProvider('second', () => []);
    const outcome = await checkIndex(url, searchWith([first, second]), noDeadline);
    expect(outcome).to.have.nested.property('answer.is_indexed', false);
    expect(second.asked).to.have.lengthOf(2);
  });

  it('leaves a slow provider while another is available, and waits for the last one until the deadline', async () => {
    const slow = scriptProvider('slow', () => new Promise(() => {}));
    const fast = scriptProvider('fast', () => found);
    const outcome = await checkIndex(url, searchWith([slow, fast], 0, undefined, 50), deadlineIn(24_000));
    expect(outcome).to.have.nested.property('answer.provider', 'fast');
    // The abandoned request is counted: it will be billed.
    expect(outcome.cost).to.deep.equal({ pages: 2 });
    expect((await checkIndex(url, searchWith([slow]), deadlineIn(50))).state).to.equal('failed');
  });

  it('skips a provider that keeps failing while another answers, and tries it when none is left', async () => {
    const bad = scriptProvider('bad', () => 'upstream');
    const good = scriptProvider('good', () => found);
    const search = searchWith([bad, good]);
    for (let check = 0; check < 12; check++)
      await checkIndex(`https://example.com/${check}`, search, noDeadline);
    expect(bad.asked.length).to.equal(5);
    const lonely = scriptProvider('lonely', () => 'upstream');
    const only = searchWith([lonely]);
    for (let check = 0; check < 12; check++)
      await checkIndex(`https://example.com/${check}`, only, noDeadline);
    expect(lonely.asked.length).to.equal(12);
  });

  for (const kind of kinds.filter((one) => one !== 'rewritten')) {
    it(`skips a provider for an account that causes ${kind}, and for all after several such accounts`, async () => {
      const odd = scriptProvider('odd', ({ query }) => (query.includes('odd') ? kind : found));
      const search = searchWith([odd, scriptProvider('good', () => found)]);
      const findProvider = async (accountId: number, path: string) => {
        const outcome = await checkIndex(`https://example.com/${path}`, search, { ...noDeadline, accountId });
        return outcome.state === 'success' && outcome.answer.provider;
      };
      for (let check = 0; check < 12; check++) await findProvider(1, `odd/${check}`);
      expect(odd.asked).to.have.lengthOf(5);
      expect([await findProvider(2, ''), await findProvider(1, '')]).to.deep.equal(['odd', 'good']);
      for (let check = 0; check < 5; check++) await findProvider(2, `odd/${check}`);
      for (let check = 0; check < 2; check++) await findProvider(3, `odd/${check}`);
      expect(await findProvider(4, '')).to.equal('good');
    });
  }

  it('does not skip a provider that refuses to repeat queries', async () => {
    const provider = scriptProvider(
      'one',
      () => new ProviderError('one', 'rate_limit', 'x', { isOfQueryOnly: true }),
    );
    const search = searchWith([provider, scriptProvider('other', () => found)]);
    for (let check = 0; check < 12; check++)
      await checkIndex(`https://example.com/${check}`, search, { ...noDeadline, accountId: check % 2 });
    expect(provider.asked).to.have.lengthOf(12);
  });

  it('tries a failing provider again after a pause, with one check, and uses it again when it answers', async () => {
    let state: 'failing' | 'slowly failing' | 'well' = 'failing';
    const first = scriptProvider('first', () => {
      if (state === 'slowly failing') return afterMs(50, 'upstream' as const);
      return state === 'failing' ? 'upstream' : found;
    });
    const search = searchWith([first, scriptProvider('second', () => found)], 0, 100);
    const ask = async (path: number | string) => {
      const outcome = await checkIndex(`https://example.com/${path}`, search, noDeadline);
      return outcome.state === 'success' ? outcome.answer.provider : outcome.error;
    };
    for (let check = 0; check < 6; check++) await ask(check);
    expect(first.asked).to.have.lengthOf(5);

    await pause(110);
    state = 'slowly failing';
    const together = await Promise.all(['a', 'b', 'c'].map(ask));
    expect(together).to.deep.equal(['second', 'second', 'second']);
    expect(first.asked).to.have.lengthOf(6);

    await pause(110);
    state = 'well';
    expect([await ask('d'), await ask('e')]).to.deep.equal(['first', 'first']);
  });

  it('makes no queued call after its check has ended, or too close to the deadline', async () => {
    const provider = scriptProvider('one', () => afterMs(30, found));
    const inLine = Promise.withResolvers<AbortSignal>();
    let isLineFull = false;
    const gate: ProviderGate = {
      ...openGate,
      acquire: async (_provider, _caller, signal) => {
        if (!isLineFull) return { release: () => {} };
        inLine.resolve(signal);
        await once(signal, 'abort');
        throw signal.reason;
      },
    };
    const search = new Search({ providers: [provider], gate, reuseSeconds: 0 });
    const query = serpRequest();
    const firstPage = { from: 1, to: 1, stopAt: null };
    await search.withFailover(query, noDeadline, (reader) => reader.pages(query, firstPage).next());
    expect((await checkIndex(url, search, deadlineIn(3))).state).to.equal('failed');
    expect(provider.asked).to.have.lengthOf(1);
    isLineFull = true;
    await search.withFailover(query, deadlineIn(20_000), async (reader) => {
      reader
        .pages(query, firstPage)
        .next()
        .catch(() => {});
      await inLine.promise;
    });
    expect((await inLine.promise).aborted).to.equal(true);
    expect(provider.asked).to.have.lengthOf(1);
  });

  it('never requests more from a provider than it supports', async () => {
    const desktopOnly = scriptProvider('desktop', () => found, { mobile: false });
    const both = scriptProvider('both', () => found);
    const search = searchWith([desktopOnly, both]);
    const { page: _page, isUnfiltered: _isUnfiltered, ...mobile } = serpRequest({ device: 'mobile' });
    expect(search.unsupportedField(mobile)).to.equal(null);
    expect(searchWith([desktopOnly]).unsupportedField(mobile)).to.equal('device');
    const request = serpRequest({ device: 'mobile' });
    await search.withFailover(request, noDeadline, async (reader) => {
      const range = { from: 1, to: 1, stopAt: null };
      for await (const _page of reader.pages(request, range)) break;
    });
    expect(desktopOnly.asked).to.have.lengthOf(0);
    expect(both.asked).to.have.lengthOf(1);
  });

  it('treats a used-up daily limit as a quota', async () => {
    const search = new Search({
      providers: [scriptProvider('one', () => found)],
      gate: { ...openGate, countCall: async () => false },
      reuseSeconds: 0,
    });
    const outcome = await checkIndex(url, search, noDeadline);
    expect(outcome).to.include({ state: 'failed', error: 'provider_refused', isRetryable: false });
  });

  it('reports one error for the failures of several providers', () => {
    const createFailure = (...of: Array<ConstructorParameters<typeof ProviderError>[1]>) =>
      toSearchFailure(new SearchError(of.map((kind) => new ProviderError('one', kind, 'x')))).error;
    expect(createFailure('auth', 'quota')).to.equal('provider_refused');
    expect(createFailure('auth', 'blocked')).to.equal('google_unreadable');
    expect(createFailure('blocked', 'rewritten')).to.equal('query_rewritten');
    expect(createFailure('rewritten', 'timeout')).to.equal('google_unreadable');
    expect(toSearchFailure(new SearchError([]))).to.include({
      error: 'google_unreadable',
      isRetryable: false,
    });
    expect(() => toSearchFailure(new TypeError('a fault of ours'))).to.throw(TypeError);
  });

  it('reports an outage only if every available provider failed in a way that may pass by itself', () => {
    const isOutage = (...of: ProviderErrorKind[]) =>
      new SearchError(of.map((kind) => new ProviderError('one', kind, 'x'))).isOutage;
    for (const kinds of [
      ['timeout'],
      ['upstream', 'rate_limit'],
      ['auth', 'timeout'],
      ['quota', 'upstream'],
    ] as const)
      expect(isOutage(...kinds), kinds.join()).to.equal(true);
    for (const kind of ['blocked', 'unreadable', 'rewritten', 'bad_request'] as const) {
      expect(isOutage('timeout', kind), kind).to.equal(false);
      expect(isOutage(kind, 'timeout'), kind).to.equal(false);
    }
    expect([isOutage(), isOutage('auth', 'quota'), isOutage('unsupported')]).to.deep.equal([
      false,
      false,
      false,
    ]);
  });

  it('reports no outage if a page was read, also if another check of the chunk requested it', async () => {
    const provider = scriptProvider('one', ({ query: text }) => (text.startsWith('site:') ? 'timeout' : []));
    const search = searchWith([provider]);
    const sinceMs = performance.now();
    for (const pages of [1, 0]) {
      const cost = { pages: 0 };
      const outcome = await checkIndex(url, search, { ...noDeadline, sinceMs, cost });
      expect(outcome).to.include({ state: 'failed', isRetryable: true }).and.not.have.property('isOutage');
      expect(cost).to.deep.equal({ pages });
    }
  });

  it('reports whether and when a retry may help', () => {
    const createFailure = (...of: Array<[kind: ProviderErrorKind, retryAfterSeconds: number | null]>) =>
      toSearchFailure(
        new SearchError(
          of.map(([kind, retryAfterSeconds]) => new ProviderError('one', kind, 'x', { retryAfterSeconds })),
        ),
      );
    for (const kind of ['bad_request', 'unreadable', 'unsupported'] as const)
      expect(createFailure([kind, null])).to.include({ isRetryable: false, retryAfterSeconds: null });
    expect(
      createFailure(['unreadable', 90], ['blocked', 15], ['rate_limit', 3], ['upstream', null]),
    ).to.include({
      isRetryable: true,
      retryAfterSeconds: 15,
    });
  });
});
