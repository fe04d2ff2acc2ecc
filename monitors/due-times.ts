import { createHash } from 'node:crypto';
import { type Schedule, weekdays } from '../schemas/monitor-words.ts';
import { type Day, dayAfter, dayAt, daysInMonth, isZone, momentOf, weekdayOf } from './wall-clock.ts';

const hourMs = 3_600_000;
const spreadFrom = 3 * 60;
const spreadMinutes = 4 * 60;
// The first of two months that begin on the day after the last due day of the one before.
const daysAheadMax = 62;

/**
 * Returns the first due time after a time. It follows the wall clock of the schedule's zone, `hour` that of UTC
 * (docs/monitors.md). In a zone that Node no longer knows it is an hour later, when the zone is looked up again.
 */
export function nextDue(schedule: Schedule, monitorId: string, after: Date): Date {
  const minutes = minutesOf(atOf(schedule, monitorId));
  if (schedule.every === 'hour') return hourly(minutes, hoursUntil(minutes, after) + 1);
  if (!hasKnownZone(schedule)) return new Date(after.getTime() + hourMs);
  let day = dayAfter(dayAt(schedule.timezone, after), -1);
  for (let ahead = 0; ahead <= daysAheadMax; ahead += 1) {
    if (isDueOn(schedule, day)) {
      const moment = momentOf(schedule.timezone, day, minutes);
      if (moment > after) return moment;
    }
    day = dayAfter(day);
  }
  throw new Error(`this schedule is never due: ${JSON.stringify(schedule)}`);
}

/** Whether Node knows the zone of a schedule. It did when the schedule was set, but zones are removed at times. */
export function hasKnownZone({ every, timezone }: Schedule): boolean {
  return every === 'hour' || isZone(timezone);
}

/** Counts the due times after one time, up to and including another. */
export function countDue(schedule: Schedule, monitorId: string, after: Date, until: Date): number {
  if (schedule.every === 'hour') {
    const minutes = minutesOf(atOf(schedule, monitorId));
    return hoursUntil(minutes, until) - hoursUntil(minutes, after);
  }
  if (!hasKnownZone(schedule)) return 0;
  let times = 0;
  for (let due = nextDue(schedule, monitorId, after); due <= until; times += 1) {
    due = nextDue(schedule, monitorId, due);
  }
  return times;
}

/** The time of day at which a monitor is due, as `HH:MM`: its own, or spread by its id. */
export function atOf({ every, at }: Schedule, monitorId: string): string {
  if (at !== null) return at;
  const hash = createHash('sha256').update(monitorId).digest().readUInt32BE();
  const minutes = every === 'hour' ? hash % 60 : spreadFrom + (hash % spreadMinutes);
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/** Counts the hours of UTC that have reached their minute, up to and including a time. */
function hoursUntil(minutes: number, at: Date): number {
  return Math.floor((at.getTime() - (minutes % 60) * 60_000) / hourMs);
}

function hourly(minutes: number, hours: number): Date {
  return new Date(hours * hourMs + (minutes % 60) * 60_000);
}

function isDueOn({ every, on }: Schedule, day: Day): boolean {
  if (every === 'day') return true;
  const days = on ?? (every === 'week' ? ['mon'] : [1]);
  if (every === 'week') return days.includes(weekdays[weekdayOf(day)] ?? 'mon');
  const last = daysInMonth(day);
  return days.some((each) => day.day === (each === -1 ? last : Math.min(Number(each), last)));
}

function minutesOf(at: string): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  return hours * 60 + minutes;
}
