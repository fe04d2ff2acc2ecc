import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import {
  findByInput,
  listSubmission,
  searchedBatchesMax,
  searchedNamesMax,
} from '../../../db/batches/batch-lists.ts';
import { FormClient, signedIn } from '../../support/dashboard.ts';
import { useAccount, useService } from '../../support/service.ts';

describe('a search for batches', () => {
  const service = useService();
  const account = useAccount(service, 1000);
  const ids: Record<string, string> = {};

  before(async () => {
    const { token } = account;
    const submit = async (name: string, path: string, body: object) => {
      ids[name] = (await service.call(path, { token, body })).body.batch_id;
    };
    const other = { url: 'https://b.example/100%_"quoted"' };
    await submit('shoes', '/check/bulk', { urls: ['https://a.example/Shoes'], reference: 'October crawl' });
    await submit('other', '/check/bulk', {
      urls: Array.from({ length: 60 }, (_, n) => `https://c.example/${n}`).concat(other.url),
    });
    const queries = ['running boots', 'sandals'].map((keyword) => ({ keyword, url: 'shop.example' }));
    await submit('ranks', '/keyword-track', { queries });
    await service.call(`/batch/${ids.ranks}/rename`, { token, body: { name: 'Ränge' } });
  });

  const found = async (text: string) => {
    const { body } = await service.call(`/batches?q=${encodeURIComponent(text)}`, { token: account.token });
    return body.data.map(({ batch_id: id }: { batch_id: string }) => id);
  };

  it('finds names, references, addresses, keywords and targets, in any case', async () => {
    expect(await found('october')).to.deep.equal([ids.shoes]);
    expect(await found('RÄNGE')).to.deep.equal([ids.ranks]);
    expect(await found('a.example/shoes')).to.deep.equal([ids.shoes]);
    expect(await found('Boots')).to.deep.equal([ids.ranks]);
    expect(await found('shop.example')).to.deep.equal([ids.ranks]);
    expect(await found('https://')).to.have.members([ids.shoes, ids.other]);
  });

  it('takes the text literally, and ignores the field names of stored rows', async () => {
    expect(await found('100%_"quoted"')).to.deep.equal([ids.other]);
    expect(await found('%')).to.deep.equal([ids.other]);
    expect(await found('request_id')).to.deep.equal([]);
    expect(await found('\\')).to.deep.equal([]);
    expect((await service.call(`/batches?q=${'x'.repeat(201)}`, { token: account.token })).status).to.equal(
      422,
    );
  });

  it('finds nothing of other accounts, and shows its results on the page', async () => {
    const stranger = await service.account(0);
    expect(await findByInput(service.db, stranger.accountId, { text: 'example' })).to.deep.equal([]);
    const browser = new FormClient(service.baseUrl);
    browser.cookies.set('sonde_session', await signedIn(service, account));
    const { text } = await browser.get('/batches?q=boots');
    expect(text).to.contain(ids.ranks).and.not.to.contain(ids.shoes);
  });

  it('searches for addresses in the latest batches only', async () => {
    await sql`
      insert into batches (account_id, batch_id, type, first_request_id, total, created_at)
      select ${account.accountId}, gen_random_uuid(), 'http', 1, 1, now() + n * interval '1 second'
      from generate_series(1, ${searchedBatchesMax}) as n`.execute(service.db);
    expect(await found('a.example/shoes')).to.deep.equal([]);
    expect(await found('october')).to.deep.equal([ids.shoes]);
  });

  it('searches for names in the latest ten thousand only', async () => {
    await sql`
      insert into batches (account_id, batch_id, type, first_request_id, total, created_at)
      select ${account.accountId}, gen_random_uuid(), 'http', 1, 1, now() + n * interval '1 second'
      from generate_series(1001, 1000 + ${searchedNamesMax} - ${searchedBatchesMax} - 1) as n`.execute(
      service.db,
    );
    expect(await found('october')).to.deep.equal([]);
    expect(await found('ränge')).to.deep.equal([ids.ranks]);
  });

  it('lists those of a submission in its order, even if all were accepted at the same time', async () => {
    const { accountId } = await service.account(0);
    const submissionId = randomUUID();
    const createdAt = new Date('2026-11-01T00:00:00Z');
    const batchIds = Array.from({ length: 20 }, () => randomUUID());
    const rows = batchIds.map((batchId, place) => ({
      ...{ accountId, batchId, submissionId, createdAt, firstRequestId: 1 + place },
      ...{ type: 'http' as const, total: 1 },
    }));
    await service.db.insertInto('batches').values(rows).execute();
    const found = await listSubmission(service.db, accountId, submissionId, 15);
    expect(found.map(({ batchId }) => batchId)).to.deep.equal(batchIds.slice(0, 15));
  });
});
