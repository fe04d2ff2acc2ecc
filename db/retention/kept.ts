import { type RawBuilder, sql } from 'kysely';

/** That what an item, or a point of the history, tells was seen in the last so many days, of 24 hours each. */
export function isKept(days: number): RawBuilder<boolean> {
  return sql<boolean>`checked_at >= now() - ${days} * interval '24 hours'`;
}

/** For how many days that what a test token asked for is kept, where live work is kept longer. */
const testDays = 7;

/** For how many days work is kept, where live work is kept for `days`. */
export function daysKept(days: number, { isTest }: { isTest: boolean }): number {
  return isTest ? Math.min(testDays, days) : days;
}
