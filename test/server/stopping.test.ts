import { Agent, request } from 'node:http';
import { expect } from 'chai';
import { deadlines } from '../../config/deadlines.ts';
import { startWeb } from '../../server/main.ts';
import { startWorker } from '../../worker/main.ts';
import { afterTest } from '../support/after-test.ts';
import { eventually } from '../support/eventually.ts';
import { captureLog } from '../support/log.ts';
import { PostgresProxy } from '../support/postgres-proxy.ts';
import { TestService } from '../support/service.ts';
import { serveHeld } from '../support/web.ts';

describe('a web process', () => {
  it('answers requests in flight when it stops, and does not wait for kept-alive connections', async () => {
    const site = await serveHeld();
    const service = await TestService.start();
    const { token } = await service.account();
    const agent = new Agent({ keepAlive: true });
    const answered = new Promise<{ status?: number; connection?: string }>((resolve, reject) => {
      const call = request(`${service.baseUrl}/api/v1/http-status`, {
        method: 'POST',
        agent,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      });
      call.once('response', (response) => {
        response.resume();
        resolve({ status: response.statusCode, connection: response.headers.connection });
      });
      call.once('error', reject);
      call.end(JSON.stringify({ url: site.url }));
    });
    await eventually(async () => (site.held() > 0 ? true : null));
    const stopping = performance.now();
    const stopped = service.stop();
    site.release();
    expect((await answered).status).to.equal(200);
    await stopped;
    // The connection would be kept for longer than a minute.
    expect(performance.now() - stopping).to.be.below(45_000);
    agent.destroy();
    await site.close();
  });

  it('listens at HOST only', async () => {
    const service = await TestService.start({ HOST: '127.0.0.1' });
    afterTest(() => service.stop());
    const statusAt = (host: string) =>
      fetch(`http://${host}:${new URL(service.baseUrl).port}/healthz`).then(
        ({ status }) => status,
        (error) => error.cause.code,
      );
    expect(await statusAt('127.0.0.1')).to.equal(200);
    expect(await statusAt('127.0.0.2')).to.equal('ECONNREFUSED');
  });

  it('names the setting when its port is taken', async () => {
    const service = await TestService.start();
    afterTest(() => service.stop());
    const port = new URL(service.baseUrl).port;
    const second = TestService.start({ PORT: port });
    const refusal = await second.then(
      async (started) => {
        await started.stop();
        return null;
      },
      (error: Error) => error.message,
    );
    expect(refusal).to.equal(`PORT is ${port}, which is not available. Example: PORT=3001`);
  });
});

describe('a process whose database does not respond', () => {
  const usual = { ...deadlines };

  // Database queries have no deadline in these tests, so only the stop ends the process.
  before(() => Object.assign(deadlines, { haltMs: 50, cutMs: 100, endMs: 200, silenceMs: 2 ** 31 - 1 }));
  after(() => Object.assign(deadlines, usual));

  for (const [kind, start] of [
    ['web', startWeb],
    ['worker', startWorker],
  ] as const)
    it(`stops as a ${kind}, and names what hung`, async () => {
      const site = await serveHeld();
      afterTest(() => site.close());
      const service = await TestService.start();
      afterTest(() => service.stop());
      const proxy = new PostgresProxy();
      afterTest(() => proxy.close());
      const { log, lines } = captureLog();
      const url = await proxy.open(service.config.database.directUrl);
      const database = { ...service.config.database, url, directUrl: url };
      const running = await start({ ...service.config, database }, log);
      const { token } = await service.account();
      const port = 'port' in running ? running.port : null;
      // The stopping process must settle this check over the stalled connection.
      const asked = port
        ? fetch(`http://127.0.0.1:${port}/api/v1/http-status`, {
            method: 'POST',
            headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
            body: JSON.stringify({ url: site.url }),
          })
        : service.call('/http-status/bulk', { token, body: { urls: [site.url] } });
      const over = asked.catch(() => {});
      await eventually(async () => (site.held() > 0 ? true : null));
      proxy.stall();
      site.release();
      await running.stop();
      await over;
      expect(lines.join('')).to.match(/did not stop in time.*"what":"connections"/);
    });
});
