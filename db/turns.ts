import { sql } from 'kysely';
import type { Db, Trx } from './connect.ts';

/**
 * Takes the next `chunks` turns of an account in a queue and answers the first. Turns begin where the queue
 * is serving (`nowServing`), so whoever waited long has saved nothing up, and go on where the account's own last turn
 * ended, so a large batch stands behind itself and not before others (docs/batches.md). Call it with the
 * account row locked.
 */
export async function take(
  trx: Trx,
  { accountId, queue, chunks }: { accountId: number; queue: string; chunks: number },
  serving: number,
): Promise<number> {
  const { rows } = await sql<{ first: number }>`
    insert into turns (account_id, queue, next_turn) values (${accountId}, ${queue}, ${serving + chunks})
    on conflict (account_id, queue) do update
      set next_turn = greatest(turns.next_turn, excluded.next_turn - ${chunks}) + ${chunks}
    returning next_turn - ${chunks} as first`.execute(trx);
  return rows[0]?.first ?? 0;
}

/** The turn that a queue has come to, 0 before any. It may be asked for some time before turns are taken. */
export async function nowServing(db: Db | Trx, queue: string): Promise<number> {
  const row = await db
    .selectFrom('queues')
    .select('nowServing')
    .where('queue', '=', queue)
    .executeTakeFirst();
  return row?.nowServing ?? 0;
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

/**
 * Where a process has brought its queues. It tells the others at once, and while it goes on at most four times a second
 * to the queue, for each telling is a write to one row for all. `now` is a clock in milliseconds.
 */
export class Serving {
  readonly #db: Db;
  readonly #now: () => number;
  readonly #told = new Map<string, { turn: number; atMs: number }>();

  constructor(db: Db, now = () => performance.now()) {
    this.#db = db;
    this.#now = now;
  }

  /** Notes that a queue has come to a turn. What is not told is made up for by a later one. */
  async note(queue: string, turn: number): Promise<void> {
    const told = this.#told.get(queue);
    const atMs = this.#now();
    if (told && (turn <= told.turn || atMs - told.atMs < toldAgainAfterMs)) return;
    this.#told.set(queue, { turn, atMs });
    await serve(this.#db, queue, turn);
  }
}
