/** The most addresses or queries that one monitor checks. */
export const subjectsMax = 10_000;

export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
type Weekday = (typeof weekdays)[number];

export const monitorStatuses = ['active', 'paused', 'completed'] as const;
export type MonitorStatus = (typeof monitorStatuses)[number];
/** By whoever asked for it, or since the account could not pay for three runs in a row. */
export const pausedReasons = ['by_hand', 'insufficient_credits'] as const;
export type PausedReason = (typeof pausedReasons)[number];

export const runKinds = ['check', 'confirmation'] as const;
export type RunKind = (typeof runKinds)[number];
export const runStatuses = ['preparing', 'running', 'completed', 'partial', 'failed', 'skipped'] as const;
export type RunStatus = (typeof runStatuses)[number];

/** Why a run did not take place, for people too. */
export const skipReasons = {
  overlap: 'The run before it was still at work.',
  insufficient_credits: 'The account had fewer credits than the run needs.',
  token_limit: 'The token that it counts against had fewer credits left this month than the run needs.',
  allowance_exhausted: 'Too many unbilled operations in the last hour.',
  no_subjects: 'There was nothing to check.',
  unknown_zone: 'The time zone of its schedule is not known any more. Choose another.',
  account_disabled: 'The account was disabled before the run could start.',
  deleted: 'The monitor was deleted before the run could start.',
} as const;
export type SkipReason = keyof typeof skipReasons;

/** Why a subject is checked no more. */
export type LeftReason = 'removed' | 'left_sitemap' | 'indexed';

export const every = ['hour', 'day', 'week', 'month'] as const;
/** What is told of runs. */
export const notifyWhen = ['changed', 'always', 'never'] as const;

/** As it is stored: how often a monitor runs, and when, by the clock on the wall of its zone. */
export interface Schedule {
  every: (typeof every)[number];
  /** `HH:MM`; of `hour` its minute alone counts, in UTC. Null: the service spreads monitors by their ids. */
  at: string | null;
  /** Names of days with `week`, days of the month with `month` (-1: its last), null with the others. */
  on: Array<Weekday | number> | null;
  /** An IANA name, such as `Europe/Berlin`. */
  timezone: string;
}

/** As it is stored: what is told, and where. */
export interface Notify {
  when: (typeof notifyWhen)[number];
  webhook_url: string | null;
  email: boolean;
}

/** A time of day as `HH:MM`. */
export const timePattern = '^([01][0-9]|2[0-3]):[0-5][0-9]$';
