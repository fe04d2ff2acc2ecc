import { expect } from 'chai';
import { FairLimit } from '../../../process/fair-limit.ts';
import { searchBatches } from '../../../server/api/batch-search.ts';
import { TestService } from '../../support/service.ts';

describe('a search of batches', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });

  after(() => service.stop());

  it('is one of its account at a time, and waits for no other account', async () => {
    const context = { db: service.db, longQueries: new FairLimit({ total: 4, perAccount: 1 }) };
    const [greedy, other] = [await service.account(), await service.account()];
    const held = Promise.withResolvers<void>();
    const looks: string[] = [];
    const search = (accountId: number, name: string, until = Promise.resolve()) =>
      searchBatches(context, accountId, { text: 'shoes' }, async () => {
        looks.push(name);
        await until;
      });
    const first = search(greedy.accountId, 'first', held.promise);
    const second = search(greedy.accountId, 'second');
    await search(other.accountId, 'other');
    expect(looks).to.have.members(['first', 'other']);
    held.resolve();
    await Promise.all([first, second]);
    expect(looks.at(-1)).to.equal('second');
  });

  it('waits for nothing without a text', async () => {
    const context = { db: service.db, longQueries: new FairLimit({ total: 0 }) };
    expect(await searchBatches(context, 1, {}, async (search) => search)).to.equal(undefined);
  });
});
