import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { handToSuccessor } from '../../batches/record.ts';
import * as chunks from '../../db/batches/chunks.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { type ChunkPayload, queueOf } from '../../db/queue/queue.ts';
import * as turns from '../../db/queue/turns.ts';
import { countWork } from '../../db/queue/windows.ts';
import { eventually } from '../support/eventually.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { TestWindows } from '../support/windows.ts';

describe('the window of jobs of an account', () => {
  let windows: TestWindows;

  before(async () => {
    windows = await TestWindows.open();
  });

  after(() => windows.close());

  it('is ten jobs when two thousand addresses are accepted, and no more with ten thousand chunks', async () => {
    const accountId = await windows.records.account(100_000);
    await windows.submit(accountId, 2000);
    expect(await windows.jobsOf(accountId)).to.equal(10);
    for (let batch = 1; batch < 50; batch++) await windows.submit(accountId, 2000);
    expect(await windows.jobsOf(accountId)).to.equal(10);
    const { chunksEnqueued, chunksReenqueued } = await windows.sweep();
    expect({ chunksEnqueued, chunksReenqueued }).to.deep.equal({ chunksEnqueued: 0, chunksReenqueued: 0 });
    await windows.fill(accountId);
    await windows.fill(accountId);
    expect(await windows.jobsOf(accountId)).to.equal(100);
    expect(await windows.waitingOf(accountId)).to.equal(9900);
    expect(await countWork(windows.records.db)).to.deep.equal([
      { queue: 'index-checks', state: 'created', jobs: 100 },
      { queue: 'index-checks', state: 'waiting', jobs: 9900 },
    ]);
  });

  itOnOneServer('is never more than full, also when two chunks end at once', async () => {
    const accountId = await windows.records.account(4000);
    for (let batch = 0; batch < 20; batch++) await windows.submit(accountId, 150);
    await windows.fill(accountId);
    const [left, ...queued] = await windows.queuedOf(accountId);
    // One less than full, so that either chunk finds room for both successors.
    await windows.settleWithoutSuccessor(left as chunks.ChunkRef);
    const first = queued[20] as chunks.ChunkRef;
    const second = queued.find(({ batchId }) => batchId !== first.batchId) as chunks.ChunkRef;
    const [ended, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ending = windows.settle(first, () => {
      ended.resolve();
      return released.promise;
    });
    await Promise.race([ended.promise, ending]);
    const alsoEnding = windows.settle(second);
    await Promise.race([alsoEnding, eventually(() => windows.isHeldUp())]).finally(released.resolve);
    await Promise.all([ending, alsoEnding]);
    expect(await windows.queuedOf(accountId)).to.have.length(100);
    await windows.expectWhole(accountId);
  });

  it('grows by what is taken up promptly, and shrinks to ten jobs where they wait for many others', async () => {
    const accountId = await windows.records.account(10_000);
    for (let batch = 0; batch < 5; batch++) await windows.submit(accountId, 2000);
    const queued = () => windows.queuedOf(accountId);
    const end = async (count: number, waitedMs: number) => {
      for (const chunk of (await queued()).slice(0, count)) await windows.settle(chunk, undefined, waitedMs);
    };
    await end(8, 900);
    expect(await queued()).to.have.length(18);
    await end(5, 5_000);
    expect(await queued()).to.have.length(18);
    await end(6, 12_000);
    expect(await queued()).to.have.length(12);
    await end(6, 12_000);
    expect(await queued()).to.have.length(10);
    await end(1, 0);
    expect(await queued()).to.have.length(11);
    await windows.expectWhole(accountId);
  });

  it('goes on while all that have a job are put off', async () => {
    const accountId = await windows.records.account(1000);
    await windows.submit(accountId, 1000);
    const { db } = windows.records;
    for (const chunk of await windows.queuedOf(accountId)) {
      const work = (await chunks.begin(db, chunk, chunk.jobId)) as chunks.Work;
      const putOff = (startAfterSeconds: number) =>
        inTransaction(db, (trx) =>
          handToSuccessor(
            trx,
            windows.boss,
            work,
            { nextJobId: randomUUID(), startAfterSeconds, waitingFor: null },
            0,
          ),
        );
      await putOff(20);
      // Its place is another's by now.
      await putOff(20);
    }
    expect(await windows.queuedOf(accountId)).to.have.length(30);
    const [chunk] = (await windows.queuedOf(accountId)).slice(-1);
    const work = (await chunks.begin(db, chunk as chunks.ChunkRef, String(chunk?.jobId))) as chunks.Work;
    const goingOn = { nextJobId: randomUUID(), startAfterSeconds: 0, waitingFor: null };
    await inTransaction(db, (trx) => handToSuccessor(trx, windows.boss, work, goingOn, 0));
    expect(await windows.queuedOf(accountId)).to.have.length(30);
    await windows.expectWhole(accountId);
  });

  it('is worked off to the last chunk, two for each that ends until it is full', async () => {
    const accountId = await windows.records.account(1000);
    await windows.submit(accountId, 1000);
    let ended = 0;
    for (
      let queued = await windows.queuedOf(accountId);
      queued.length > 0;
      queued = await windows.queuedOf(accountId)
    ) {
      expect(queued.length).to.equal(Math.min(10 + ended, 100 - ended));
      await windows.settle(queued[0] as chunks.ChunkRef);
      ended += 1;
    }
    expect(ended).to.equal(100);
  });

  it('loses nothing to a death between the end of a chunk and its successor', async () => {
    const accountId = await windows.records.account(500);
    await windows.submit(accountId, 500);
    const before = await windows.queuedOf(accountId);
    const dies = windows.settle(before[0] as chunks.ChunkRef, async (trx) => {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx);
    });
    expect(await dies.catch((error: Error) => error)).to.be.instanceOf(Error);
    expect(await windows.queuedOf(accountId)).to.deep.equal(before);
    expect(await windows.waitingOf(accountId)).to.equal(40);
    await windows.settle(before[0] as chunks.ChunkRef);
    expect(await windows.queuedOf(accountId)).to.have.length(11);
    await windows.expectWhole(accountId);
  });

  itOnOneServer('is not left empty by what is accepted while its last chunk ends', async () => {
    const accountId = await windows.records.account(300);
    for (let batch = 0; batch < 10; batch++) await windows.submit(accountId, 10);
    const queued = await windows.queuedOf(accountId);
    const accepted = Promise.withResolvers<void>();
    const ending = queued.map((chunk) => windows.settle(chunk, () => accepted.promise));
    // Begun while all ten count as queued, and held up by the first that ends.
    const accepting = windows.submit(accountId, 200);
    const isDone = await Promise.race([accepting, eventually(() => windows.isHeldUp())]).finally(
      accepted.resolve,
    );
    await Promise.all([accepting, ...ending]);
    expect(isDone).to.equal('held up');
    expect((await windows.queuedOf(accountId)).length).to.be.greaterThan(0);
    await windows.expectWhole(accountId);
  });

  it('goes on with another batch when one is canceled that mostly waited', async () => {
    const accountId = await windows.records.account(1000);
    const canceled = await windows.submit(accountId, 500);
    const other = await windows.submit(accountId, 500);
    const { status, failed } = await windows.cancel(canceled);
    expect({ status, failed }).to.deep.equal({ status: 'failed', failed: 500 });
    const queued = await windows.queuedOf(accountId);
    expect(queued).to.have.length(20);
    expect(new Set(queued.map(({ batchId }) => batchId))).to.deep.equal(new Set([other.batchId]));
    expect(await windows.waitingOf(accountId)).to.equal(30);
    await windows.expectWhole(accountId);
  });

  it('does not delay a stranger, whose ten addresses are next', async () => {
    const [greedy, stranger] = [await windows.records.account(4000), await windows.records.account(10)];
    for (let batch = 0; batch < 2; batch++) await windows.submit(greedy, 2000);
    await windows.fill(greedy);
    const begun = (await windows.queuedOf(greedy)).slice(0, 5);
    for (const chunk of begun) {
      const { turn } = (await chunks.begin(windows.records.db, chunk, chunk.jobId)) as chunks.Work;
      await turns.serve(windows.records.db, queueOf('index'), turn);
      await windows.settle(chunk);
    }
    const mine = await windows.submit(stranger, 10);
    await sql`delete from pgboss.job where id = any(${begun.map(({ jobId }) => jobId)}::uuid[])
      or group_id <> all(${[greedy, stranger].map(String)}::text[])`.execute(windows.records.db);
    const [next] = await windows.boss.fetch<ChunkPayload>('index-checks');
    expect(next?.data.batch_id).to.equal(mine.batchId);
  });
});
