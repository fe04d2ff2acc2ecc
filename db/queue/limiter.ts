import { CompiledQuery } from 'kysely';
import { type IRateLimiterPostgresOptions, RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Db } from '../postgres/connect.ts';

/** What rate-limiter-flexible asks of a pool; nothing else of the database is shown to it. */
export interface LimiterClient {
  query(query: { text: string; values: unknown[] }): Promise<unknown>;
}

/**
 * The client names its statements, which a pooler in transaction mode does not keep for us, so the name is
 * dropped.
 */
export function limiterClient(db: Db): LimiterClient {
  return {
    query: async ({ text, values }) => {
      const { rows } = await db.executeQuery(CompiledQuery.raw(text, values));
      return { rows, rowCount: rows.length };
    },
  };
}

interface LimiterOptions {
  table: 'rate_limits' | 'sign_in_tries';
  /** Apart from others of the table. */
  name: string;
  points: number;
  seconds: number;
}

/** So many points per key and window, counted over all processes. */
export function limiter(
  client: LimiterClient,
  { table, name, points, seconds }: LimiterOptions,
  more: Pick<IRateLimiterPostgresOptions, 'inMemoryBlockOnConsumed' | 'insuranceLimiter'> = {},
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
    ...more,
  });
}
