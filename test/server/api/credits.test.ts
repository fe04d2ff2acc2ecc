import { expect } from 'chai';
import { useService } from '../../support/service.ts';

describe('credits', () => {
  const service = useService();

  it('are a single number', async () => {
    const { token } = await service.account(42);
    expect((await service.call('/credits', { token })).text).to.equal('{"credits":42}');
  });

  it('have a ledger, newest first, in pages', async () => {
    const { token } = await service.account(42);
    for (const url of ['http://127.0.0.1:1/', 'http://127.0.0.1:1/', 'http://x.invalid/']) {
      await service.call('/http-status', { token, body: { url } });
    }
    const { body } = await service.call('/credits/ledger?per_page=3', { token });
    expect(body).to.include({ success: true, total: 4, last_page: 2, current_page: 1, per_page: 3 });
    expect(body.data.map((entry: { balance_after: number }) => entry.balance_after)).to.deep.equal([
      39, 40, 41,
    ]);
    expect(body.data[0]).to.include({ kind: 'charge', amount: -1, batch_id: null });
    expect(body.data[0].request_id).to.be.a('number');
    const second = await service.call('/credits/ledger?per_page=3&page=2', { token });
    expect(second.body.data).to.have.lengthOf(1);
    expect(second.body.data[0]).to.include({ kind: 'grant', amount: 42, balance_after: 42, note: 'test' });
  });
});
