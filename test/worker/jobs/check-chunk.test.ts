import { expect } from 'chai';
import type { JobWithMetadata, PgBoss } from 'pg-boss';
import {
  createAllowance,
  toUnits,
  type UnbilledWork,
  uncountedAllowance,
} from '../../../accounts/allowance.ts';
import { BatchEndWatcher } from '../../../batches/end-watcher.ts';
import { createEngines, type Engines } from '../../../checks/engines.ts';
import type { CheckSlot } from '../../../checks/http/slots.ts';
import { ProviderLeases } from '../../../db/providers/provider-leases.ts';
import type { ChunkPayload } from '../../../db/queue/queue.ts';
import { createSecretBox } from '../../../process/secret-box.ts';
import { checkChunk } from '../../../worker/jobs/check-chunk.ts';
import { silentLog } from '../../support/log.ts';
import { secretKey, useService } from '../../support/service.ts';
import { runPageTask } from '../../support/target-tools.ts';
import { useSite } from '../../support/web.ts';

describe('a chunk that is delivered repeatedly', () => {
  const service = useService();
  let boss: PgBoss;
  const site = useSite((req, res) => {
    arrived();
    if (req.url === '/door') return res.writeHead(302, { Location: door }).end();
    setTimeout(() => res.end('here'), req.url === '/0' ? 200 : 0);
  });
  let batchId: string;
  let token: string;
  let arrived = () => {};
  let door = '';

  before(async () => {
    boss = await service.boss();
  });

  beforeEach(async () => {
    ({ token } = await service.account(5));
    const urls = [0, 1, 2, 3].map((page) => `${site.url}/${page}`);
    ({ batch_id: batchId } = (await service.call('/http-status/bulk', { token, body: { urls } })).body);
  });

  const chunk = () =>
    service.db.selectFrom('chunks').selectAll().where('batchId', '=', batchId).executeTakeFirstOrThrow();

  const createTestEngines = (checks: Partial<typeof service.config.checks>): Engines => {
    const gate = new ProviderLeases(service.db, service.config.providers);
    return createEngines(
      { ...service.config, checks: { ...service.config.checks, ...checks } },
      { gate, runPageTask },
    );
  };

  /** Runs a chunk, by default after so many crashes that its items are checked one by one. Returns the attempts. */
  async function deliver({
    stopping = new AbortController(),
    halting = new AbortController(),
    engines = createTestEngines({}),
    recordUnbilled = uncountedAllowance.recordUnbilled,
    retryCount = 2,
  } = {}) {
    const { accountId, chunkId, jobId } = await chunk();
    const context = {
      ...engines,
      config: service.config,
      log: silentLog,
      db: service.db,
      boss,
      secretBox: createSecretBox(secretKey),
      mail: 'off' as const,
      allowance: { ...createAllowance(service.db, { isOff: true }), recordUnbilled },
      requestIds: { reserve: async () => 1 },
      batchEndWatcher: new BatchEndWatcher(service.db),
      stopping: stopping.signal,
      halting: halting.signal,
      failPoint: () => {},
    };
    const data: ChunkPayload = { account_id: accountId, batch_id: batchId, chunk_id: chunkId };
    const job = { id: jobId, data, retryCount, signal: new AbortController().signal };
    await checkChunk(context, job as JobWithMetadata<ChunkPayload>);
    return (await chunk()).tries;
  }

  async function errors(): Promise<Array<string | undefined>> {
    const batch = await service.ended(token, batchId);
    return batch.results.map(({ state, error }: { state: string; error: string }) =>
      state === 'failed' ? error : undefined,
    );
  }

  it('does not count a worker that stops normally as killed by its pages', async () => {
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

  for (const [of, retryCount] of Object.entries({ 'a retried job': 2, 'its successor': 0 })) {
    it(`records a page before its check, and fails one that was in flight at two deaths, in ${of}`, async () => {
      const noted: object[] = [];
      const looks: Array<Promise<unknown>> = [];
      arrived = () => looks.push(chunk().then(({ tries }) => noted.push(tries)));
      const { inputs } = await chunk();
      const [first, suspect] = inputs.map(({ request_id }) => request_id);
      const tries = JSON.stringify({ [suspect ?? 0]: { deaths: 2 } });
      await service.db.updateTable('chunks').set({ tries }).where('batchId', '=', batchId).execute();
      await deliver({ retryCount });
      await Promise.all(looks);
      expect(noted[0]).to.deep.equal({ [first ?? 0]: { deaths: 1 }, [suspect ?? 0]: { deaths: 2 } });
      expect(await errors()).to.deep.equal([undefined, 'checker_failed', undefined, undefined]);
    });
  }

  describe('with a target that redirects to a host without a free slot', () => {
    const never = new AbortController().signal;
    const full = useSite((_req, res) => void res.end('here'));
    let engines: Engines;
    let place: CheckSlot | null;

    beforeEach(async () => {
      door = `${full.url}/`;
      engines = createTestEngines({ timeoutMs: 2000, hostConcurrency: 1 });
      const { host } = new URL(full.url);
      place = await engines.slots.acquire({ accountId: 0, host, signal: never });
      await place?.moveTo(host, ['127.0.0.1'], never);
      const body = { urls: [`${site.url}/door`] };
      batchId = (await service.call('/http-status/bulk', { token, body })).body.batch_id;
    });

    const weighed = async () => {
      let sum = 0;
      const recordUnbilled = async (_db: unknown, _accountId: number, work: UnbilledWork) => {
        sum += toUnits(work);
      };
      const [tries] = Object.values(await deliver({ engines, recordUnbilled }));
      return { tries, sum };
    };

    it('is postponed, and costs no allowance if an answer pays for it', async () => {
      const first = await weighed();
      expect(first.tries).to.include({ slotWaits: 1 });
      expect(first.sum).to.equal(0);
      place?.release();
      expect((await weighed()).sum).to.equal(0);
      expect(await errors()).to.deep.equal([undefined]);
    });

    it('is refunded if there was no slot for minutes, and the seconds of the last attempt cost allowance', async () => {
      const [input] = (await chunk()).inputs;
      const tries = JSON.stringify({ [input?.request_id ?? 0]: { slotWaits: 19 } });
      await service.db.updateTable('chunks').set({ tries }).where('batchId', '=', batchId).execute();
      const { sum } = await weighed();
      expect(await errors()).to.deep.equal(['checker_unreachable']);
      expect(sum).to.be.at.least(toUnits({ slotSeconds: 2 }));
    });
  });
});
