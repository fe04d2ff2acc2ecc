import type { CommandResponse, JobWithMetadata, PgBoss } from 'pg-boss';

interface Held<P> {
  job: JobWithMetadata<P>;
  claim: AbortController;
}

/** The jobs of a queue that this process holds: those it works on, and those that wait here for a place. */
export class Claims<P> {
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

  /** Tells who works on it to stop; it stays held until it has. */
  lose({ id }: JobWithMetadata<P>, why?: Error): void {
    this.#held.get(id)?.claim.abort(why);
  }

  letGo({ id }: JobWithMetadata<P>): void {
    this.#held.delete(id);
  }

  /** Tells the queue that this process is alive; loses what has been given to another. Throws what the queue does. */
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
