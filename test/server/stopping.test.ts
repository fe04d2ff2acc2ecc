import { Agent, request } from 'node:http';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { TestService } from '../support/service.ts';
import { serveHeld } from '../support/web.ts';

describe('a web process that stops', () => {
  it('answers what is in flight, and does not wait for the connection it came by', async () => {
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
    site.letGo();
    expect((await answered).status).to.equal(200);
    await stopped;
    // The connection would be kept for longer than a minute.
    expect(performance.now() - stopping).to.be.below(45_000);
    agent.destroy();
    await site.close();
  });

  it('says which setting is wrong when its port is taken', async () => {
    const service = await TestService.start();
    try {
      const port = new URL(service.baseUrl).port;
      const second = TestService.start({ PORT: port });
      const refusal = await second.then(
        async (started) => {
          await started.stop();
          return null;
        },
        (error: Error) => error.message,
      );
      expect(refusal).to.equal(`PORT is ${port}, which is not free, for example PORT=3001`);
    } finally {
      await service.stop();
    }
  });
});
