import { expect } from 'chai';
import { visit } from '../../../support/dashboard.ts';
import { useAccount, useService } from '../../../support/service.ts';

describe('a test token in the dashboard', () => {
  const service = useService({}, { worker: true });
  const account = useAccount(service, 10);

  it('is created there, and its checks have their own page with a mark', async () => {
    const browser = await visit(service, account);
    await browser.post('/tokens', { name: 'by hand', is_test: 'on' });
    const { text } = await browser.get('/tokens');
    const [token = ''] = /sonde_test_[A-Za-z0-9]{20,}/.exec(text) ?? [];
    const urls = ['https://unreachable.example/', 'https://silent.example/'];
    for (const one of [token, account.token]) await service.runBatch(one, '/check/bulk', { urls });
    const rows = await service.db.selectFrom('batches').select(['batchId', 'isTest']).execute();
    const [live, tests] = [
      (await browser.get('/batches')).text,
      (await browser.get('/batches?kind=test')).text,
    ];
    for (const { batchId, isTest } of rows) {
      expect([live.includes(batchId), tests.includes(batchId)], batchId).to.deep.equal([!isTest, isTest]);
    }
    const of = rows.find(({ isTest }) => isTest)?.batchId;
    const page = (await browser.get(`/batches/${of}`)).text;
    expect(page).to.include('Simulated answers, not charged').and.to.include('0 credits charged');
  });
});
