import { sql } from 'kysely';
import type { Db, Trx } from '../postgres/connect.ts';

/**
 * Reserves the next queue positions of an account and returns the first (`reserve_positions`). Call it with the row of
 * the account locked.
 */
export async function take(
  trx: Trx,
  { accountId, queue, positions }: { accountId: number; queue: string; positions: number },
): Promise<number> {
  const { rows } = await sql<{ first: number }>`
    select reserve_positions(${accountId}::bigint, ${queue}::text, ${positions}::integer) as first`.execute(
    trx,
  );
  return rows[0]?.first ?? 0;
}

/** Notes that a queue has come to a turn. It never goes back, so most calls of a busy queue write nothing. */
export async function serve(db: Db, queue: string, turn: number): Promise<void> {
  await sql`
    insert into queues (queue, now_serving) values (${queue}, ${turn})
    on conflict (queue) do update set now_serving = excluded.now_serving
    where queues.now_serving < excluded.now_serving`.execute(db);
}

/** How long a process may keep to itself how far a queue has come. */
const toldAgainAfterMs = 250;

/** How far a queue has come: `told` to Postgres, and `reached`, which is told when the timer is over. */
interface Reached {
  told: number;
  reached: number;
  timer: NodeJS.Timeout | null;
}

/**
 * Where a process has brought its queues. It tells so at once, and while it goes on four times a second to the queue,
 * for each telling is a write to one row for all. `tell` is `serve`.
 */
export class Serving {
  readonly #tell: (queue: string, turn: number) => Promise<void>;
  readonly #queues = new Map<string, Reached>();

  constructor(tell: (queue: string, turn: number) => Promise<void>) {
    this.#tell = tell;
  }

  /** Notes that a queue has come to a turn. Fails as the telling does, if it is told at once; it is told again then. */
  async note(queue: string, turn: number): Promise<void> {
    const known = this.#queues.get(queue) ?? { told: -1, reached: -1, timer: null };
    this.#queues.set(queue, known);
    known.reached = Math.max(known.reached, turn);
    if (known.timer === null) await this.#tellOf(queue, known);
  }

  /** Tells what was kept to itself. */
  async close(): Promise<void> {
    for (const [queue, known] of this.#queues) {
      if (known.timer) clearTimeout(known.timer);
      if (known.reached > known.told) await this.#tell(queue, known.reached);
    }
  }

  async #tellOf(queue: string, known: Reached): Promise<void> {
    const turn = known.reached;
    if (turn <= known.told) return;
    known.timer = setTimeout(() => {
      known.timer = null;
      // Whose job it was has heard of it, or the next one will.
      this.#tellOf(queue, known).catch(() => {});
    }, toldAgainAfterMs).unref();
    await this.#tell(queue, turn);
    known.told = Math.max(known.told, turn);
  }
}
