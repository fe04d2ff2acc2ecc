import { type RawBuilder, sql } from 'kysely';

/** Matches items and history rows of the last `days` days of 24 hours each. */
export function isKept(days: number): RawBuilder<boolean> {
  return sql<boolean>`checked_at >= now() - ${days} * interval '24 hours'`;
}

const testDays = 7;

/** Returns the retention of checks in days. `days` is the retention of live checks. */
export function daysKept(days: number, { isTest }: { isTest: boolean }): number {
  return isTest ? Math.min(testDays, days) : days;
}
