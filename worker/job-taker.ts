import type { CommandResponse, JobWithMetadata, PgBoss } from 'pg-boss';
import { deadlines } from '../config/deadlines.ts';
import type { Log } from '../process/log.ts';
import { Places, type PlacesOptions } from '../process/places.ts';
import { JobLine } from './job-line.ts';

/** Whose job it is; the rest of a payload is its worker's affair. */
type Payload = { account_id: number; batch_id?: string; chunk_id?: number; run_id?: string };

export interface JobTakerOptions<P extends Payload> {
  boss: PgBoss;
  log: Log;
  queue: string;
  places: PlacesOptions;
  /** Where a queue's groups are not its accounts: how many jobs of one group are held at once. */
  perGroup?: number;
  /** Where jobs wait whose account may hold no more, which only groups that are accounts rule out. */
  line?: PlacesOptions;
  /** Handles a job that finds no room there, or has waited there for long: another process may have a place. */
  turnAway?(job: JobWithMetadata<P>): Promise<void>;
  /** Throwing asks for another try. The job's signal is aborted when its claim was lost. */
  work(job: JobWithMetadata<P>): Promise<void>;
}

/** A retry does not notify, so looking decides how soon a dead worker's jobs run again. */
const lookEveryMs = 1000;
const touchEveryMs = deadlines.heartbeatMs / 2;
const noLine: PlacesOptions = { limit: 0, perAccount: 0, forNewcomers: 0 };

/**
 * Takes jobs off one queue and sees them through. The queue's own workers know a limit per account, but would let few
 * accounts hold every place; here some are left to accounts that hold none, however many others there are.
 */
export class JobTaker<P extends Payload> {
  readonly #options: JobTakerOptions<P>;
  readonly #places: Places;
  readonly #line: JobLine<P>;
  readonly #claims = new Claims<P>();
  readonly #running = new Set<Promise<void>>();
  readonly #emptyLook = new EmptyLook(lookEveryMs);
  #taking: Promise<void> = Promise.resolve();
  #ring: () => void = () => {};
  #isRung = false;
  #isStopping = false;
  #heartbeat: NodeJS.Timeout | null = null;

  constructor(options: JobTakerOptions<P>) {
    this.#options = options;
    this.#places = new Places(options.places);
    this.#line = new JobLine(options.line ?? noLine);
  }

  get queue(): string {
    return this.#options.queue;
  }

  start(): void {
    this.#heartbeat = setInterval(() => void this.#tend(), touchEveryMs);
    this.#taking = this.#takeOn();
  }

  /** There may be new jobs: looks at the queue at once, instead of in up to a second. */
  wake(): void {
    this.#emptyLook.forget();
    this.#goOn();
  }

  /**
   * Takes no more, gives back what waits, and waits for what is under way; what is not done after so long is given to
   * another process.
   */
  async stop(withinMs: number): Promise<void> {
    this.#isStopping = true;
    this.wake();
    let timer: NodeJS.Timeout | undefined;
    const timeIsUp = new Promise((resolve) => {
      timer = setTimeout(resolve, withinMs);
    });
    const isDone = this.#taking.then(async () => {
      const waiting = this.#line.waitingFor(0);
      await Promise.all([...this.#running, ...waiting.map((job) => this.#giveUp(job))]);
    });
    await Promise.race([isDone, timeIsUp]);
    clearTimeout(timer);
    if (this.#heartbeat) clearInterval(this.#heartbeat);
    await Promise.all(this.#claims.jobs.map((job) => this.#giveUp(job)));
  }

  #goOn(): void {
    this.#isRung = true;
    this.#ring();
  }

  async #giveUp(job: JobWithMetadata<P>): Promise<void> {
    await this.#settle('fail', job);
    this.#claims.lose(job);
  }

  async #takeOn(): Promise<void> {
    while (!this.#isStopping) {
      this.#isRung = false;
      const job = await this.#next();
      if (job) await this.#begin(job);
      else await this.#rest();
    }
  }

  /** Whatever has the earliest turn, in the line or still in the queue; none while the queue cannot be read. */
  async #next(): Promise<JobWithMetadata<P> | null> {
    const waiting = this.#line.first((accountId) => this.#places.hasFor(accountId));
    try {
      const fetched = this.#places.isFull ? null : await this.#fetch(waiting);
      if (fetched) return fetched;
    } catch (error) {
      this.#options.log.warn('A queue could not be read', { queue: this.queue, error });
      return null;
    }
    return waiting && this.#line.remove(waiting) ? waiting : null;
  }

  async #fetch(waiting: JobWithMetadata<P> | null): Promise<JobWithMetadata<P> | undefined> {
    const { boss, queue } = this.#options;
    const before = waiting ? { minPriority: waiting.priority + 1 } : {};
    const ignoreGroups = this.#fullGroups();
    if (this.#emptyLook.isKnown(ignoreGroups)) return;
    const foundNothing = this.#emptyLook.begin(ignoreGroups);
    const [job] = await boss.fetch<P>(queue, { includeMetadata: true, ignoreGroups, ...before });
    if (!job && !waiting) foundNothing();
    return job;
  }

  #rest(): Promise<void> {
    if (this.#isRung || this.#isStopping) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, lookEveryMs);
      this.#ring = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #fullGroups(): string[] {
    const { perGroup } = this.#options;
    if (perGroup === undefined) return this.#places.full().map(String);
    const groups = this.#claims.jobs.map(({ groupId }) => groupId);
    return [...Map.groupBy(groups, (group) => group)].flatMap(([group, { length }]) =>
      group && length >= perGroup ? group : [],
    );
  }

  /** One after the other those that are turned away, so that they take nothing from the others. */
  async #begin(job: JobWithMetadata<P>): Promise<void> {
    const { work, turnAway } = this.#options;
    const { account_id: accountId } = job.data;
    const claim = this.#claims.hold(job);
    if (turnAway && !this.#places.hasFor(accountId)) {
      if (this.#line.add(job)) claim.addEventListener('abort', () => this.#forget(job), { once: true });
      else await this.#seeThrough(job, turnAway);
      return;
    }
    this.#places.take(accountId);
    this.#keep(
      this.#seeThrough(job, work).finally(() => {
        this.#places.leave(accountId);
        this.#goOn();
      }),
    );
  }

  /** Promises to await at the end. */
  #keep(work: Promise<void>): void {
    const running = work.finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** One that waits and that another process has got. */
  #forget(job: JobWithMetadata<P>): void {
    if (this.#line.remove(job)) this.#claims.letGo(job);
  }

  async #seeThrough(job: JobWithMetadata<P>, act: (job: JobWithMetadata<P>) => Promise<void>): Promise<void> {
    try {
      await this.#settle(await this.#outcomeOf(job, act), job);
    } finally {
      this.#claims.letGo(job);
    }
  }

  async #outcomeOf(
    job: JobWithMetadata<P>,
    act: (job: JobWithMetadata<P>) => Promise<void>,
  ): Promise<'complete' | 'fail'> {
    const { queue, log } = this.#options;
    try {
      await act(job);
      return 'complete';
    } catch (error) {
      const { account_id: accountId, batch_id: batchId, chunk_id: chunkId, run_id: runId } = job.data;
      log.error('A job failed', { queue, jobId: job.id, accountId, batchId, chunkId, runId, error });
      return 'fail';
    }
  }

  /** Fenced to this attempt. When the database is away, the job's heartbeat ends and another worker gets it. */
  async #settle(how: 'complete' | 'fail', job: JobWithMetadata<P>): Promise<void> {
    const { boss, queue, log } = this.#options;
    try {
      await boss[how](queue, job);
    } catch (error) {
      log.warn('A job could not be settled', { queue, jobId: job.id, error });
    }
  }

  async #tend(): Promise<void> {
    await this.#touch();
    const { turnAway } = this.#options;
    if (!turnAway) return;
    const overdue = this.#line.waitingFor(deadlines.lineMs).filter((job) => this.#line.remove(job));
    const turnAllAway = async () => {
      for (const job of overdue) await this.#seeThrough(job, turnAway);
    };
    this.#keep(turnAllAway());
  }

  async #touch(): Promise<void> {
    const { boss, queue, log } = this.#options;
    try {
      await this.#claims.touch(boss, queue);
    } catch (error) {
      log.warn('A queue could not be told that its jobs are held', { queue, error });
    }
  }
}

interface Held<P> {
  job: JobWithMetadata<P>;
  claim: AbortController;
}

/** The jobs of a queue that this process holds: those it works on, and those that wait here for a place. */
class Claims<P> {
  readonly #held = new Map<string, Held<P>>();

  get jobs(): JobWithMetadata<P>[] {
    return [...this.#held.values()].map(({ job }) => job);
  }

  /** The claim on a job, aborted once it is lost; of one that is held already it is the one it had. */
  hold(job: JobWithMetadata<P>): AbortSignal {
    const claim = this.#held.get(job.id)?.claim ?? new AbortController();
    job.signal = claim.signal;
    this.#held.set(job.id, { job, claim });
    return claim.signal;
  }

  /** Signals the worker of the job to stop; the claim is held until it has. */
  lose({ id }: JobWithMetadata<P>, why?: Error): void {
    this.#held.get(id)?.claim.abort(why);
  }

  letGo({ id }: JobWithMetadata<P>): void {
    this.#held.delete(id);
  }

  /** Sends heartbeats, and drops claims that another process holds now. Throws the errors of the queue. */
  async touch(boss: PgBoss, queue: string): Promise<void> {
    const { jobs } = this;
    if (jobs.length === 0) return;
    const { settled }: CommandResponse & { settled?: string[] } = await boss.touch(queue, jobs);
    if (!settled) return;
    for (const job of jobs) {
      if (!settled.includes(job.id)) this.lose(job, new Error('the job was given to another worker'));
    }
  }
}

/**
 * Remembers a fetch that found nothing. While the groups that it skipped may have no more jobs, and no new job was
 * announced, another fetch finds nothing either. This holds for a limited time, because not every job is announced.
 */
export class EmptyLook {
  readonly #believedMs: number;
  #passedOver: string[] | null = null;
  #untilMs = 0;
  #news = 0;

  constructor(believedMs: number) {
    this.#believedMs = believedMs;
  }

  /** Whether a fetch that skips these groups certainly finds nothing. */
  isKnown(passesOver: string[]): boolean {
    if (this.#passedOver === null || performance.now() >= this.#untilMs) return false;
    return this.#passedOver.every((group) => passesOver.includes(group));
  }

  /** There may be new jobs. */
  forget(): void {
    this.#passedOver = null;
    this.#news += 1;
  }

  /** Begins a fetch. Call the returned function when it found nothing. */
  begin(passesOver: string[]): () => void {
    const newsBefore = this.#news;
    const untilMs = performance.now() + this.#believedMs;
    return () => {
      // A job announced meanwhile may have come too late for this fetch.
      if (this.#news !== newsBefore) return;
      this.#passedOver = passesOver;
      this.#untilMs = untilMs;
    };
  }
}
