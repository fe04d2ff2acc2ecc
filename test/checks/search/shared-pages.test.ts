import { expect } from 'chai';
import { checkIndex } from '../../../checks/search/index-check.ts';
import { Search } from '../../../checks/search/search.ts';
import { createSharedPages } from '../../../checks/search/shared-pages.ts';
import { afterMs, hurried, openGate, patient, searchWith, serpOf, tell } from '../../support/serps.ts';

const found = ['https://example.com/'];
const url = 'https://example.com/';

describe('a search whose pages are shared', () => {
  it('asks once for identical searches in flight, whoever gives up', async () => {
    const page = Promise.withResolvers<string[]>();
    const provider = tell('one', () => page.promise);
    const search = searchWith([provider]);
    const givesUp = new AbortController();
    const impatient = checkIndex(url, search, { ...patient, signal: givesUp.signal }).catch(() => 'gone');
    const patients = Array.from({ length: 20 }, () => checkIndex(url, search, patient));
    givesUp.abort();
    expect(await impatient).to.equal('gone');
    page.resolve(found);
    expect((await Promise.all(patients)).every(({ state }) => state === 'success')).to.equal(true);
    expect(provider.asked).to.have.lengthOf(1);
    await checkIndex(url, search, patient);
    expect(provider.asked).to.have.lengthOf(2);
  });

  it('answers another account as slowly as the first from a page that is kept', async () => {
    const provider = tell('one', () => afterMs(300, found));
    const search = searchWith([provider], 60);
    const order: number[] = [];
    const ask = (accountId: number) =>
      checkIndex(url, search, { ...patient, accountId }).then(() => order.push(accountId));
    await ask(1);
    const another = ask(2);
    await afterMs(10, null);
    await Promise.all([ask(1), another]);
    expect(order).to.deep.equal([1, 1, 2]);
    expect(provider.asked).to.have.lengthOf(1);
  });

  it('asks for those who wait on when it is too late for the one who asked first', async () => {
    const provider = tell('one', () => found);
    const isOver = Promise.withResolvers<void>();
    const gate = { ...openGate, enter: async () => isOver.promise.then(() => () => {}) };
    const search = new Search({ providers: [provider], gate, reuseSeconds: 0 });
    const late = checkIndex(url, search, hurried(10));
    const patients = Array.from({ length: 3 }, () => checkIndex(url, search, patient));
    expect((await late).state).to.equal('failed');
    isOver.resolve();
    expect((await Promise.all(patients)).map(({ state }) => state)).to.deep.equal(Array(3).fill('success'));
    expect(provider.asked).to.have.lengthOf(1);
  });

  it('lets a genuine page serve others for a while, and a failure nobody', async () => {
    const provider = tell('one', () => found);
    const search = searchWith([provider], 60);
    for (let check = 0; check < 5; check++) await checkIndex(url, search, patient);
    expect(provider.asked).to.have.lengthOf(1);
    const failing = tell('two', () => 'blocked');
    const other = searchWith([failing], 60);
    for (let check = 0; check < 3; check++) await checkIndex(url, other, patient);
    expect(failing.asked).to.have.lengthOf(3);
  });

  it('keeps pages of 16 Mi characters in all, by their titles and addresses, however many there are', async () => {
    const pages = createSharedPages(60_000);
    const title = 'x'.repeat(100_000);
    const page = { ...serpOf([]), results: [{ url, title }], page: 1, pagesRead: 1 };
    for (let index = 0; index < 300; index++) await pages.get(`${index}`, patient.signal, async () => [page]);
    expect(pages.weight).to.be.within(15 * 2 ** 20, 16 * 2 ** 20);
  });

  it('does not pay again for a query that was rewritten a moment ago', async () => {
    const provider = tell('one', () => 'rewritten');
    const search = searchWith([provider], 60);
    const first = await checkIndex(url, search, patient);
    const second = await checkIndex(url, search, patient);
    expect([first, second]).to.satisfy((both: object[]) =>
      both.every((one) => 'error' in one && one.error === 'query_rewritten'),
    );
    expect([first.cost, second.cost]).to.deep.equal([{ pages: 1 }, { pages: 0 }]);
    expect(provider.asked).to.have.lengthOf(1);
  });

  for (const [page, state] of [
    ['rewritten', 'in flight'],
    ['rewritten', 'kept'],
    [found, 'in flight'],
    [found, 'kept'],
  ] as const) {
    it(`weighs a ${page === found ? 'genuine' : page} page ${state} for each account once, whoever paid`, async () => {
      const provider = tell('one', () => afterMs(20, page));
      const search = searchWith([provider], 60);
      const costFor = async (accountId: number) =>
        (await checkIndex(url, search, { ...patient, accountId })).cost;
      const asked = [1, 2, 1, 2];
      const costs: unknown[] = [];
      if (state === 'in flight') costs.push(...(await Promise.all(asked.map(costFor))));
      else for (const accountId of asked) costs.push(await costFor(accountId));
      expect(costs).to.deep.equal([{ pages: 1 }, { pages: 1 }, { pages: 0 }, { pages: 0 }]);
    });
  }

  it('weighs a page that is on its way for who shares it and gives up, as for who began it', async () => {
    const search = searchWith([tell('one', () => new Promise(() => {}))]);
    const costFor = async (accountId: number) =>
      (await checkIndex(url, search, { ...hurried(30), accountId })).cost;
    expect(await Promise.all([costFor(1), costFor(2)])).to.deep.equal([{ pages: 1 }, { pages: 1 }]);
  });
});
