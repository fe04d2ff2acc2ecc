import { sql } from 'kysely';
import { type Db, inTransaction, type Trx } from '../postgres/connect.ts';
import { makeUpTo } from '../retention/partitions.ts';

/** Hands out ids for checks: each is used once over all processes, and those of one call are consecutive. */
export interface RequestIds {
  /** The first of `count` consecutive ids; at most 10,000 at once. */
  take(count: number): Promise<number>;
}

// The step of the sequence request_ids: one query reserves so many ids for this process.
const blockSize = 10_000;

/** A partition of rows that have all expired goes as a whole: ids in it must not come into use again. */
const keptMs = 3_600_000;

/**
 * Ids from blocks of one sequence. What is left of a block is lost when the process ends, and given up when it is an
 * hour old, so that ids tell about when they came into use; they are not scarce. `now`: a clock in milliseconds.
 */
export function createRequestIds(db: Db, now: () => number = () => performance.now()): RequestIds {
  let next = 0;
  let end = 0;
  let reservedMs = 0;
  let refilling: Promise<void> | null = null;

  const refill = async () => {
    reservedMs = now();
    next = await inTransaction(db, reserveBlock);
    end = next + blockSize;
  };

  return {
    take: async (count) => {
      while (end - next < count || now() - reservedMs >= keptMs) {
        refilling ??= refill().finally(() => {
          refilling = null;
        });
        await refilling;
      }
      const first = next;
      next += count;
      return first;
    },
  };
}

// More than are ever used in the long run, so that the clock is ahead of what was issued.
const idsPerSecond = 10_000;

/**
 * The first id of a block that no other process has. Blocks keep up with the clock: a restored database does
 * not know what was issued after its backup, and a caller who kept such an id must not find another's check
 * under it.
 */
async function reserveBlock(trx: Trx): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('request_ids'))`.execute(trx);
  await sql`
    select setval('request_ids', floor(extract(epoch from now()) * ${idsPerSecond})::bigint) from request_ids
    where last_value < extract(epoch from now()) * ${idsPerSecond}`.execute(trx);
  const { rows } = await sql<{ first: number }>`select nextval('request_ids') as first`.execute(trx);
  const first = Number(rows[0]?.first);
  await makeUpTo(trx, first + blockSize);
  return first;
}
