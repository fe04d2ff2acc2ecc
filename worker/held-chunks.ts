import type { Work } from '../db/chunks.ts';
import type { Db } from '../db/connect.ts';
import { countEarlier } from '../db/queue.ts';
import type { BatchType } from '../schemas/batch.ts';

/** A chunk that this process holds, seen from outside. */
export interface HeldChunk {
  work: Work;
  /** True while nothing of it is in flight or waits to be recorded: handing it back loses nothing. */
  isIdle(): boolean;
  /** Starts nothing more and gives the rest to a successor job in the same turn. */
  handBack(): void;
}

const lookEveryMs = 500;

/**
 * The chunks of one process, at most so many of each type. A process that is full of one account's work would let
 * another's wait until a slice of it ends; so while chunks of earlier turns wait, it hands idle ones back, first those of
 * the account that holds the most (DESIGN.md section 6.5).
 */
export class HeldChunks {
  readonly #db: Db;
  readonly #perTypeMax: number;
  readonly #held = new Set<HeldChunk>();
  readonly #timer: NodeJS.Timeout;

  constructor(db: Db, perTypeMax: number, onError: (error: unknown) => void) {
    this.#db = db;
    this.#perTypeMax = perTypeMax;
    this.#timer = setInterval(() => this.#makeRoom().catch(onError), lookEveryMs).unref();
  }

  /** Counts a chunk as held until the answered function is called. */
  hold(chunk: HeldChunk): () => void {
    this.#held.add(chunk);
    return () => this.#held.delete(chunk);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #makeRoom(): Promise<void> {
    for (const type of ['index', 'http', 'keyword'] as const) {
      const all = [...this.#held].filter(({ work }) => work.type === type);
      if (all.length < this.#perTypeMax) continue;
      for (const chunk of await this.#toHandBack(type, all)) chunk.handBack();
    }
  }

  async #toHandBack(type: BatchType, all: HeldChunk[]): Promise<HeldChunk[]> {
    const ofGreediest = greediest(all).toSorted((a, b) => b.work.turn - a.work.turn);
    const idle = ofGreediest.filter((chunk) => chunk.isIdle());
    const [last] = idle;
    if (!last || ofGreediest.length === 1) return [];
    return idle.slice(0, await countEarlier(this.#db, type, last.work.turn, idle.length));
  }
}

function greediest(all: HeldChunk[]): HeldChunk[] {
  const byAccount = Map.groupBy(all, ({ work }) => work.accountId);
  return [...byAccount.values()].reduce((most, chunks) => (chunks.length > most.length ? chunks : most), []);
}
