import { sql } from 'kysely';
import type { Db } from './connect.ts';

/** Hands out ids for checks: each is used once over all processes, and those of one call are consecutive. */
export interface RequestIds {
  /** The first of `count` consecutive ids; at most 10,000 at once. */
  take(count: number): Promise<number>;
}

// The step of the sequence request_ids: one query reserves so many ids for this process.
const blockSize = 10_000;

/**
 * Ids from blocks of one sequence. What is left of a block is lost when the process ends; ids are not scarce.
 */
export function createRequestIds(db: Db): RequestIds {
  let next = 0;
  let end = 0;
  let refilling: Promise<void> | null = null;

  const refill = async () => {
    const { rows } = await sql<{ first: number }>`select nextval('request_ids') as first`.execute(db);
    next = Number(rows[0]?.first);
    end = next + blockSize;
  };

  return {
    take: async (count) => {
      while (end - next < count) {
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
