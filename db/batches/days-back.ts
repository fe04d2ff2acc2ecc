import { type RawBuilder, sql } from 'kysely';

/** How many days back a rank is compared with what it is now. */
export const daysBack = [1, 7, 30] as const;
export type DaysBack = (typeof daysBack)[number];

/**
 * Rows of `days`, the `moment` so long before `at`, and `half` of that time: a check that is further from the moment
 * than that says nothing of it. One that is made each week has no rank of the day before.
 */
export function momentsBefore(at: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select days, ${at} - days * interval '1 day' as moment, days * interval '12 hours' as half
    from unnest(${[...daysBack]}::int[]) as days`;
}
