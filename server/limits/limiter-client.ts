import { CompiledQuery } from 'kysely';
import type { Db } from '../../db/connect.ts';

/** What rate-limiter-flexible asks of a pool. It names its statements, which a pooler in transaction mode does not keep for us. */
export function limiterClient(db: Db) {
  return {
    query: ({ text, values }: { text: string; values: unknown[] }) =>
      db.executeQuery(CompiledQuery.raw(text, values)),
  };
}
