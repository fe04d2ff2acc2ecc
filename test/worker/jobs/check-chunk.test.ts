import { expect } from 'chai';
import type { JobWithMetadata, PgBoss } from 'pg-boss';
import { createAllowance } from '../../../accounts/allowance.ts';
import { createEngines } from '../../../checks/engines.ts';
import { ProviderLeases } from '../../../db/provider-leases.ts';
import { type ChunkPayload, createBoss } from '../../../db/queue.ts';
import { createSecretBox } from '../../../secret-box.ts';
import { EndedBatches } from '../../../worker/ended-batches.ts';
import { checkChunk } from '../../../worker/jobs/check-chunk.ts';
import { silentLog } from '../../support/log.ts';
import { secretKey, TestService } from '../../support/service.ts';
import { serve, type TestSite } from '../../support/web.ts';

describe('a chunk that is delivered again and again', () => {
  let service: TestService;
  let boss: PgBoss;
  let site: TestSite;
  let batchId: string;
  let token: string;
  let arrived = () => {};

  before(async () => {
    site = await serve((req, res) => {
      arrived();
      setTimeout(() => res.end('here'), req.url === '/0' ? 200 : 0);
    });
    service = await TestService.start();
    boss = createBoss({ url: service.config.database.url, backend: 'postgres', max: 1, role: 'web' });
    await boss.start();
  });

  beforeEach(async () => {
    ({ token } = await service.account(4));
    const urls = [0, 1, 2, 3].map((page) => `${site.url}/${page}`);
    ({ batch_id: batchId } = (await service.call('/http-status/bulk', { token, body: { urls } })).body);
  });

  after(async () => {
    await boss.stop({ graceful: false });
    await service.stop();
    await site.close();
  });

  const chunk = () =>
    service.db.selectFrom('chunks').selectAll().where('batchId', '=', batchId).executeTakeFirstOrThrow();

  /**
   * One delivery, of so many that the chunk is checked one by one; answers what is noted of tries afterwards.
   */
  async function deliver({ stopping = new AbortController(), halting = new AbortController() } = {}) {
    const { accountId, chunkId, jobId } = await chunk();
    const gate = new ProviderLeases(service.db, service.config.providers);
    const context = {
      ...createEngines(service.config, { gate }),
      config: service.config,
      log: silentLog,
      db: service.db,
      boss,
      box: createSecretBox(secretKey),
      allowance: createAllowance(service.db, { isOff: true }),
      endedBatches: new EndedBatches(service.db),
      stopping: stopping.signal,
      halting: halting.signal,
      failPoint: () => {},
    };
    const data: ChunkPayload = { account_id: accountId, batch_id: batchId, chunk_id: chunkId };
    const job = { id: jobId, data, retryCount: 2, signal: new AbortController().signal };
    await checkChunk(context, job as JobWithMetadata<ChunkPayload>);
    return (await chunk()).tries;
  }

  async function errors(): Promise<Array<string | undefined>> {
    const batch = await service.ended(token, batchId);
    return batch.results.map(({ state, error }: { state: string; error: string }) =>
      state === 'failed' ? error : undefined,
    );
  }

  it('does not count a worker that stops in good order as killed by its pages', async () => {
    const stopping = new AbortController();
    stopping.abort();
    for (let round = 0; round < 3; round++) expect(await deliver({ stopping })).to.deep.equal({});
    for (let round = 0; round < 3; round++) {
      const halting = new AbortController();
      arrived = () => halting.abort();
      expect(await deliver({ halting })).to.deep.equal({});
    }
    arrived = () => {};
    await deliver();
    expect(await errors()).to.deep.equal([undefined, undefined, undefined, undefined]);
  });

  it('notes a page before it is checked, and gives up one that was in flight at two deaths', async () => {
    const noted: object[] = [];
    const looks: Array<Promise<unknown>> = [];
    arrived = () => looks.push(chunk().then(({ tries }) => noted.push(tries)));
    const { inputs } = await chunk();
    const [first, suspect] = inputs.map(({ request_id }) => request_id);
    const tries = JSON.stringify({ [suspect ?? 0]: { deaths: 2 } });
    await service.db.updateTable('chunks').set({ tries }).where('batchId', '=', batchId).execute();
    await deliver();
    await Promise.all(looks);
    expect(noted[0]).to.deep.equal({ [first ?? 0]: { deaths: 1 }, [suspect ?? 0]: { deaths: 2 } });
    expect(await errors()).to.deep.equal([undefined, 'checker_failed', undefined, undefined]);
  });
});
