import { sql } from 'kysely';
import { type Db, inTransaction, type Trx } from '../postgres/connect.ts';
import { createUpTo } from '../retention/partitions.ts';

/** Source of ids for checks. Ids are unique over all processes. */
export interface RequestIds {
  /** Returns the first of `count` consecutive ids. `count` is at most 10,000. */
  reserve(count: number): Promise<number>;
}

// Increment of the sequence `request_ids`: one query reserves a block of ids for this process.
const blockSize = 10_000;

/** Maximum age of a block. Ids of an older block are not used, because their partition may be dropped. */
const blockLifeMs = 3_600_000;

/**
 * Takes ids from blocks of a sequence. Unused ids of a block are dropped after an hour, so that ids roughly follow the
 * clock. `now` is a clock in milliseconds.
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
    reserve: async (count) => {
      while (end - next < count || now() - reservedMs >= blockLifeMs) {
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

// Ids that the clock adds per second: more than are used in the long term, so that ids do not get ahead of the clock.
const idsPerSecond = 10_000;

/**
 * Reserves a block of ids and returns the first id. Blocks follow the clock, so that a database restored from a backup
 * does not issue the same ids again.
 */
async function reserveBlock(trx: Trx): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('request_ids'))`.execute(trx);
  await sql`
    select setval('request_ids', floor(extract(epoch from now()) * ${idsPerSecond})::bigint) from request_ids
    where last_value < extract(epoch from now()) * ${idsPerSecond}`.execute(trx);
  const { rows } = await sql<{ first: number }>`select nextval('request_ids') as first`.execute(trx);
  const first = Number(rows[0]?.first);
  await createUpTo(trx, first + blockSize);
  return first;
}
