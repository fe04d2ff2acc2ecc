import { expect } from 'chai';
import { searchInTurn } from '../../../server/api/batch-search.ts';
import { TestService } from '../../support/service.ts';

describe('a search in turn', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });

  after(() => service.stop());

  it('counts first, and looks for names in the same turn as for addresses', async () => {
    const { accountId } = await service.account();
    const events: string[] = [];
    const readers = {
      pageInTurn: async <T>(_: number, read: () => Promise<T>) => {
        events.push('turn');
        const result = await read();
        events.push('end of turn');
        return result;
      },
      sent: async (_: number, rows: number) => {
        events.push(`${rows} counted`);
      },
    };
    const look = async (search: unknown) => {
      events.push('look');
      return search;
    };
    const context = { db: service.db, readers };
    expect(await searchInTurn(context, accountId, {}, look)).to.equal(undefined);
    expect(events.splice(0)).to.deep.equal(['look']);
    expect(await searchInTurn(context, accountId, { text: 'shoes' }, look)).to.deep.equal({
      text: 'shoes',
      batchIds: [],
    });
    expect(events).to.deep.equal(['2000 counted', 'turn', 'look', 'end of turn']);
  });
});
