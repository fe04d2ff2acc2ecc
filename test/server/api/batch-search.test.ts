import { expect } from 'chai';
import { sql } from 'kysely';
import { FairLimit } from '../../../process/fair-limit.ts';
import { searchBatches } from '../../../server/api/batch-search.ts';
import { limitSearch } from '../../../server/limits/slots.ts';
import { useService } from '../../support/service.ts';

const never = new AbortController().signal;

describe('a search of batches', () => {
  const service = useService();

  it('runs once per account at a time, does not delay other accounts, and is skipped when its caller has left', async () => {
    const context = { db: service.db, longQueries: new FairLimit({ total: 4, perAccount: 1 }) };
    const [greedy, other] = [await service.account(), await service.account()];
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const looks: string[] = [];
    const search = (accountId: number, name: string, until = Promise.resolve(), signal = never) =>
      searchBatches(context, accountId, { text: 'shoes', signal }, async () => {
        looks.push(name);
        begun.resolve();
        await until;
      });
    const first = search(greedy.accountId, 'first', held.promise);
    await begun.promise;
    const second = search(greedy.accountId, 'second');
    const left = new AbortController();
    const leaving = search(greedy.accountId, 'left', undefined, left.signal);
    left.abort(new Error('left'));
    expect(await leaving.catch((error: Error) => error.message)).to.equal('left');
    await search(other.accountId, 'other');
    expect(looks).to.deep.equal(['first', 'other']);
    held.resolve();
    await Promise.all([first, second]);
    expect(looks).to.deep.equal(['first', 'other', 'second']);
  });

  it('is canceled by the database after ten seconds, because it continues after its caller has left', async () => {
    const context = { db: service.db, longQueries: new FairLimit({ total: 1 }) };
    const wanted = { accountId: 1, text: 'shoes', signal: never };
    const { rows } = await limitSearch(context, wanted, (trx) =>
      sql<{ timeout: string }>`select current_setting('statement_timeout') as timeout`.execute(trx),
    );
    expect(rows).to.deep.equal([{ timeout: '10s' }]);
  });

  it('does not wait without a search text', async () => {
    const context = { db: service.db, longQueries: new FairLimit({ total: 0 }) };
    expect(await searchBatches(context, 1, { signal: never }, async (search) => search)).to.equal(undefined);
  });
});
