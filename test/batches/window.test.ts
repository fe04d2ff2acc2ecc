import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { handToSuccessor } from '../../batches/record.ts';
import * as chunks from '../../db/batches/chunks.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { countWork } from '../../db/queue/job-windows.ts';
import type { ChunkPayload } from '../../db/queue/queue.ts';
import { untilWaiting } from '../support/locks.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { type QueuedChunk, TestWindows } from '../support/windows.ts';

describe('the job window of an account', () => {
  let windows: TestWindows;

  before(async () => {
    windows = await TestWindows.open();
  });

  after(() => windows.close());

  /** Leases every chunk that is not paused, and pauses it for a minute. */
  const pauseAll = async (accountId: number) => {
    const { db } = windows.records;
    for (const chunk of await windows.queuedOf(accountId)) {
      const work = (await chunks.begin(db, chunk, chunk.jobId)) as chunks.ChunkWork;
      const pause = { nextJobId: randomUUID(), startAfterSeconds: 60, waitingFor: null };
      await inTransaction(db, (trx) => handToSuccessor(trx, windows.boss, work, pause));
    }
  };

  it('has twenty jobs for two thousand URLs, and no more for ten thousand chunks', async () => {
    const accountId = await windows.records.account(100_000);
    for (let batch = 0; batch < 50; batch++) {
      await windows.submit(accountId, 2000);
      expect(await windows.jobsOf(accountId)).to.equal(20);
    }
    const { chunksEnqueued, chunksReenqueued } = await windows.sweep();
    expect({ chunksEnqueued, chunksReenqueued }).to.deep.equal({ chunksEnqueued: 0, chunksReenqueued: 0 });
    expect(await windows.waitingOf(accountId)).to.equal(9980);
    expect(await countWork(windows.records.db)).to.deep.equal([
      { queue: 'index-checks', state: 'created', jobs: 20 },
      { queue: 'index-checks', state: 'waiting', jobs: 9980 },
    ]);
  });

  itOnOneServer('is never exceeded, also when two chunks end at once', async () => {
    const accountId = await windows.records.account(4000);
    for (let batch = 0; batch < 20; batch++) await windows.submit(accountId, 30);
    const [left, ...queued] = await windows.queuedOf(accountId);
    // The window is one job short, so that it has room for the next chunk of either batch.
    await windows.settleWithoutSuccessor(left as chunks.ChunkRef);
    const first = queued[2] as chunks.ChunkRef;
    const second = queued.find(({ batchId }) => batchId !== first.batchId) as chunks.ChunkRef;
    const [ended, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ending = windows.settle(first, () => {
      ended.resolve();
      return released.promise;
    });
    await Promise.race([ended.promise, ending]);
    const alsoEnding = windows.settle(second);
    await Promise.race([alsoEnding, untilWaiting(windows.records.db, 1)]).finally(released.resolve);
    await Promise.all([ending, alsoEnding]);
    expect(await windows.queuedOf(accountId)).to.have.length(20);
    await windows.expectConsistent(accountId);
  });

  it('grows by one for each paused chunk, up to a hundred jobs in all', async () => {
    const accountId = await windows.records.account(2000);
    await windows.submit(accountId, 2000);
    const { db } = windows.records;
    const [paused] = await windows.queuedOf(accountId);
    const stale = (await chunks.begin(
      db,
      paused as chunks.ChunkRef,
      String(paused?.jobId),
    )) as chunks.ChunkWork;
    await pauseAll(accountId);
    expect(await windows.queuedOf(accountId)).to.have.length(40);
    // At this point, another job holds the chunk.
    const pause = { nextJobId: randomUUID(), startAfterSeconds: 60, waitingFor: null };
    await inTransaction(db, (trx) => handToSuccessor(trx, windows.boss, stale, pause));
    expect(await windows.queuedOf(accountId)).to.have.length(40);
    // A next chunk that starts at once does not enlarge the window.
    const { nextJobId } = pause;
    const last = (await windows.queuedOf(accountId)).at(-1) as QueuedChunk;
    const work = (await chunks.begin(db, last, last.jobId)) as chunks.ChunkWork;
    const atOnce = { nextJobId, startAfterSeconds: 0, waitingFor: null };
    await inTransaction(db, (trx) => handToSuccessor(trx, windows.boss, work, atOnce));
    expect(await windows.queuedOf(accountId)).to.have.length(40);
    for (let round = 0; round < 3; round++) await pauseAll(accountId);
    await windows.sweep();
    expect(await windows.queuedOf(accountId)).to.have.length(100);
    // Chunks count again when their pause is over.
    await sql`update chunks set paused_until = now() where account_id = ${accountId}
      and paused_until is not null`.execute(db);
    await windows.settle((await windows.queuedOf(accountId))[0] as chunks.ChunkRef);
    expect(await windows.queuedOf(accountId)).to.have.length(99);
    await windows.expectConsistent(accountId);
  });

  it('gets one job for each chunk that ends, until the last', async () => {
    const accountId = await windows.records.account(1000);
    await windows.submit(accountId, 1000);
    for (let ended = 0; ended < 100; ended++) {
      const queued = await windows.queuedOf(accountId);
      expect(queued.length).to.equal(Math.min(20, 100 - ended));
      await windows.settle(queued[0] as chunks.ChunkRef);
    }
    expect(await windows.queuedOf(accountId)).to.deep.equal([]);
  });

  it('loses nothing if a process dies between the end of a chunk and the next job', async () => {
    const accountId = await windows.records.account(500);
    await windows.submit(accountId, 500);
    const before = await windows.queuedOf(accountId);
    const dies = windows.settle(before[0] as chunks.ChunkRef, async (trx) => {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx);
    });
    expect(await dies.catch((error: Error) => error)).to.be.instanceOf(Error);
    expect(await windows.queuedOf(accountId)).to.deep.equal(before);
    expect(await windows.waitingOf(accountId)).to.equal(30);
    await windows.settle(before[0] as chunks.ChunkRef);
    expect(await windows.waitingOf(accountId)).to.equal(29);
    await windows.expectConsistent(accountId);
  });

  // Otherwise, nothing would enqueue a batch that is accepted while the last chunks end.
  itOnOneServer(
    'is counted after the end of a chunk, also for a batch that is accepted meanwhile',
    async () => {
      const accountId = await windows.records.account(500);
      for (let batch = 0; batch < 20; batch++) await windows.submit(accountId, 10);
      const [first] = await windows.queuedOf(accountId);
      const [ended, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const ending = windows.settle(first as chunks.ChunkRef, () => {
        ended.resolve();
        return released.promise;
      });
      await Promise.race([ended.promise, ending]);
      const accepting = windows.submit(accountId, 200);
      const isBlocked = untilWaiting(windows.records.db, 1);
      expect(await Promise.race([accepting, isBlocked]).finally(released.resolve)).to.equal(true);
      await Promise.all([accepting, ending]);
      expect(await windows.queuedOf(accountId)).to.have.length(20);
      await windows.expectConsistent(accountId);
    },
  );

  it('continues with another batch when a mostly waiting one is canceled', async () => {
    const accountId = await windows.records.account(1000);
    const canceled = await windows.submit(accountId, 500);
    const other = await windows.submit(accountId, 500);
    const { status, failed } = await windows.cancel(canceled);
    expect({ status, failed }).to.deep.equal({ status: 'failed', failed: 500 });
    const queued = await windows.queuedOf(accountId);
    expect(queued).to.have.length(20);
    expect(new Set(queued.map(({ batchId }) => batchId))).to.deep.equal(new Set([other.batchId]));
    expect(await windows.waitingOf(accountId)).to.equal(30);
    await windows.expectConsistent(accountId);
  });

  it('limits the wait of another account', async () => {
    const [greedy, stranger] = [await windows.records.account(4000), await windows.records.account(10)];
    for (let batch = 0; batch < 2; batch++) await windows.submit(greedy, 2000);
    const before = await windows.queuedOf(greedy);
    const mine = await windows.submit(stranger, 10);
    for (const chunk of before) await windows.settle(chunk);
    await sql`delete from pgboss.job where id = any(${before.map(({ jobId }) => jobId)}::uuid[])
      or group_id <> all(${[greedy, stranger].map(String)}::text[])`.execute(windows.records.db);
    expect(await windows.jobsOf(greedy)).to.equal(20);
    const [next] = await windows.boss.fetch<ChunkPayload>('index-checks');
    expect(next?.data.batch_id).to.equal(mine.batchId);
  });
});
