import type { LastRun, RunInProgress } from '../../../db/monitors/monitor-runs.ts';
import type { MonitorRow } from '../../../db/monitors/monitors.ts';
import type { MailMode } from '../../../mail/enqueue.ts';
import { countDueTimes, getTimeOfDay } from '../../../monitors/due-times.ts';
import { isTimeZone } from '../../../monitors/wall-clock.ts';
import { type CheckType, checkTypes } from '../../../schemas/check-types.ts';
import type { SeriesEntry } from '../../../schemas/monitor-series.ts';
import { type Schedule, skipReasons } from '../../../schemas/monitor-types.ts';
import type { SubjectCounts } from '../../../schemas/run-tally.ts';
import type { Tone } from '../evidence/shares.ts';
import { counted, grouped, moment } from '../format.ts';

const monthMs = 30 * 24 * 3_600_000;

interface MonitorView {
  id: string;
  href: string;
  type: CheckType;
  typeName: string;
  name: string;
  status: string;
  tone: Tone;
  /** Why the monitor does not run; null if it is active. */
  why: string | null;
  isActive: boolean;
  isPaused: boolean;
  /** True if the monitor is paused for lack of credits. It resumes automatically. */
  isUnpaid: boolean;
  subjects: number;
  schedule: string;
  timezone: string;
  nextRunAt: Date | null;
  /** `nextRunAt` as text, in the time zone of the schedule. */
  nextRun: string | null;
  lastRunAt: Date | null;
  /** Progress of the current run; null if none is running. */
  atWork: string | null;
  /** The problem of the last run; null without a problem. */
  trouble: string | null;
  /**
   * Text before the price. The price is a maximum if overviews are checked, because overviews that are not shown or
   * cannot be read are refunded.
   */
  upTo: '' | 'up to ';
  perRun: number;
  perMonth: number;
  /** A sentence that says what the monitor does and what it costs. */
  plan: string;
  /** Result of the last run in a few words; null before the first run. */
  figure: string | null;
  /** The last run, if it has answers for only some subjects; else null. */
  incomplete: IncompleteRun | null;
}

/** A run that has no answers for some subjects. */
export interface IncompleteRun {
  at: Date;
  /** Such as `answers for 3 of 4 keywords`. */
  coverage: string;
}

interface Known {
  now: Date;
  mail: MailMode;
  lastRun: LastRun | undefined;
  atWork: RunInProgress | undefined;
  /** Counts of the last run; null before the first run. */
  latest: SeriesEntry | null;
}

export function toMonitorView(
  monitor: MonitorRow,
  { now, mail, lastRun, atWork, latest }: Known,
): MonitorView {
  const { monitorId, type, name, schedule, subjects, overviews, nextRunAt } = monitor;
  return {
    id: monitorId,
    href: `/monitors/${monitorId}`,
    type,
    typeName: checkTypes[type].title,
    name: name || checkTypes[type].title,
    ...toStatus(monitor),
    isActive: monitor.status === 'active',
    isPaused: monitor.status === 'paused',
    isUnpaid: monitor.pausedReason === 'insufficient_credits',
    subjects,
    schedule: scheduleWords(schedule, monitorId),
    timezone: schedule.timezone,
    nextRunAt,
    nextRun: nextRunAt && momentInZone(schedule.timezone, nextRunAt),
    lastRunAt: monitor.lastRunAt,
    atWork: atWork ? progressOf(atWork) : null,
    trouble: findTrouble(lastRun),
    upTo: overviews > 0 ? 'up to ' : '',
    perRun: subjects + overviews,
    perMonth: countMonthlyCredits(monitor, now),
    plan: describePlan(monitor, { now, mail }),
    figure: latest && figureOf(type, latest),
    // If the run has no answers, `trouble` says so.
    incomplete: latest && latest.failed < latest.subjects ? toIncompleteRun(type, latest) : null,
  };
}

/** Returns null if the run has answers for all subjects. */
export function toIncompleteRun(
  type: CheckType,
  { at, subjects, failed }: Pick<SubjectCounts, 'subjects' | 'failed'> & { at: Date | string },
): IncompleteRun | null {
  if (failed === 0) return null;
  const what = counted(subjects, type === 'keyword' ? 'keyword' : 'URL');
  return { at: new Date(at), coverage: `answers for ${grouped(subjects - failed)} of ${what}` };
}

type PlannedMonitor = Pick<
  MonitorRow,
  'monitorId' | 'type' | 'schedule' | 'subjects' | 'overviews' | 'sitemapUrl' | 'notify'
>;

/** Returns the credits of the runs in the next 30 days. */
function countMonthlyCredits(
  { schedule, monitorId, subjects, overviews }: PlannedMonitor,
  now: Date,
): number {
  return (subjects + overviews) * countDueTimes(schedule, monitorId, now, new Date(now.getTime() + monthMs));
}

/** Returns a sentence that says what a monitor does and what it costs in the next 30 days. */
export function describePlan(monitor: PlannedMonitor, { now, mail }: Pick<Known, 'now' | 'mail'>): string {
  const { type, subjects, sitemapUrl, notify, schedule, monitorId } = monitor;
  const what = type === 'keyword' ? counted(subjects, 'keyword') : counted(subjects, 'URL');
  const listed = sitemapUrl ? `the URLs of the sitemap (${grouped(subjects)} at the moment)` : what;
  const when = scheduleWords(schedule, monitorId);
  const upTo = monitor.overviews > 0 ? 'up to ' : '';
  const cost = `${upTo}${counted(countMonthlyCredits(monitor, now), 'credit')}`;
  const channels = [
    ...(notify.email && mail === 'smtp' ? ['emails the owners'] : []),
    ...(notify.webhook_url ? ['calls your webhook'] : []),
  ];
  const alert =
    notify.when === 'never' || channels.length === 0
      ? 'notifies nobody'
      : `${channels.join(' and ')} ${notify.when === 'always' ? 'after every run' : 'when something changed'}`;
  return `Checks ${listed} ${when.charAt(0).toLowerCase()}${when.slice(1)}, for ${cost} a month, and ${alert}.`;
}

const whyPaused = {
  by_hand: 'Paused manually. Resume it to continue.',
  insufficient_credits:
    'Paused: your credits did not cover three runs in a row. The monitor resumes automatically when they cover a run.',
};

function toStatus({ status, pausedReason }: MonitorRow): Pick<MonitorView, 'status' | 'tone' | 'why'> {
  if (status === 'active') return { status: 'Active', tone: 'good', why: null };
  if (status === 'completed') {
    return {
      status: 'Completed',
      tone: 'mute',
      why: 'This monitor has no URLs left to check.',
    };
  }
  return { status: 'Paused', tone: 'warn', why: whyPaused[pausedReason ?? 'by_hand'] };
}

function progressOf({ done, subjects }: RunInProgress): string {
  return subjects === 0 ? 'reading the sitemap' : `${grouped(done)} of ${grouped(subjects)}`;
}

function findTrouble(run: LastRun | undefined): string | null {
  if (run?.reason) return `Last run skipped: ${skipReasons[run.reason]}`;
  if (run?.status === 'failed') return 'The last run got no answers. Its credits were refunded.';
  return run?.late ? 'The last run was late.' : null;
}

/** Formats a share between 0 and 1 as `92%`. Shares below 10% get one decimal. */
export function percent(share: number): string {
  const digits = share > 0 && share < 0.1 ? 1 : 0;
  return `${(share * 100).toFixed(digits)}%`;
}

function figureOf(type: CheckType, latest: SeriesEntry): string {
  const { share_indexed: indexed, dead, soft404, ranks, answered } = latest;
  if (answered === 0) return 'Not checked';
  if (type === 'index') return `${percent(indexed ?? 0)} indexed`;
  if (type === 'http') return `${dead ?? 0} dead, ${soft404 ?? 0} soft 404`;
  const average = ranks?.average_rank;
  return average
    ? `#${average.toFixed(1)} on average, ${percent(ranks.visibility ?? 0)} visible`
    : 'None ranked';
}

const dayNames: Record<string, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

/** Formats a schedule, such as `Every Monday and Thursday at 06:00, Europe/Berlin`. */
function scheduleWords(schedule: Schedule, monitorId: string): string {
  const at = getTimeOfDay(schedule, monitorId);
  if (schedule.every === 'hour') return `Every hour at :${at.slice(3)}`;
  const { on, timezone } = schedule;
  const days = (on ?? []).map((day) => (typeof day === 'number' ? numberWords(day) : (dayNames[day] ?? day)));
  const when = {
    day: 'Every day',
    week: `Every ${listed(days)}`,
    month: `On the ${listed(days)} of each month`,
  }[schedule.every];
  return `${when} at ${at}, ${timezone}`;
}

/** Formats a time in the given time zone, or in UTC if the zone is unknown. */
export function momentInZone(timezone: string, at: Date): string {
  return moment(at, isTimeZone(timezone) ? timezone : 'UTC');
}

function numberWords(day: number): string {
  if (day === -1) return 'last day';
  const ending = day >= 11 && day <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${ending}`;
}

function listed(words: string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
