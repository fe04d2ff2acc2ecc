import { expect } from 'chai';
import { readConfig } from '../../config/config.ts';
import { startWorker } from '../../worker/main.ts';
import { afterTest } from '../support/after-test.ts';
import { eventually } from '../support/eventually.ts';
import { silentLog } from '../support/log.ts';
import { useService } from '../support/service.ts';
import { useSite } from '../support/web.ts';

describe('a worker', () => {
  const service = useService();
  const site = useSite((req, res) => res.setHeader('Content-Type', 'text/html').end(pages[req.url ?? '']));
  const pages: Record<string, string> = {
    '/short': '<title>Shoes</title>'.padEnd(60 * 1024, '<p>Good.'),
    '/long': '<title>Shoes</title>'.padEnd(1024 * 1024, '<div><p>'),
  };

  it('reads long pages on a thread, so that other accounts do not wait for them', async () => {
    const { token } = await service.account(10);
    let threads = 0;
    const count = () => {
      threads += 1;
    };
    const worker = await startWorker(readConfig(service.env), silentLog);
    afterTest(() => worker.stop());
    process.on('worker', count);
    afterTest(() => process.off('worker', count));
    const check = async (path: string) => {
      const { body } = await service.call('/http-status/bulk', {
        token,
        body: { urls: [site.url + path] },
      });
      return eventually(async () => {
        const batch = await service.call(`/batch/${body.batch_id}`, { token });
        return batch.body.status === 'completed' ? threads : null;
      });
    };
    expect(await check('/short')).to.equal(0);
    expect(await check('/long')).to.equal(1);
  });
});
