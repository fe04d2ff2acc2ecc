import { expect } from 'chai';
import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import { type Allowance, createAllowance, uncounted } from '../../accounts/allowance.ts';
import { accept } from '../../batches/accept.ts';
import { cancel } from '../../batches/cancel.ts';
import { record } from '../../batches/record.ts';
import { perform } from '../../db/act.ts';
import type { BatchRef } from '../../db/batches.ts';
import * as chunks from '../../db/chunks.ts';
import { inTransaction, type Trx } from '../../db/connect.ts';
import type * as items from '../../db/items.ts';
import { verify } from '../../db/ledger-verify.ts';
import * as orphans from '../../db/orphans.ts';
import * as outcomes from '../../db/outcomes.ts';
import { type ChunkPayload, createBoss } from '../../db/queue.ts';
import { countWork } from '../../db/windows.ts';
import type { AnswerOf } from '../../schemas/check-types.ts';
import { sweepOrphans } from '../../upkeep/sweep.ts';
import { eventually } from '../support/eventually.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { borrowRecords, type Records } from '../support/records.ts';

describe('the window of jobs of an account', () => {
  let records: Records;
  let boss: PgBoss;
  let allowance: Allowance;
  let nextId = 1;
  const answer = { is_indexed: true } as AnswerOf<'index'>;

  before(async () => {
    records = await borrowRecords(14);
    boss = createBoss({ url: records.url, backend: 'postgres', max: 2, role: 'web' });
    boss.on('error', () => {});
    await boss.start();
    allowance = createAllowance(records.db, { isOff: true });
  });

  after(async () => {
    await boss.stop({ graceful: false });
    await records.giveBack();
  });

  const requestIds = {
    take: async (count: number) => {
      nextId += count;
      return nextId - count;
    },
  };
  const submit = async (accountId: number, count: number): Promise<BatchRef> => {
    const inputs = Array.from({ length: count }, (_, position) => ({
      position,
      input: { url: `https://a.example/${position}` },
    }));
    const rest = { options: {}, reference: null, skipped: [], duplicates: 0, webhookUrl: null };
    const accepting = accept({ boss, requestIds, allowance }, { accountId, type: 'index', inputs, ...rest });
    const { batchId } = await perform(records.db, accepting);
    return { accountId, batchId };
  };
  const jobsOf = async (accountId: number) => {
    const { rows } = await sql<{ jobs: number }>`
      select count(*) as jobs from pgboss.job
      where group_id = ${String(accountId)} and state::text in ('created', 'retry')`.execute(records.db);
    return rows[0]?.jobs ?? 0;
  };
  const queuedOf = async (accountId: number) => {
    const { rows } = await sql<chunks.ChunkRef & { jobId: string }>`
      select account_id, batch_id, chunk_id, job_id from chunks
      where account_id = ${accountId} and job_id is not null and settled < size
      order by chunk_id`.execute(records.db);
    return rows;
  };
  const waitingOf = async (accountId: number) => {
    const { rows } = await sql<{ chunks: number }>`
      select count(*) as chunks from chunks
      where account_id = ${accountId} and job_id is null and settled < size`.execute(records.db);
    return rows[0]?.chunks ?? 0;
  };
  const isHeldUp = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'into turns|queue_chunks'
        and datname = current_database()`.execute(records.db);
    return rows.length > 0 ? 'held up' : null;
  };
  const sweep = () =>
    sweepOrphans(records.db, boss, (error) => {
      throw error;
    });
  /** Answers all of a chunk; `last` comes last in the transaction. */
  const settle = (ref: chunks.ChunkRef, last = async (_trx: Trx) => {}) =>
    inTransaction(records.db, async (trx) => {
      await record(trx, { boss, allowance: uncounted }, ref, await answersOf(trx, ref));
      await last(trx);
    });
  const settleAsBefore = (ref: chunks.ChunkRef) =>
    inTransaction(records.db, async (trx) => {
      await outcomes.record(trx, ref, await answersOf(trx, ref));
    });
  const answersOf = async (db: Trx, ref: chunks.ChunkRef) => {
    const open = await chunks.unsettled(db, ref, ref.chunkId);
    // Answers and not failures: a refund would lock the account besides.
    return open.map(({ request_id: requestId, chunkId, position, input }): items.NewItem => {
      return { requestId, chunkId, position, input, result: { outcome: answer, tally: [] } };
    });
  };
  const expectWhole = async (accountId: number) => {
    const { rows } = await sql<{ jobs: number }>`
      with queued as materialized (
        select job_id from chunks where account_id = ${accountId} and job_id is not null and settled < size)
      select count(*) as jobs from queued join pgboss.job on job.id = job_id`.execute(records.db);
    expect(rows[0]?.jobs, 'every chunk that has a job has it').to.equal((await queuedOf(accountId)).length);
    expect((await verify(records.db)).faults).to.deep.equal([]);
  };

  it('is ten jobs when two thousand addresses are accepted, and no more with ten thousand chunks', async () => {
    const accountId = await records.account(100_000);
    await submit(accountId, 2000);
    expect(await jobsOf(accountId)).to.equal(10);
    for (let batch = 1; batch < 50; batch++) await submit(accountId, 2000);
    expect(await jobsOf(accountId)).to.equal(10);
    const { chunksEnqueued, chunksReenqueued } = await sweep();
    expect({ chunksEnqueued, chunksReenqueued }).to.deep.equal({ chunksEnqueued: 90, chunksReenqueued: 0 });
    expect((await sweep()).chunksEnqueued).to.equal(0);
    expect(await jobsOf(accountId)).to.equal(100);
    expect(await waitingOf(accountId)).to.equal(9900);
    expect(await countWork(records.db)).to.deep.equal([
      { queue: 'index-checks', state: 'created', jobs: 100 },
      { queue: 'index-checks', state: 'waiting', jobs: 9900 },
    ]);
  });

  itOnOneServer('is never more than full, also when two chunks end at once', async () => {
    const accountId = await records.account(4000);
    for (let batch = 0; batch < 20; batch++) await submit(accountId, 150);
    await sweep();
    const [left, ...queued] = await queuedOf(accountId);
    // As a process of before leaves it: one less than full, so that either finds room for both of its successors.
    await settleAsBefore(left as chunks.ChunkRef);
    const first = queued[20] as chunks.ChunkRef;
    const second = queued.find(({ batchId }) => batchId !== first.batchId) as chunks.ChunkRef;
    const [ended, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ending = settle(first, () => {
      ended.resolve();
      return released.promise;
    });
    await Promise.race([ended.promise, ending]);
    const alsoEnding = settle(second);
    await Promise.race([alsoEnding, eventually(isHeldUp)]).finally(released.resolve);
    await Promise.all([ending, alsoEnding]);
    expect(await queuedOf(accountId)).to.have.length(100);
    await expectWhole(accountId);
  });

  it('is worked off to the last chunk, two for each that ends until it is full', async () => {
    const accountId = await records.account(1000);
    await submit(accountId, 1000);
    let ended = 0;
    for (let queued = await queuedOf(accountId); queued.length > 0; queued = await queuedOf(accountId)) {
      expect(queued.length).to.equal(Math.min(10 + ended, 100 - ended));
      await settle(queued[0] as chunks.ChunkRef);
      ended += 1;
    }
    expect(ended).to.equal(100);
  });

  it('loses nothing to a death between the end of a chunk and its successor', async () => {
    const accountId = await records.account(500);
    await submit(accountId, 500);
    const before = await queuedOf(accountId);
    const dies = settle(before[0] as chunks.ChunkRef, async (trx) => {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx);
    });
    expect(await dies.catch((error: Error) => error)).to.be.instanceOf(Error);
    expect(await queuedOf(accountId)).to.deep.equal(before);
    expect(await waitingOf(accountId)).to.equal(40);
    await settle(before[0] as chunks.ChunkRef);
    expect(await queuedOf(accountId)).to.have.length(11);
    await expectWhole(accountId);
  });

  it('is filled by one sweep where a process of before has left no successors', async () => {
    const accountId = await records.account(500);
    await submit(accountId, 500);
    for (const chunk of await queuedOf(accountId)) await settleAsBefore(chunk);
    expect(await queuedOf(accountId)).to.deep.equal([]);
    await sweep();
    expect(await queuedOf(accountId)).to.have.length(40);
    await expectWhole(accountId);
  });

  it('takes no more while a process of before has written a job for every chunk', async () => {
    const accountId = await records.account(1110);
    await submit(accountId, 1100);
    // As one goes back to that version, too: whose job is gone gets a new one.
    await sql`
      update chunks set job_id = md5(chunk_id::text)::uuid
      where account_id = ${accountId} and job_id is null`.execute(records.db);
    expect((await sweep()).chunksReenqueued).to.equal(100);
    await submit(accountId, 10);
    const queued = await queuedOf(accountId);
    expect(queued).to.have.length(110);
    for (const chunk of queued.slice(0, 10)) await settle(chunk);
    expect(await waitingOf(accountId)).to.equal(1);
    await settle(queued[10] as chunks.ChunkRef);
    expect(await waitingOf(accountId)).to.equal(0);
    await expectWhole(accountId);
  });

  itOnOneServer('is not left empty by what is accepted while its last chunk ends', async () => {
    const accountId = await records.account(300);
    for (let batch = 0; batch < 10; batch++) await submit(accountId, 10);
    const queued = await queuedOf(accountId);
    const accepted = Promise.withResolvers<void>();
    const ending = queued.map((chunk) => settle(chunk, () => accepted.promise));
    // Begun while all ten count as queued, and held up by the first that ends.
    const accepting = submit(accountId, 200);
    const isDone = await Promise.race([accepting, eventually(isHeldUp)]).finally(accepted.resolve);
    await Promise.all([accepting, ...ending]);
    expect(isDone).to.equal('held up');
    expect((await queuedOf(accountId)).length).to.be.greaterThan(0);
    await expectWhole(accountId);
  });

  it('goes on with another batch when one is canceled that mostly waited', async () => {
    const accountId = await records.account(1000);
    const canceled = await submit(accountId, 500);
    const other = await submit(accountId, 500);
    const canceler = { db: records.db, boss, allowance: { ...allowance, ...uncounted } };
    const { status, failed } = await perform(records.db, cancel(canceler, canceled));
    expect({ status, failed }).to.deep.equal({ status: 'failed', failed: 500 });
    const queued = await queuedOf(accountId);
    expect(queued).to.have.length(20);
    expect(new Set(queued.map(({ batchId }) => batchId))).to.deep.equal(new Set([other.batchId]));
    expect(await waitingOf(accountId)).to.equal(30);
    await expectWhole(accountId);
  });

  it('leaves a chunk that waits alone, which has no job to lose', async () => {
    const accountId = await records.account(500);
    await submit(accountId, 500);
    await sql`update chunks set created_at = now() - interval '1 day'
      where account_id = ${accountId}`.execute(records.db);
    expect(await orphans.findChunks(records.db, 1000)).to.deep.equal([]);
  });

  it('does not delay a stranger, whose ten addresses are next', async () => {
    const [greedy, stranger] = [await records.account(4000), await records.account(10)];
    for (let batch = 0; batch < 2; batch++) await submit(greedy, 2000);
    await sweep();
    const begun = (await queuedOf(greedy)).slice(0, 5);
    for (const chunk of begun) {
      expect(await chunks.begin(records.db, chunk, chunk.jobId)).to.not.equal(null);
      await settle(chunk);
    }
    const mine = await submit(stranger, 10);
    await sql`delete from pgboss.job where id = any(${begun.map(({ jobId }) => jobId)}::uuid[])
      or group_id <> all(${[greedy, stranger].map(String)}::text[])`.execute(records.db);
    const [next] = await boss.fetch<ChunkPayload>('index-checks');
    expect(next?.data.batch_id).to.equal(mine.batchId);
  });
});
