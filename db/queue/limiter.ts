import { CompiledQuery } from 'kysely';
import { type IRateLimiterPostgresOptions, RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Db } from '../postgres/connect.ts';

/** The part of a pool that rate-limiter-flexible uses. */
export interface LimiterClient {
  query(query: { text: string; values: unknown[] }): Promise<unknown>;
}

/**
 * Returns a client that ignores the names of prepared statements. Poolers in transaction mode do not keep prepared
 * statements.
 */
export function createLimiterClient(db: Db): LimiterClient {
  return {
    query: async ({ text, values }) => {
      const { rows } = await db.executeQuery(CompiledQuery.raw(text, values));
      return { rows, rowCount: rows.length };
    },
  };
}

interface LimiterOptions {
  table: 'rate_limits' | 'sign_in_tries';
  /** Key prefix of this limiter in the table. */
  name: string;
  points: number;
  seconds: number;
}

/** Creates a rate limiter over all processes. A key has `points` in each window of `seconds`. */
export function createLimiter(
  client: LimiterClient,
  { table, name, points, seconds }: LimiterOptions,
  extraOptions: Pick<IRateLimiterPostgresOptions, 'inMemoryBlockOnConsumed' | 'insuranceLimiter'> = {},
): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: client,
    storeType: 'client',
    tableName: table,
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points,
    duration: seconds,
    ...extraOptions,
  });
}
