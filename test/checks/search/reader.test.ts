import { expect } from 'chai';
import { createReader } from '../../../checks/search/reader.ts';
import { serpRequest } from '../../support/provider.ts';
import { serpOf, tell } from '../../support/serps.ts';

describe('the pages of a provider', () => {
  const provider = tell('one', () => []);
  const { page: _page, ...query } = serpRequest();
  const range = { from: 1, to: 6, stopAt: null };

  it('asked for ahead are given up when nobody comes to them', async () => {
    const signals: AbortSignal[] = [];
    // No time is left, so all are asked for after the first.
    const reader = createReader(provider, 0, async (_query, { from }, isDone) => {
      signals[from] = isDone;
      return [{ ...serpOf([`https://a.example/${from}`]), page: from, pagesRead: 1 }];
    });
    for await (const { page } of reader.pages(query, range)) {
      if (page === 2) {
        expect(signals[6]?.aborted).to.equal(false);
        break;
      }
    }
    expect(signals[6]?.aborted).to.equal(true);
  });

  it('are unreadable when one is the one before, but not when both are empty', async () => {
    const read = async (urls: (page: number) => string[]) => {
      const reader = createReader(provider, null, async (_query, { from }) => [
        { ...serpOf(urls(from)), page: from, pagesRead: 1 },
      ]);
      let pages = 0;
      for await (const _ of reader.pages(query, range)) pages += 1;
      return pages;
    };
    expect(await read((page) => [`https://a.example/${page}`])).to.equal(6);
    expect(await read(() => [])).to.equal(6);
    const again = await read(() => ['https://a.example/']).catch((error) => error);
    expect(again).to.include({ kind: 'unreadable', provider: 'one' });
  });
});
