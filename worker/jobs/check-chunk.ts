import { randomUUID } from 'node:crypto';
import type { JobWithMetadata } from 'pg-boss';
import { type CheckCost, costOfAttempt } from '../../accounts/unbilled.ts';
import { type ChunkChecks, createChunkChecks, type PreparedCheck } from '../../checks/engine.ts';
import type { Failed, Outcome } from '../../checks/outcome.ts';
import { deadlines } from '../../config/deadlines.ts';
import * as chunks from '../../db/batches/chunks.ts';
import type { ChunkPayload } from '../../db/queue/queue.ts';
import type { AttemptCounts, ChunkInput } from '../../db/tables.ts';
import type { AnswerOf } from '../../schemas/check-types.ts';
import type { ItemError } from '../../schemas/failures.ts';
import type { WorkerContext } from '../context.ts';
import { OutcomeRecorder } from '../recorder.ts';
import { decideRetry } from '../retry-policy.ts';

/**
 * From this retry on, inputs are checked one by one, and also in successor jobs if the process crashed then. An input
 * that crashes the process then affects no other input.
 */
const carefulFromRetry = 2;
/** An input fails after this many crashes of the process while the input was checked alone. */
const deathsMax = 2;

/**
 * Checks the inputs of a chunk that have no outcome yet, and records the outcomes. Hands the remaining inputs to a
 * successor job. If this throws, the job is retried.
 */
export async function checkChunk(context: WorkerContext, job: JobWithMetadata<ChunkPayload>): Promise<void> {
  const { account_id: accountId, batch_id: batchId, chunk_id: chunkId } = job.data;
  const work = await chunks.begin(context.db, { accountId, batchId, chunkId }, job.id);
  if (!work) return;
  await new ChunkRun(context, work, job).run();
  context.failPoint('before_completion');
}

class ChunkRun {
  readonly #context: WorkerContext;
  readonly #work: chunks.ChunkWork;
  readonly #recorder: OutcomeRecorder;
  readonly #series: ChunkChecks;
  readonly #isCareful: boolean;
  /** Aborted when no more checks may start. */
  readonly #stopStarting: AbortSignal;
  /** Aborted when checks in flight must end. */
  readonly #halt: AbortSignal;
  /** Aborted when another worker has received the job. */
  readonly #claim: AbortSignal;
  readonly #stopWatching: () => void;
  /** Inputs for a successor job, with the cost of their attempts. */
  readonly #rest = new Map<ChunkInput, CheckCost>();
  #restSeconds = 0;
  /** The provider failure that delays the successor job, if any. */
  #waitingFor: ItemError | null = null;

  constructor(context: WorkerContext, work: chunks.ChunkWork, job: JobWithMetadata<ChunkPayload>) {
    const { signal: claim, retryCount } = job;
    this.#context = context;
    this.#work = work;
    this.#isCareful = retryCount >= carefulFromRetry || [...work.tries.values()].some(({ deaths }) => deaths);
    this.#recorder = new OutcomeRecorder(context, work);
    this.#claim = claim;
    const { ended, unwatch } = context.batchEndWatcher.watch(work);
    this.#stopWatching = unwatch;
    this.#halt = AbortSignal.any([context.halting, claim, this.#recorder.stopSignal, ended]);
    // The job must end before it expires, even if no host responds.
    const timeIsUp = AbortSignal.timeout(deadlines.sliceMs);
    this.#stopStarting = AbortSignal.any([context.stopping, this.#halt, timeIsUp]);
    const { engines } = work.isTest ? context.simulated : context;
    this.#series = createChunkChecks(engines, work, { accountId: work.accountId, signal: this.#halt });
  }

  async run(): Promise<void> {
    try {
      if (this.#isCareful) await this.#settleOneByOne();
      else await Promise.all(this.#work.inputs.map((input) => this.#settle(input)));
    } finally {
      this.#stopWatching();
      this.#series.close();
    }
    const rest =
      this.#rest.size > 0 && !this.#claim.aborted
        ? { nextJobId: randomUUID(), startAfterSeconds: this.#restSeconds, waitingFor: this.#waitingFor }
        : null;
    await this.#recorder.finish(rest, [...this.#rest.values()]);
  }

  /**
   * Settles inputs one by one. An input fails if the process crashed twice during its check. Inputs with fewer crashes
   * come first.
   */
  async #settleOneByOne(): Promise<void> {
    const deaths = (input: ChunkInput) => this.#getAttemptCounts(input).deaths ?? 0;
    for (const input of this.#work.inputs.toSorted((a, b) => deaths(a) - deaths(b))) {
      if (deaths(input) >= deathsMax) this.#recorder.add(input, fatal, { upstreamPages: 0, slotSeconds: 0 });
      else await this.#settle(input);
      await this.#recorder.flush();
    }
  }

  /** Attempts the check of an input until the outcome can be recorded, or leaves the input to a successor job. */
  async #settle(input: ChunkInput): Promise<void> {
    const check = this.#series.prepare(input.input);
    const cost: CheckCost = { upstreamPages: 0, slotSeconds: 0 };
    while (true) {
      const outcome = await this.#try(input, check, cost);
      if (outcome === null) {
        this.#rest.set(input, cost);
        return;
      }
      this.#context.failPoint('after_fetch');
      const isInDoubt = await this.#context.http.isInDoubt();
      const decision = decideRetry(outcome, this.#getAttemptCounts(input), isInDoubt);
      this.#setAttemptCounts(input, decision.tries);
      if (decision.action === 'record') return this.#recorder.add(input, decision.outcome, cost);
      if (decision.action === 'reschedule') {
        this.#restSeconds = Math.max(this.#restSeconds, decision.afterSeconds);
        this.#waitingFor ??= decision.waitingFor ?? null;
        this.#rest.set(input, cost);
        return;
      }
      if (decision.pause) check.pauseHost?.(decision.pause.afterSeconds);
    }
  }

  /** Makes one attempt. Returns null if no slot was free in time or the attempt was interrupted. */
  async #try(input: ChunkInput, check: PreparedCheck, cost: CheckCost): Promise<Outcome<AnswerOf> | null> {
    const slot = await check.acquireSlot(this.#stopStarting);
    if (!slot) return null;
    const tried = { pages: 0 };
    const startedMs = performance.now();
    try {
      const attempt = () => this.#check(input, () => check.attempt(slot, tried));
      return await (this.#isCareful ? this.#withDeathRecorded(input, attempt) : attempt());
    } finally {
      slot.release();
      const { upstreamPages, slotSeconds } = costOfAttempt({ ...tried, ms: performance.now() - startedMs });
      cost.upstreamPages += upstreamPages;
      // The time of an attempt that a shutdown interrupted does not count against the account.
      if (!this.#context.halting.aborted) cost.slotSeconds += slotSeconds;
    }
  }

  async #check(
    { request_id: requestId }: ChunkInput,
    attempt: () => Promise<Outcome<AnswerOf>>,
  ): Promise<Outcome<AnswerOf> | null> {
    try {
      return await attempt();
    } catch (error) {
      if (this.#halt.aborted) return null;
      this.#context.log.error('A check failed with an unexpected error', { requestId, error });
      return threw;
    }
  }

  /**
   * Increments the input's number of crashes before the attempt, and restores the number after the attempt. If the
   * process crashes, the incremented number stays.
   */
  async #withDeathRecorded<T>(input: ChunkInput, attempt: () => Promise<T>): Promise<T> {
    const before = this.#getAttemptCounts(input);
    this.#setAttemptCounts(input, { ...before, deaths: (before.deaths ?? 0) + 1 });
    await chunks.saveAttemptCounts(this.#context.db, this.#work);
    const outcome = await attempt();
    this.#setAttemptCounts(input, before);
    return outcome;
  }

  #getAttemptCounts(input: ChunkInput): AttemptCounts {
    return this.#work.tries.get(input.request_id) ?? noAttempts;
  }

  #setAttemptCounts(input: ChunkInput, tries: AttemptCounts): void {
    if (Object.keys(tries).length > 0) this.#work.tries.set(input.request_id, tries);
    else this.#work.tries.delete(input.request_id);
  }
}

const noAttempts: AttemptCounts = Object.freeze({});

/** A bug in an engine fails one input, not the whole chunk. */
const threw: Failed = { state: 'failed', error: 'checker_failed', isRetryable: true };

const fatal: Failed = { state: 'failed', error: 'checker_failed', isRetryable: false };
