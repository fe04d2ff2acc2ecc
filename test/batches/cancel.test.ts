import { expect } from 'chai';
import { TestService } from '../support/service.ts';

describe('a canceled batch', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });

  after(() => service.stop());

  it('leaves nothing in the history', async () => {
    const { token, accountId } = await service.account(10);
    const urls = ['https://example.com/', 'https://example.org/'];
    const { body } = await service.call('/check/bulk', { token, body: { urls } });
    await service.call(`/batch/${body.batch_id}/cancel`, { token, method: 'POST' });
    const kept = await service.db
      .selectFrom('history')
      .selectAll()
      .where('accountId', '=', accountId)
      .execute();
    expect(kept).to.deep.equal([]);
    expect(await service.credits(accountId)).to.equal(10);
  });
});
