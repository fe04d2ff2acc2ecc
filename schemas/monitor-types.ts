/** Maximum of URLs or queries per monitor. */
export const subjectsMax = 10_000;

export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
type Weekday = (typeof weekdays)[number];

export const monitorStatuses = ['active', 'paused', 'completed'] as const;
export type MonitorStatus = (typeof monitorStatuses)[number];
/** `insufficient_credits`: the account could not pay for three runs in a row. */
export const pausedReasons = ['by_hand', 'insufficient_credits'] as const;
export type PausedReason = (typeof pausedReasons)[number];

export const runKinds = ['check', 'confirmation'] as const;
export type RunKind = (typeof runKinds)[number];
export const runStatuses = ['preparing', 'running', 'completed', 'partial', 'failed', 'skipped'] as const;
export type RunStatus = (typeof runStatuses)[number];

/** Reasons why a run was skipped, with a text for people. */
export const skipReasons = {
  overlap: 'The previous run was still running.',
  insufficient_credits: 'Your balance did not cover the run. Nothing was charged.',
  token_limit: 'The run would have exceeded the monthly credit limit of its token. Nothing was charged.',
  allowance_exhausted: 'Too many unbilled operations in the last hour.',
  no_subjects: 'There was nothing to check.',
  unknown_zone: 'The time zone of the schedule no longer exists. Choose another time zone.',
  account_disabled: 'The account was disabled before the run could start.',
  deleted: 'The monitor was deleted before the run could start.',
} as const;
export type SkipReason = keyof typeof skipReasons;

/** Reason why a subject is no longer checked. */
export type RemovalReason = 'removed' | 'left_sitemap' | 'indexed';

export const scheduleIntervals = ['hour', 'day', 'week', 'month'] as const;
/** Runs after which a monitor sends notifications. */
export const notifyModes = ['changed', 'always', 'never'] as const;

/** Stored schedule of a monitor, in local time of its zone. */
export interface Schedule {
  every: (typeof scheduleIntervals)[number];
  /** `HH:MM`. With `hour`, only the minute is used, in UTC. If null, the time is derived from the monitor's id. */
  at: string | null;
  /** Weekdays with `week`. Days of the month with `month`; -1 is the last day. Otherwise null. */
  on: Array<Weekday | number> | null;
  /** An IANA name, such as `Europe/Berlin`. */
  timezone: string;
}

export interface Notify {
  when: (typeof notifyModes)[number];
  webhook_url: string | null;
  email: boolean;
}

/** A time of day as `HH:MM`. */
export const timePattern = '^([01][0-9]|2[0-3]):[0-5][0-9]$';
