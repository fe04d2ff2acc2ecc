import { randomUUID } from 'node:crypto';
import type { JobWithMetadata } from 'pg-boss';
import { type CheckCost, costOfTry } from '../../accounts/unpaid.ts';
import { type Series, seriesOf } from '../../checks/engine.ts';
import type { CheckSlot } from '../../checks/http/slots.ts';
import type { Cost, Failed, Outcome } from '../../checks/outcome.ts';
import { deadlines } from '../../config/deadlines.ts';
import * as chunks from '../../db/batches/chunks.ts';
import { type ChunkPayload, queueOf } from '../../db/queue/queue.ts';
import type { AnswerOf } from '../../schemas/check-types.ts';
import type { ItemError } from '../../schemas/failures.ts';
import type { WorkerContext } from '../context.ts';
import { Recorder } from '../recorder.ts';
import { decide } from '../retry-policy.ts';

/** From this redelivery on, one item at a time: the one that kills the process is to cost itself alone. */
const carefulFromRetry = 2;
const deathsMax = 2;
/** Of all jobs before, a whole check's worth: who is sent to a full host again and again need not pay for the wait. */
const rememberedSecondsMax = 20;

/**
 * Checks what a chunk has left to check, records it, and gives what it did not come to to a successor job. Throwing is
 * how it asks for another try.
 */
export async function checkChunk(context: WorkerContext, job: JobWithMetadata<ChunkPayload>): Promise<void> {
  const { account_id: accountId, batch_id: batchId, chunk_id: chunkId } = job.data;
  const work = await chunks.begin(context.db, { accountId, batchId, chunkId }, job.id);
  if (!work) return;
  await context.serving.note(queueOf(work.type), work.turn);
  const run = new ChunkRun(context, work, job);
  await (job.retryCount >= carefulFromRetry ? run.oneByOne() : run.allAtOnce());
  context.failPoint('before_completion');
}

class ChunkRun {
  readonly #context: WorkerContext;
  readonly #work: chunks.Work;
  readonly #recorder: Recorder;
  readonly #series: Series;
  /** Aborted when nothing more is to be started. */
  readonly #mayNotStart: AbortSignal;
  /** Aborted when what is in flight is to give up. */
  readonly #halt: AbortSignal;
  /** Aborted when the claim on the job was lost: somebody else has the chunk now. */
  readonly #claim: AbortSignal;
  readonly #forgetBatch: () => void;
  readonly #rest = new Set<chunks.ChunkInput>();
  #isCareful = false;
  /** How long the rest is to wait. */
  #restSeconds = 0;
  /** The failure that the rest waits to be over; null when it waits for something else, or not at all. */
  #waitingFor: ItemError | null = null;

  constructor(context: WorkerContext, work: chunks.Work, job: JobWithMetadata<ChunkPayload>) {
    const { signal: claim, startedOn, startAfter: dueAt } = job;
    this.#context = context;
    this.#work = work;
    this.#recorder = new Recorder(context, work, startedOn.getTime() - dueAt.getTime());
    this.#claim = claim;
    for (const input of work.inputs) {
      const { pages: upstreamPages = 0, seconds: slotSeconds = 0 } = this.#triesOf(input);
      this.#recorder.costBefore(input, { upstreamPages, slotSeconds });
    }
    const { ended, forget } = context.endedBatches.watch(work);
    this.#forgetBatch = forget;
    this.#halt = AbortSignal.any([context.halting, claim, this.#recorder.over, ended]);
    // So that fifty addresses of a silent host never outlast a job.
    const timeIsUp = AbortSignal.timeout(deadlines.sliceMs);
    this.#mayNotStart = AbortSignal.any([context.stopping, this.#halt, timeIsUp]);
    const { accountId } = work;
    const { engines } = work.isTest ? context.invented : context;
    this.#series = seriesOf(engines, work, { accountId, signal: this.#halt });
  }

  async allAtOnce(): Promise<void> {
    await this.#run(() => Promise.all(this.#work.inputs.map((input) => this.#settle(input))));
  }

  /** An input that was in flight at two deaths of a process is given up; those not suspected come first. */
  async oneByOne(): Promise<void> {
    this.#isCareful = true;
    const deaths = (input: chunks.ChunkInput) => this.#triesOf(input).deaths ?? 0;
    const ordered = this.#work.inputs.toSorted((a, b) => deaths(a) - deaths(b));
    await this.#run(async () => {
      for (const input of ordered) {
        if (deaths(input) >= deathsMax) this.#recorder.add(input, gaveUp);
        else await this.#settle(input);
        await this.#recorder.flush();
      }
    });
  }

  async #run(checkAll: () => Promise<unknown>): Promise<void> {
    try {
      await checkAll();
    } finally {
      this.#forgetBatch();
      this.#series.close();
    }
    for (const input of this.#rest) this.#rememberCost(input);
    const rest =
      this.#rest.size > 0 && !this.#claim.aborted
        ? { nextJobId: randomUUID(), startAfterSeconds: this.#restSeconds, waitingFor: this.#waitingFor }
        : null;
    await this.#recorder.finish(rest);
  }

  /** Tries an input until there is something to record, or until its time is up. */
  async #settle(input: chunks.ChunkInput): Promise<void> {
    while (true) {
      const outcome = await this.#try(input);
      if (outcome === null) {
        this.#rest.add(input);
        return;
      }
      this.#context.failPoint('after_fetch');
      const isInDoubt = await this.#context.http.isInDoubt();
      const decision = decide(outcome, this.#triesOf(input), isInDoubt);
      this.#remember(input, decision.tries);
      if (decision.act === 'record') return this.#recorder.add(input, decision.outcome);
      if (decision.act === 'put_back') {
        this.#restSeconds = Math.max(this.#restSeconds, decision.afterSeconds);
        this.#waitingFor ??= decision.waitingFor ?? null;
        this.#rest.add(input);
        return;
      }
      if (decision.pause) this.#series.leaveAlone(input.input, decision.pause.afterSeconds);
    }
  }

  /** One try with a check slot; null when there was no time for it. */
  async #try(input: chunks.ChunkInput): Promise<Outcome<AnswerOf> | null> {
    const slot = await this.#series.enter(input.input, this.#mayNotStart);
    if (!slot) return null;
    const cost = { pages: 0 };
    const startedMs = performance.now();
    try {
      return await (this.#isCareful ? this.#checkNoted(input, slot, cost) : this.#check(input, slot, cost));
    } finally {
      slot.release();
      this.#recorder.cost(input, this.#costOfTry({ pages: cost.pages, ms: performance.now() - startedMs }));
    }
  }

  /** The seconds of a try that this process cut short by its own end are nobody's doing. */
  #costOfTry(spent: { pages: number; ms: number }): CheckCost {
    const cost = costOfTry(spent);
    return this.#context.halting.aborted ? { ...cost, slotSeconds: 0 } : cost;
  }

  async #check(input: chunks.ChunkInput, slot: CheckSlot, cost: Cost): Promise<Outcome<AnswerOf> | null> {
    try {
      return await this.#series.check(input.input, slot, cost);
    } catch (error) {
      if (this.#halt.aborted) return null;
      this.#context.log.error('A check threw', { requestId: input.request_id, error });
      return threw;
    }
  }

  /** Records a death before the check that may cause it, and removes it if the process survives. */
  async #checkNoted(
    input: chunks.ChunkInput,
    slot: CheckSlot,
    cost: Cost,
  ): Promise<Outcome<AnswerOf> | null> {
    const before = this.#triesOf(input);
    this.#remember(input, { ...before, deaths: (before.deaths ?? 0) + 1 });
    await chunks.noteTries(this.#context.db, this.#work);
    const outcome = await this.#check(input, slot, cost);
    this.#remember(input, before);
    return outcome;
  }

  #triesOf(input: chunks.ChunkInput): chunks.ItemTries {
    return this.#work.tries.get(input.request_id) ?? untried;
  }

  /** For the next job, since nobody knows yet whether an answer will pay for it. */
  #rememberCost(input: chunks.ChunkInput): void {
    const { upstreamPages: pages, slotSeconds } = this.#recorder.costOf(input);
    const seconds = Math.min(Math.round(slotSeconds), rememberedSecondsMax);
    const cost = { ...(pages > 0 && { pages }), ...(seconds > 0 && { seconds }) };
    this.#remember(input, { ...this.#triesOf(input), ...cost });
  }

  #remember(input: chunks.ChunkInput, tries: chunks.ItemTries): void {
    if (Object.keys(tries).length > 0) this.#work.tries.set(input.request_id, tries);
    else this.#work.tries.delete(input.request_id);
  }
}

const untried: chunks.ItemTries = Object.freeze({});

/** A fault in an engine must not take the other forty-nine with it. */
const threw: Failed = { state: 'failed', error: 'checker_failed', isRetryable: true };

/** The check ended the process that made it, twice. */
const gaveUp: Failed = { state: 'failed', error: 'checker_failed', isRetryable: false };
