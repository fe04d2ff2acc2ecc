import { once } from 'node:events';
import { expect } from 'chai';
import { checkIndex } from '../../../checks/search/index-check.ts';
import { type ProviderGate, Search } from '../../../checks/search/search.ts';
import { SharedPages } from '../../../checks/search/shared-pages.ts';
import {
  deadlineIn,
  noDeadline,
  openGate,
  scriptProvider,
  searchWith,
  toTestSerp,
} from '../../support/serps.ts';

const found = ['https://example.com/'];
const url = 'https://example.com/';

describe('a search whose pages are shared', () => {
  it('is made once for equal concurrent checks of an account, even if the first is aborted', async () => {
    const page = Promise.withResolvers<string[]>();
    const provider = scriptProvider('one', () => page.promise);
    const search = searchWith([provider]);
    const givesUp = new AbortController();
    const impatient = checkIndex(url, search, { ...noDeadline, signal: givesUp.signal }).catch(() => 'gone');
    const others = Array.from({ length: 20 }, () => checkIndex(url, search, noDeadline));
    givesUp.abort();
    expect(await impatient).to.equal('gone');
    page.resolve(found);
    expect((await Promise.all(others)).every(({ state }) => state === 'success')).to.equal(true);
    expect(provider.asked).to.have.lengthOf(1);
    await checkIndex(url, search, noDeadline);
    expect(provider.asked).to.have.lengthOf(2);
  });

  it('is not repeated while its call continues, although every check was aborted', async () => {
    const page = Promise.withResolvers<string[]>();
    const provider = scriptProvider('one', () => page.promise);
    const search = searchWith([provider]);
    expect((await checkIndex(url, search, deadlineIn(5))).state).to.equal('failed');
    const later = checkIndex(url, search, noDeadline);
    page.resolve(found);
    expect((await later).state).to.equal('success');
    expect(provider.asked).to.have.lengthOf(1);
  });

  it('is made and paid for once by each account, at once or later', async () => {
    const provider = scriptProvider('one', () => found);
    const search = searchWith([provider], 60);
    const costFor = async (accountId: number) =>
      (await checkIndex(url, search, { ...noDeadline, accountId })).cost?.pages;
    expect(await Promise.all([1, 2, 1, 2].map(costFor))).to.deep.equal([1, 1, 0, 0]);
    expect(await Promise.all([1, 2, 3].map(costFor))).to.deep.equal([0, 0, 1]);
    expect(provider.asked).to.have.lengthOf(3);
  });

  it('is not sent if every check was aborted before', async () => {
    const provider = scriptProvider('one', () => found);
    const countCall: ProviderGate['countCall'] = async (_provider, signal) => {
      await once(signal, 'abort');
      return true;
    };
    const search = new Search({ providers: [provider], gate: { ...openGate, countCall }, reuseSeconds: 0 });
    expect((await checkIndex(url, search, deadlineIn(5))).state).to.equal('failed');
    await new Promise(setImmediate);
    expect(provider.asked).to.have.lengthOf(0);
  });

  it('takes no slot and counts no call if it finds one in flight after its wait', async () => {
    const page = Promise.withResolvers<string[]>();
    let [held, counted] = [0, 0];
    const gate: ProviderGate = {
      ...openGate,
      acquire: async () => {
        held += 1;
        return { release: () => (held -= 1) };
      },
      countCall: async () => ++counted > 0,
    };
    const search = new Search({
      providers: [scriptProvider('one', () => page.promise)],
      gate,
      reuseSeconds: 0,
    });
    const checks = [1, 2, 3].map(() => checkIndex(url, search, noDeadline));
    await new Promise(setImmediate);
    expect([held, counted]).to.deep.equal([1, 1]);
    page.resolve(found);
    await Promise.all(checks);
    expect([held, counted]).to.deep.equal([0, 1]);
  });

  it('of a single check does not wait behind the equal one of a batch', async () => {
    const acquire: ProviderGate['acquire'] = async (_provider, { isUrgent }, signal) => {
      if (!isUrgent) await once(signal, 'abort');
      signal.throwIfAborted();
      return { release: () => {} };
    };
    const provider = scriptProvider('one', () => found);
    const search = new Search({ providers: [provider], gate: { ...openGate, acquire }, reuseSeconds: 0 });
    const ends = new AbortController();
    const inBatch = checkIndex(url, search, { ...noDeadline, signal: ends.signal }).catch(() => 'ended');
    expect(await checkIndex(url, search, deadlineIn(20_000))).to.have.property('state', 'success');
    ends.abort();
    expect(await inBatch).to.equal('ended');
  });

  it('answers other checks of the account for a while, unless it failed', async () => {
    const provider = scriptProvider('one', () => found);
    const search = searchWith([provider], 60);
    for (let check = 0; check < 5; check++) await checkIndex(url, search, noDeadline);
    expect(provider.asked).to.have.lengthOf(1);
    const failing = scriptProvider('two', () => 'blocked');
    const other = searchWith([failing], 60);
    for (let check = 0; check < 3; check++) await checkIndex(url, other, noDeadline);
    expect(failing.asked).to.have.lengthOf(3);
  });

  it('answers checks of one chunk until the chunk ends', async () => {
    const provider = scriptProvider('one', () => found);
    const search = searchWith([provider], 0);
    const chunk = { ...noDeadline, sinceMs: performance.now() };
    for (let check = 0; check < 5; check++) await checkIndex(url, search, chunk);
    expect(provider.asked).to.have.lengthOf(1);
    await checkIndex(url, search, { ...noDeadline, sinceMs: performance.now() });
    expect(provider.asked).to.have.lengthOf(2);
  });

  it('is not paid for again if Google has just rewritten it', async () => {
    const provider = scriptProvider('one', () => 'rewritten');
    const search = searchWith([provider], 60);
    const outcomes = [await checkIndex(url, search, noDeadline), await checkIndex(url, search, noDeadline)];
    expect(outcomes.map((one) => 'error' in one && one.error)).to.deep.equal(
      Array(2).fill('query_rewritten'),
    );
    expect(outcomes.map(({ cost }) => cost)).to.deep.equal([{ pages: 1 }, { pages: 0 }]);
    expect(provider.asked).to.have.lengthOf(1);
  });

  it('takes at most 8 Mi characters of memory, including keys and titles, and keeps the newest pages', async () => {
    const pages = new SharedPages(60_000);
    const page = { ...toTestSerp([]), results: [{ url, title: 'x'.repeat(60_000) }], page: 1, pagesRead: 1 };
    const { signal } = noDeadline;
    const createKey = (index: number) => `${index}`.padEnd(40_000);
    for (let index = 0; index < 200; index++) {
      const makeCall = async (_unwanted: AbortSignal, markSent: () => void) => {
        await null;
        markSent();
        return [page];
      };
      await pages.call(createKey(index), makeCall, { signal });
    }
    expect(pages.characters).to.be.within(7.8 * 2 ** 20, 8 * 2 ** 20);
    expect(pages.find(createKey(0), { signal })).to.equal(null);
    expect(await pages.find(createKey(199), { signal })).to.deep.equal([page]);
  });
});
