import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Stage } from './stage.ts';

interface Asked {
  asker: string;
  chunk: string | null;
}

/** Longest time until the sockets of a dead process close. */
const settleMs = 250;

/**
 * Observes every check from the side of the target. Records the checks in flight of each process, the chunks that a
 * killed process interrupted, and the time until another process requested the same chunk.
 */
export class Witness {
  readonly #open = new Map<ServerResponse, Asked>();
  #cut: Array<Asked & { atMs: number }> = [];
  readonly #canceled = new Set<string>();
  readonly #waiting = new Map<string, { asker: string; diedAtMs: number }>();
  /** Milliseconds from a death until an interrupted chunk was resumed. */
  readonly resumedMs: number[] = [];

  /** `asker`: the name of the process in the run; `chunk`: null for a single check. */
  observe(req: IncomingMessage, res: ServerResponse, asker: string, chunk: string | null): void {
    const asked = { asker, chunk };
    this.#resume(asked);
    this.#open.set(res, asked);
    req.on('error', () => {});
    res.on('error', () => {});
    res.once('close', () => {
      this.#open.delete(res);
      if (!res.writableFinished) this.#cut.push({ ...asked, atMs: performance.now() });
    });
  }

  inFlight(asker: string): number {
    return [...this.#open.values()].filter((asked) => asked.asker === asker).length;
  }

  /** Returns how many checks the death of a process interrupted; call it right after the kill. */
  async died(asker: string): Promise<number> {
    const diedAtMs = performance.now();
    await sleep(settleMs);
    const cut = this.#cut.filter((asked) => asked.asker === asker && asked.atMs > diedAtMs - settleMs);
    this.#cut = this.#cut.filter((asked) => asked.asker !== asker);
    for (const { chunk } of cut) {
      if (chunk === null || this.#canceled.has(parseBatch(chunk))) continue;
      this.#waiting.set(chunk, { asker, diedAtMs });
    }
    return cut.length;
  }

  /**
   * Finds two kinds of chunks in the database: resumed chunks without a request so far, and chunks whose next process
   * was killed, too.
   */
  async findResumed({ customers, database }: Pick<Stage, 'customers' | 'database'>): Promise<void> {
    const waiting = new Set(this.waiting.map(parseBatch));
    const batches = customers.flatMap((customer) => customer.batches).filter(({ name }) => waiting.has(name));
    if (batches.length === 0) return;
    const [names, ids] = [batches.map(({ name }) => name), batches.map(({ batchId }) => batchId)];
    const { rows } = await sql<{ chunk: string; startedOn: Date }>`
      select submitted.name || '-c' || ordinal as chunk, started_on
      from unnest(${names}::text[], ${ids}::uuid[]) as submitted (name, batch_id)
      join chunks on chunks.batch_id = submitted.batch_id
      join pgboss.job on job.id = chunks.job_id
      where started_on is not null`.execute(database.db);
    for (const { chunk, startedOn } of rows) {
      const death = this.#waiting.get(chunk);
      const resumedMs = death ? startedOn.getTime() - performance.timeOrigin - death.diedAtMs : 0;
      if (resumedMs <= 0) continue;
      this.#waiting.delete(chunk);
      this.resumedMs.push(resumedMs);
    }
  }

  /** Forgets the interrupted chunks, because the database delays them. */
  forget(): void {
    this.#waiting.clear();
  }

  /** Ignores a batch that is being canceled. */
  forgetBatch(batch: string): void {
    this.#canceled.add(batch);
    for (const chunk of this.#waiting.keys()) if (parseBatch(chunk) === batch) this.#waiting.delete(chunk);
  }

  /** Lists interrupted chunks that no process has requested again. */
  get waiting(): string[] {
    return [...this.#waiting.keys()];
  }

  #resume({ asker, chunk }: Asked): void {
    const death = chunk === null ? undefined : this.#waiting.get(chunk);
    if (chunk === null || !death || death.asker === asker) return;
    this.#waiting.delete(chunk);
    this.resumedMs.push(performance.now() - death.diedAtMs);
  }
}

/** Returns `b12` of `b12-c3`. */
function parseBatch(chunk: string): string {
  return chunk.split('-')[0] ?? chunk;
}
