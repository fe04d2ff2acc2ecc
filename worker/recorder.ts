import { setTimeout as sleep } from 'node:timers/promises';
import type { UnbilledWork } from '../accounts/allowance.ts';
import { addUnbilled, type CheckCost, unbilledByRefund } from '../accounts/unbilled.ts';
import {
  handToSuccessor,
  type RecordResult,
  recordBatchOutcomes,
  type SuccessorJob,
} from '../batches/record.ts';
import { type Outcome, toStoredOutcome } from '../checks/outcome.ts';
import type { ChunkWork } from '../db/batches/chunks.ts';
import type { NewItem } from '../db/batches/items.ts';
import { inTransaction } from '../db/postgres/connect.ts';
import type { ChunkInput, ItemResult } from '../db/tables.ts';
import type { AnswerOf } from '../schemas/check-types.ts';
import type { WorkerContext } from './context.ts';

const flushEveryMs = 1000;
const flushAttemptsMax = 30;

interface PendingOutcome {
  item: NewItem;
  cost: CheckCost;
}

/**
 * Records the outcomes of one chunk in short transactions, one at a time, at least every second. While the database is
 * unavailable, the recorder retries for about half a minute.
 */
export class OutcomeRecorder {
  readonly #context: WorkerContext;
  readonly #work: ChunkWork;
  #pending: PendingOutcome[] = [];
  #timer: NodeJS.Timeout | null = null;
  #lastFlush: Promise<void> = Promise.resolve();
  #error: unknown = null;
  readonly #stop = new AbortController();
  /** True if the batch has ended, perhaps before these outcomes were recorded. */
  #hasEnded = false;

  constructor(context: WorkerContext, work: ChunkWork) {
    this.#context = context;
    this.#work = work;
  }

  /** Aborted when no more checks are needed: the batch has ended, or recording has failed permanently. */
  get stopSignal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Adds an outcome. `cost`: cost of all attempts at the input in this job. */
  add({ request_id: requestId, position, input }: ChunkInput, outcome: Outcome<AnswerOf>, cost: CheckCost) {
    const result: ItemResult =
      outcome.state === 'success' ? toStoredOutcome(outcome, input) : { error: outcome.error };
    const { chunkId } = this.#work;
    this.#pending.push({ item: { requestId, chunkId, position, input, result }, cost });
    this.#timer ??= setTimeout(() => this.#flushSoon(), flushEveryMs);
  }

  /** Resolves when all added outcomes are stored. */
  async flush(): Promise<void> {
    this.#flushSoon();
    await this.#lastFlush;
    if (this.#error) throw this.#error;
  }

  /**
   * Stores all added outcomes. With `rest`, hands the chunk to a successor job in the same transaction. `restCosts`:
   * costs of the inputs without an outcome. If the batch has ended, these costs are recorded as unbilled work.
   */
  async finish(rest: SuccessorJob | null, restCosts: CheckCost[]): Promise<void> {
    this.#flushSoon(rest);
    await this.flush();
    if (this.#hasEnded) await this.#recordUnbilled(addUnbilled(restCosts));
  }

  #flushSoon(rest: SuccessorJob | null = null): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const outcomes = this.#pending;
    this.#pending = [];
    if (outcomes.length === 0 && !rest) return;
    this.#lastFlush = this.#lastFlush
      .then(() => this.#write(outcomes, rest))
      .catch((error) => {
        this.#error ??= error;
        this.#stop.abort();
      });
  }

  async #write(outcomes: PendingOutcome[], rest: SuccessorJob | null): Promise<void> {
    if (this.#error) return;
    this.#context.failPoint('before_recording');
    const { isOver, inserted } = await this.#recordWithRetries(
      outcomes.map(({ item }) => item),
      rest,
    );
    if (isOver) {
      this.#hasEnded = true;
      this.#stop.abort();
    }
    if (inserted > 0) await this.#countCostOfRefunds(outcomes);
    // The batch ended earlier. All these inputs were refunded at that time.
    else if (isOver) await this.#recordUnbilled(addUnbilled(outcomes.map(({ cost }) => cost)));
  }

  async #recordWithRetries(items: NewItem[], rest: SuccessorJob | null): Promise<RecordResult> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#record(items, rest);
      } catch (error) {
        if (attempt === flushAttemptsMax) throw error;
        this.#context.log.warn('Outcomes could not be recorded yet', { ...toLogFields(this.#work), error });
        await sleep(1000, undefined, { ref: false });
      }
    }
  }

  #record(items: NewItem[], rest: SuccessorJob | null): Promise<RecordResult> {
    const { db, boss } = this.#context;
    return inTransaction(db, async (trx) => {
      const recorded = await recordBatchOutcomes(trx, this.#context, this.#work, items);
      if (recorded.isOver) this.#context.failPoint('while_finishing');
      if (rest && !recorded.isOver) await handToSuccessor(trx, boss, this.#work, rest);
      return recorded;
    });
  }

  async #countCostOfRefunds(outcomes: PendingOutcome[]): Promise<void> {
    const isInDoubt = await this.#context.http.isInDoubt();
    const unbilled = outcomes.flatMap(({ item: { input, result }, cost }) =>
      'error' in result ? [unbilledByRefund({ error: result.error, input }, cost, isInDoubt)] : [],
    );
    await this.#recordUnbilled(addUnbilled(unbilled));
  }

  async #recordUnbilled(work: UnbilledWork): Promise<void> {
    // A test's work was counted when its batch was accepted.
    if (this.#work.isTest) return;
    const { db, allowance, log } = this.#context;
    try {
      await allowance.recordUnbilled(db, this.#work.accountId, work);
    } catch (error) {
      log.warn('The cost of refunded checks could not be counted', { ...toLogFields(this.#work), error });
    }
  }
}

function toLogFields({ accountId, batchId, chunkId }: ChunkWork) {
  return { accountId, batchId, chunkId };
}
