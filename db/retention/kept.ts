import { type RawBuilder, sql } from 'kysely';

/** That what an item, or a point of the history, tells was seen in the last so many days, of 24 hours each. */
export function isKept(days: number): RawBuilder<boolean> {
  return sql<boolean>`checked_at >= now() - ${days} * interval '24 hours'`;
}
