import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { type Connection, connect } from '../../db/connect.ts';

/** What an act took. */
export interface Taken {
  ms: number;
  /** Of the one backend that did it. */
  processorMs: number;
  /** Blocks of tables and indexes that it looked at, wherever they were. */
  blocks: number;
}

/** One connection to a database, and what it takes for whatever is done over it. */
export class Meter {
  readonly url: string;
  readonly connection: Connection;

  constructor(url: string) {
    this.url = url;
    this.connection = connect(url, 1, () => {});
  }

  get db() {
    return this.connection.db;
  }

  /** `times`: how many of a kind the act does, of which one is asked for. */
  async take(act: () => Promise<unknown>, times = 1): Promise<Taken> {
    const before = await this.#look();
    const startedMs = performance.now();
    await act();
    const ms = performance.now() - startedMs;
    const after = await this.#look();
    return {
      ms: ms / times,
      processorMs: (after.processorMs - before.processorMs) / times,
      blocks: (after.blocks - before.blocks) / times,
    };
  }

  async #look(): Promise<{ processorMs: number; blocks: number }> {
    // What a backend has counted is told when a statement of its own is over.
    await sql`select pg_stat_force_next_flush()`.execute(this.db);
    const { rows } = await sql<{ pid: number; blocks: number }>`
      select pg_backend_pid() as pid, sum(coalesce(hits, 0) + coalesce(reads, 0))::bigint as blocks
      from pg_stat_get_backend_io(pg_backend_pid()) where object = 'relation'`.execute(this.db);
    const { pid = 0, blocks = 0 } = rows[0] ?? {};
    const [ranNs] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ');
    return { processorMs: Number(ranNs) / 1e6, blocks };
  }
}
