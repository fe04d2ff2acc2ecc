import { setTimeout as sleep } from 'node:timers/promises';
import type { UnbilledWork } from '../accounts/allowance.ts';
import { type CheckCost, sumOf, unbilledByRefund } from '../accounts/unbilled.ts';
import { handToSuccessor, type Recorded, type Rest, record } from '../batches/record.ts';
import { keptOutcome, type Outcome } from '../checks/outcome.ts';
import type { Work } from '../db/batches/chunks.ts';
import type { ItemResult, NewItem } from '../db/batches/items.ts';
import { inTransaction } from '../db/postgres/connect.ts';
import type { ChunkInput } from '../db/tables.ts';
import type { AnswerOf } from '../schemas/check-types.ts';
import type { WorkerContext } from './context.ts';

const flushEveryMs = 1000;
const flushTriesMax = 30;

interface Settled {
  item: NewItem;
  cost: CheckCost;
}

/**
 * Records the outcomes of one chunk in short transactions, at least every second, one at a time. Outcomes that could
 * not be written while the database was away are written when it is back.
 */
export class Recorder {
  readonly #context: WorkerContext;
  readonly #work: Work;
  #waiting: Settled[] = [];
  #timer: NodeJS.Timeout | null = null;
  #flushing: Promise<void> = Promise.resolve();
  #error: unknown = null;
  readonly #over = new AbortController();
  /** The batch has ended, maybe before these outcomes came. */
  #hasEnded = false;

  constructor(context: WorkerContext, work: Work) {
    this.#context = context;
    this.#work = work;
  }

  /** Aborted when nothing more needs checking: the batch has ended, or recording has failed for good. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** `cost`: of all tries of the input in this job. */
  add({ request_id: requestId, position, input }: ChunkInput, outcome: Outcome<AnswerOf>, cost: CheckCost) {
    const result: ItemResult =
      outcome.state === 'success' ? keptOutcome(outcome, input) : { error: outcome.error };
    const { chunkId } = this.#work;
    this.#waiting.push({ item: { requestId, chunkId, position, input, result }, cost });
    this.#timer ??= setTimeout(() => this.#flushSoon(), flushEveryMs);
  }

  /** Writes what is waiting, and resolves when it is stored. */
  async flush(): Promise<void> {
    this.#flushSoon();
    await this.#flushing;
    if (this.#error) throw this.#error;
  }

  /**
   * Writes what is waiting. With `rest`, hands the chunk to another job in the same transaction. `restCosts`: of inputs
   * without an outcome, which nobody pays for if the batch has ended.
   */
  async finish(rest: Rest | null, restCosts: CheckCost[]): Promise<void> {
    this.#flushSoon(rest);
    await this.flush();
    if (this.#hasEnded) await this.#recordUnbilled(sumOf(restCosts));
  }

  #flushSoon(rest: Rest | null = null): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const settled = this.#waiting;
    this.#waiting = [];
    if (settled.length === 0 && !rest) return;
    this.#flushing = this.#flushing
      .then(() => this.#write(settled, rest))
      .catch((error) => {
        this.#error ??= error;
        this.#over.abort();
      });
  }

  async #write(settled: Settled[], rest: Rest | null): Promise<void> {
    if (this.#error) return;
    this.#context.failPoint('before_recording');
    const { isOver, inserted } = await this.#recordWithRetries(
      settled.map(({ item }) => item),
      rest,
    );
    if (isOver) {
      this.#hasEnded = true;
      this.#over.abort();
    }
    if (inserted > 0) await this.#recordRefunded(settled);
    // All of them were refunded when the batch ended.
    else if (isOver) await this.#recordUnbilled(sumOf(settled.map(({ cost }) => cost)));
  }

  async #recordWithRetries(items: NewItem[], rest: Rest | null): Promise<Recorded> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#record(items, rest);
      } catch (error) {
        if (tries === flushTriesMax) throw error;
        this.#context.log.warn('Outcomes could not be recorded yet', { ...idsOf(this.#work), error });
        await sleep(1000, undefined, { ref: false });
      }
    }
  }

  #record(items: NewItem[], rest: Rest | null): Promise<Recorded> {
    const { db, boss } = this.#context;
    return inTransaction(db, async (trx) => {
      const recorded = await record(trx, this.#context, this.#work, items);
      if (recorded.isOver) this.#context.failPoint('while_finishing');
      if (rest && !recorded.isOver) await handToSuccessor(trx, boss, this.#work, rest);
      return recorded;
    });
  }

  async #recordRefunded(settled: Settled[]): Promise<void> {
    const isInDoubt = await this.#context.http.isInDoubt();
    const unbilled = settled.flatMap(({ item: { input, result }, cost }) =>
      'error' in result ? [unbilledByRefund({ error: result.error, input }, cost, isInDoubt)] : [],
    );
    await this.#recordUnbilled(sumOf(unbilled));
  }

  async #recordUnbilled(work: UnbilledWork): Promise<void> {
    // The work of a test was counted when the batch was accepted.
    if (this.#work.isTest) return;
    const { db, allowance, log } = this.#context;
    try {
      await allowance.recordUnbilled(db, this.#work.accountId, work);
    } catch (error) {
      log.warn('What refunded checks have cost could not be counted', { ...idsOf(this.#work), error });
    }
  }
}

function idsOf({ accountId, batchId, chunkId }: Work) {
  return { accountId, batchId, chunkId };
}
