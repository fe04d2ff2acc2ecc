import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandResponse, JobWithMetadata, PgBoss } from 'pg-boss';
import { deadlines } from '../config/deadlines.ts';
import type { FairLimit } from '../process/fair-limit.ts';
import type { Log } from '../process/log.ts';

type Payload = { account_id: number; batch_id?: string; chunk_id?: number; run_id?: string };

interface JobFetcherOptions<P extends Payload> {
  boss: PgBoss;
  log: Log;
  queue: string;
  /** Each running job has one slot. Without `groups`, the group of a job is its account. */
  slots: FairLimit;
  /**
   * Runs a job. If this throws, the job is retried. The job's signal is aborted when another worker has received the
   * job.
   */
  run(job: JobWithMetadata<P>): Promise<void>;
  /** Set for a queue with several groups per account. */
  groups?: {
    limit: number;
    /** Reschedules a job whose account has no free slot. In a queue with groups, the fetch cannot skip accounts. */
    postpone(job: JobWithMetadata<P>): Promise<void>;
  };
}

interface RunningJob<P> {
  job: JobWithMetadata<P>;
  claim: AbortController;
  ended: Promise<void>;
}

/**
 * pg-boss sends no notification for a retried job. This interval therefore decides how soon the jobs of a dead worker
 * run again.
 */
const fetchEveryMs = 1000;
const heartbeatEveryMs = deadlines.heartbeatMs / 2;

/**
 * Fetches and runs the jobs of one queue, one fetch at a time, while slots are free. The fetch skips accounts that have
 * no free slot. The workers of pg-boss are not used, because they would let a few accounts take all slots.
 */
export class JobFetcher<P extends Payload> {
  readonly #options: JobFetcherOptions<P>;
  readonly #running = new Set<RunningJob<P>>();
  #fetching: Promise<void> = Promise.resolve();
  #heartbeats: NodeJS.Timeout | undefined;
  #wake = new AbortController();
  #isStopping = false;

  constructor(options: JobFetcherOptions<P>) {
    this.#options = options;
  }

  get queue(): string {
    return this.#options.queue;
  }

  start(): void {
    this.#heartbeats = setInterval(() => void this.#sendHeartbeats(), heartbeatEveryMs);
    this.#fetching = this.#fetchJobs();
  }

  /** Ends the wait before the next fetch. */
  wake(): void {
    this.#wake.abort();
  }

  /**
   * Stops fetching and waits up to `withinMs` for running jobs. Then fails the jobs that still run, so that another
   * worker retries them.
   */
  async stop(withinMs: number): Promise<void> {
    this.#isStopping = true;
    this.wake();
    const allEnded = this.#fetching.then(() => Promise.all([...this.#running].map(({ ended }) => ended)));
    await Promise.race([allEnded, sleep(withinMs, undefined, { ref: false })]);
    clearInterval(this.#heartbeats);
    const release = async ({ job, claim }: RunningJob<P>) => {
      await this.#endAttempt('fail', job);
      claim.abort();
    };
    await Promise.all([...this.#running].map(release));
  }

  async #fetchJobs(): Promise<void> {
    while (!this.#isStopping) {
      // The signal is created before the fetch, because the result may lack a job that is announced during the fetch.
      // The announcement then ends the wait.
      this.#wake = new AbortController();
      const job = this.#options.slots.isFull ? null : await this.#fetch();
      if (job) await this.#begin(job);
      else await sleep(fetchEveryMs, undefined, { signal: this.#wake.signal }).catch(() => {});
    }
  }

  async #fetch(): Promise<JobWithMetadata<P> | null> {
    const { boss, queue, slots, log } = this.#options;
    const ignoreGroups = [...slots.accountsAtLimit().map(String), ...this.#groupsAtLimit()];
    try {
      const [job] = await boss.fetch<P>(queue, { includeMetadata: true, ignoreGroups });
      return job ?? null;
    } catch (error) {
      log.warn('Jobs could not be fetched', { queue, error });
      return null;
    }
  }

  #groupsAtLimit(): string[] {
    const { groups } = this.#options;
    if (!groups) return [];
    const running = [...this.#running].map(({ job }) => job.groupId);
    return [...Map.groupBy(running, (group) => group)].flatMap(([group, { length }]) =>
      group && length >= groups.limit ? group : [],
    );
  }

  /**
   * Starts a job if its account has a free slot. If not, returns the job to the queue. The next fetch waits for this
   * return, to limit the load on the database.
   */
  async #begin(job: JobWithMetadata<P>): Promise<void> {
    const { slots, groups, run } = this.#options;
    const slot = slots.tryAcquire(job.data.account_id);
    if (!slot) return this.#endAttempt(groups ? await this.#runJob(job, groups.postpone) : 'fail', job);
    // Ends the earlier attempt of a job that expired without heartbeats and returned to this process.
    for (const other of this.#running) if (other.job.id === job.id) other.claim.abort(createLostClaimError());
    const claim = new AbortController();
    job.signal = claim.signal;
    const end = async () => {
      await this.#endAttempt(await this.#runJob(job, run), job);
      this.#running.delete(running);
      slot.release();
      this.wake();
    };
    const running: RunningJob<P> = { job, claim, ended: end() };
    this.#running.add(running);
  }

  async #runJob(
    job: JobWithMetadata<P>,
    callback: (job: JobWithMetadata<P>) => Promise<void>,
  ): Promise<'complete' | 'fail'> {
    const { queue, log } = this.#options;
    try {
      await callback(job);
      return 'complete';
    } catch (error) {
      const { account_id: accountId, batch_id: batchId, chunk_id: chunkId, run_id: runId } = job.data;
      log.error('A job failed', { queue, jobId: job.id, accountId, batchId, chunkId, runId, error });
      return 'fail';
    }
  }

  /**
   * Stores the result of an attempt. Does nothing if the job has a newer attempt. If the database is unavailable, the
   * job expires and is retried.
   */
  async #endAttempt(how: 'complete' | 'fail', job: JobWithMetadata<P>): Promise<void> {
    const { boss, queue, log } = this.#options;
    try {
      await boss[how](queue, job);
    } catch (error) {
      log.warn('The result of a job could not be stored', { queue, jobId: job.id, error });
    }
  }

  async #sendHeartbeats(): Promise<void> {
    const { boss, queue, log } = this.#options;
    const running = [...this.#running];
    if (running.length === 0) return;
    try {
      const jobs = running.map(({ job }) => job);
      const { settled }: CommandResponse & { settled?: string[] } = await boss.touch(queue, jobs);
      for (const { job, claim } of settled ? running : []) {
        if (!settled?.includes(job.id)) claim.abort(createLostClaimError());
      }
    } catch (error) {
      log.warn('Heartbeats could not be sent', { queue, error });
    }
  }
}

function createLostClaimError(): Error {
  return new Error('the job was given to another worker');
}
