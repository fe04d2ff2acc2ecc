import { type RawBuilder, sql } from 'kysely';

/** Matches items and history points of the last `days`, of 24 hours each. */
export function isKept(days: number): RawBuilder<boolean> {
  return sql<boolean>`checked_at >= now() - ${days} * interval '24 hours'`;
}

/** Maximum retention of test checks. */
const testDays = 7;

/** Returns how many days checks are kept if live ones are kept for `days`. */
export function daysKept(days: number, { isTest }: { isTest: boolean }): number {
  return isTest ? Math.min(testDays, days) : days;
}
