import { expect } from 'chai';
import type { ChunkChecks } from '../../../checks/engine.ts';
import type { HttpChecker } from '../../../checks/http/checker.ts';
import { eventually } from '../../support/eventually.ts';
import { createTestChecker } from '../../support/target-tools.ts';
import { serve, type TestSite } from '../../support/web.ts';

describe('the connections of chunks', () => {
  let site: TestSite;
  let checker: HttpChecker;
  const sockets = new Set<object>();
  const { signal } = new AbortController();

  beforeEach(async () => {
    site = await serve((req, res) => {
      if (!sockets.has(req.socket)) req.socket.once('close', () => sockets.delete(req.socket));
      sockets.add(req.socket);
      setTimeout(() => res.end('good'), req.url === '/slow' ? 2_300 : 0);
    });
    checker = createTestChecker({ timeoutMs: 5_000 });
  });

  afterEach(() => site.close());

  const ask = async (series: ChunkChecks<'http'>, path = '/page') => {
    const url = site.url + path;
    const check = series.prepare({ url });
    const slot = await check.acquireSlot(signal);
    if (!slot) throw new Error('there was no slot');
    const outcome = await check.attempt(slot);
    expect(outcome).to.have.nested.property('answer.status', 200);
    slot.release();
  };

  it('are shared within one account only', async () => {
    const [one, another, stranger] = [1, 1, 2].map((accountId) =>
      checker.startChunk({}, { accountId, signal }),
    ) as [ChunkChecks<'http'>, ChunkChecks<'http'>, ChunkChecks<'http'>];
    await ask(one);
    await ask(another);
    expect(sockets.size).to.equal(1);
    await ask(stranger);
    expect(sockets.size).to.equal(2);
    one.close();
    await ask(another);
    expect(sockets.size).to.equal(2);
    for (const series of [one, another, stranger]) series.close();
    await eventually(async () => (sockets.size === 0 ? true : null));
  });

  it('close when idle, though the chunk continues, and not while a request is in flight', async () => {
    const series = checker.startChunk({}, { accountId: 1, signal });
    await ask(series, '/slow');
    await eventually(async () => (sockets.size === 0 ? true : null));
    await ask(series);
    expect(sockets.size).to.equal(1);
    series.close();
  });
});
