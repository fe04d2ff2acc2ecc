/** How often a monitor runs, and when, by the clock on the wall of its zone. */
export interface Schedule {
  every: 'hour' | 'day' | 'week' | 'month';
  /** `HH:MM`; of `hour` its minute alone counts, in UTC. Null: the service spreads monitors by their ids. */
  at: string | null;
  /** Names of days with `week`, days of the month with `month` (-1: its last), null with the others. */
  on: Array<Weekday | number> | null;
  /** An IANA name, such as `Europe/Berlin`. */
  timezone: string;
}

export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
export type Weekday = (typeof weekdays)[number];
