import { setTimeout as sleep } from 'node:timers/promises';
import type { UnpaidWork } from '../accounts/allowance.ts';
import type { CheckCost } from '../accounts/unpaid.ts';
import { handToSuccessor, type Recorded, type Rest, record } from '../batches/record.ts';
import { keptOutcome, type Outcome } from '../checks/outcome.ts';
import type { Work } from '../db/batches/chunks.ts';
import type { ItemResult, NewItem } from '../db/batches/items.ts';
import { inTransaction } from '../db/postgres/connect.ts';
import type { ChunkInput } from '../db/tables.ts';
import type { AnswerOf } from '../schemas/check-types.ts';
import type { WorkerContext } from './context.ts';
import { ItemCosts } from './item-costs.ts';

const flushEveryMs = 1000;
const flushTriesMax = 30;

/**
 * Records the outcomes of one chunk in short transactions, at least every second, one at a time. What could
 * not be written because the database was away is written when it is back.
 */
export class Recorder {
  readonly #context: WorkerContext;
  readonly #work: Work;
  readonly #waitedMs: number;
  readonly #costs = new ItemCosts();
  #waiting: NewItem[] = [];
  #timer: NodeJS.Timeout | null = null;
  #flushing: Promise<void> = Promise.resolve();
  #error: unknown = null;
  readonly #over = new AbortController();
  /** The batch has ended, maybe before these outcomes came. */
  #hasEnded = false;

  /** `waitedMs`: how long its job had been due when it was taken up. */
  constructor(context: WorkerContext, work: Work, waitedMs: number) {
    this.#context = context;
    this.#work = work;
    this.#waitedMs = waitedMs;
  }

  /**
   * Aborted when the batch has ended, so that nothing more needs checking, or when recording failed for good.
   */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Notes what an input has cost in earlier jobs of the chunk. */
  costBefore({ request_id: requestId }: ChunkInput, cost: CheckCost): void {
    this.#costs.addBefore(requestId, cost);
  }

  /** Notes what one try has cost. */
  cost({ request_id: requestId }: ChunkInput, work: CheckCost): void {
    this.#costs.add(requestId, work);
  }

  /** Cost of an input that is not recorded yet, including earlier jobs. */
  costOf({ request_id: requestId }: ChunkInput): CheckCost {
    return this.#costs.costOf(requestId);
  }

  add(input: ChunkInput, outcome: Outcome<AnswerOf>): void {
    const { request_id: requestId, position } = input;
    const result: ItemResult =
      outcome.state === 'success' ? keptOutcome(outcome, input.input) : { error: outcome.error };
    this.#waiting.push({ requestId, chunkId: this.#work.chunkId, position, input: input.input, result });
    this.#timer ??= setTimeout(() => this.#flushSoon(), flushEveryMs);
  }

  /** Writes what is waiting; with `rest`, hands the chunk on to another job in the same transaction. */
  async finish(rest: Rest | null): Promise<void> {
    this.#flushSoon(rest);
    await this.#flushing;
    if (this.#hasEnded) await this.#spend(this.#costs.takeAll());
    if (this.#error) throw this.#error;
  }

  /** Writes what is waiting and answers when it is stored. */
  async flush(): Promise<void> {
    await this.finish(null);
  }

  #flushSoon(rest: Rest | null = null): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const outcomes = this.#waiting;
    this.#waiting = [];
    if (outcomes.length === 0 && !rest) return;
    this.#flushing = this.#flushing
      .then(() => this.#write(outcomes, rest))
      .catch((error) => {
        this.#error ??= error;
        this.#over.abort();
      });
  }

  async #write(outcomes: NewItem[], rest: Rest | null): Promise<void> {
    if (this.#error) return;
    this.#context.failPoint('before_recording');
    for (let tries = 1; ; tries++) {
      try {
        const { isOver, inserted } = await this.#record(outcomes, rest);
        this.#hasEnded ||= isOver;
        if (isOver) this.#over.abort();
        // What found its batch ended was refunded then, whatever has become of it since.
        if (inserted > 0) await this.#spendRefunded(outcomes);
        return;
      } catch (error) {
        if (tries === flushTriesMax) throw error;
        this.#context.log.warn('Outcomes could not be recorded yet', { ...idsOf(this.#work), error });
        await sleep(1000, undefined, { ref: false });
      }
    }
  }

  async #spendRefunded(outcomes: NewItem[]): Promise<void> {
    const isInDoubt = await this.#context.http.isInDoubt();
    await this.#spend(this.#costs.takeRefunded(outcomes, isInDoubt));
  }

  async #spend(work: UnpaidWork): Promise<void> {
    // Of a test all was counted when it was accepted.
    if (this.#work.isTest) return;
    const { allowance, log } = this.#context;
    try {
      await allowance.spend(this.#work.accountId, work);
    } catch (error) {
      log.warn('What refunded checks have cost could not be counted', { ...idsOf(this.#work), error });
    }
  }

  #record(outcomes: NewItem[], rest: Rest | null): Promise<Recorded> {
    const { db, boss } = this.#context;
    const waitedMs = this.#waitedMs;
    return inTransaction(db, async (trx) => {
      const recorded = await record(trx, this.#context, this.#work, outcomes, { waitedMs });
      if (recorded.isOver) this.#context.failPoint('while_finishing');
      if (rest && !recorded.isOver) await handToSuccessor(trx, boss, this.#work, rest, waitedMs);
      return recorded;
    });
  }
}

function idsOf({ accountId, batchId, chunkId }: Work) {
  return { accountId, batchId, chunkId };
}
