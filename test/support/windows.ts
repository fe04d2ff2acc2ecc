import { expect } from 'chai';
import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import { type Allowance, createAllowance, uncountedAllowance } from '../../accounts/allowance.ts';
import { cancelBatch } from '../../batches/cancel.ts';
import { recordBatchOutcomes } from '../../batches/record.ts';
import * as singleCheck from '../../batches/single-check.ts';
import type { BatchRef, BatchRow } from '../../db/batches/batches.ts';
import * as chunks from '../../db/batches/chunks.ts';
import * as items from '../../db/batches/items.ts';
import type { SingleCheck } from '../../db/batches/single-checks.ts';
import { verify } from '../../db/ledger/verification.ts';
import { inTransaction, type Trx } from '../../db/postgres/connect.ts';
import type { AnswerOf } from '../../schemas/check-types.ts';
import { type SweepResult, sweepOrphans } from '../../upkeep/sweep.ts';
import { accept } from './accept.ts';
import { createTestBoss } from './boss.ts';
import { borrowRecords, type Records } from './records.ts';

export interface QueuedChunk extends chunks.ChunkRef {
  jobId: string;
}

/** Accounts with batches of index checks, ten URLs a chunk, and operations on them as processes do. */
export class TestWindows {
  readonly records: Records;
  readonly boss: PgBoss;
  readonly #allowance: Allowance;
  /** The first request id of the next batch. */
  nextId = 1;

  private constructor(records: Records, boss: PgBoss) {
    this.records = records;
    this.boss = boss;
    this.#allowance = createAllowance(records.db, { isOff: true });
  }

  static async open({ connections = 14 } = {}): Promise<TestWindows> {
    const records = await borrowRecords(connections);
    const boss = createTestBoss({ url: records.url, backend: 'postgres', max: 2, role: 'web' });
    boss.on('error', () => {});
    await boss.start();
    return new TestWindows(records, boss);
  }

  async close(): Promise<void> {
    await this.boss.stop({ graceful: false });
    await this.records.giveBack();
  }

  async submit(accountId: number, count: number): Promise<BatchRef> {
    const inputs = Array.from({ length: count }, (_, position) => ({
      position,
      input: { url: `https://a.example/${position}` },
    }));
    const rest = { options: {}, reference: null, skipped: [], duplicates: 0, webhookUrl: null };
    const requestIds = {
      reserve: async (count: number) => {
        this.nextId += count;
        return this.nextId - count;
      },
    };
    const deps = { db: this.records.db, boss: this.boss, requestIds, allowance: this.#allowance };
    const [accepted] = await accept(deps, [{ accountId, type: 'index', inputs, ...rest }]);
    return { accountId, batchId: String(accepted?.batchId) };
  }

  /** Begins a single check with this request id. */
  async beginSingle(accountId: number, requestId: number): Promise<SingleCheck> {
    const check = { accountId, requestId, type: 'http' as const, input: { url: 'https://a.example/' } };
    await inTransaction(this.records.db, (trx) => singleCheck.beginCheck(trx, {}, check));
    return check;
  }

  cancel(ref: BatchRef): Promise<BatchRow> {
    const deps = { boss: this.boss, allowance: uncountedAllowance };
    return inTransaction(this.records.db, (trx) => cancelBatch(trx, deps, ref));
  }

  sweep(): Promise<SweepResult> {
    return sweepOrphans(this.records.db, this.boss, (error) => {
      throw error;
    });
  }

  /** Answers all items of a chunk. `last` runs at the end of the transaction. */
  settle(ref: chunks.ChunkRef, last = async (_trx: Trx) => {}): Promise<void> {
    return inTransaction(this.records.db, async (trx) => {
      const till = { boss: this.boss, allowance: uncountedAllowance };
      await recordBatchOutcomes(trx, till, ref, await createAnswers(trx, ref));
      await last(trx);
    });
  }

  /** Leaves the job window one short, as after a crash of a cluster's coordinator. */
  async settleWithoutSuccessor(ref: chunks.ChunkRef): Promise<void> {
    await inTransaction(this.records.db, async (trx) => {
      await items.recordOutcomes(trx, ref, await createAnswers(trx, ref));
    });
  }

  /** Returns the number of jobs of an account that wait for a worker. */
  async jobsOf(accountId: number): Promise<number> {
    const { rows } = await sql<{ jobs: number }>`
      select count(*) as jobs from pgboss.job
      where group_id = ${String(accountId)} and state::text in ('created', 'retry')`.execute(this.records.db);
    return rows[0]?.jobs ?? 0;
  }

  /** Returns the chunks of an account that have a job, oldest first. */
  async queuedOf(accountId: number): Promise<QueuedChunk[]> {
    const { rows } = await sql<QueuedChunk>`
      select account_id, batch_id, chunk_id, job_id from chunks
      where account_id = ${accountId} and job_id is not null and settled < size
      order by chunk_id`.execute(this.records.db);
    return rows;
  }

  /** Returns the number of chunks without a job. */
  async waitingOf(accountId: number): Promise<number> {
    const { rows } = await sql<{ chunks: number }>`
      select count(*) as chunks from chunks
      where account_id = ${accountId} and job_id is null and settled < size`.execute(this.records.db);
    return rows[0]?.chunks ?? 0;
  }

  /** Checks that all jobs of chunks exist, and that the ledger adds up. */
  async expectConsistent(accountId: number): Promise<void> {
    const { rows } = await sql<{ jobs: number }>`
      with queued as materialized (
        select job_id from chunks where account_id = ${accountId} and job_id is not null and settled < size)
      select count(*) as jobs from queued join pgboss.job on job.id = job_id`.execute(this.records.db);
    expect(rows[0]?.jobs, 'jobs').to.equal((await this.queuedOf(accountId)).length);
    expect((await verify(this.records.db)).faults).to.deep.equal([]);
  }
}

/** Returns answers for all open items. Failures would lock the account for the refund. */
async function createAnswers(trx: Trx, ref: chunks.ChunkRef): Promise<items.NewItem[]> {
  const outcome = { is_indexed: true } as AnswerOf<'index'>;
  const open = await chunks.listUnsettledOfChunk(trx, ref);
  return open.map(({ request_id: requestId, chunkId, position, input }) => {
    return { requestId, chunkId, position, input, result: { outcome, tally: [] } };
  });
}
