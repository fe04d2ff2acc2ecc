import { createHash } from 'node:crypto';
import { type Schedule, weekdays } from '../schemas/monitor-types.ts';
import { addDays, type Day, daysInMonth, getWeekday, isTimeZone, toDay, toInstant } from './wall-clock.ts';

const hourMs = 3_600_000;
const spreadFrom = 3 * 60;
const spreadMinutes = 4 * 60;
/** Monitors without a set time of day run between these two times. */
export const defaultTimes = { from: toTimeOfDay(spreadFrom), until: toTimeOfDay(spreadFrom + spreadMinutes) };
// Maximum number of days to search for the next due day. Two due days are never more than two months apart.
const daysAheadMax = 62;

/**
 * Returns the next due time of a monitor after `after`. The times of a schedule are local times of its zone. An hourly
 * schedule uses UTC. If Node does not know the zone, returns the time one hour after `after`. The zone is then looked
 * up again. Source: docs/monitors.md.
 */
export function nextDueTime(schedule: Schedule, monitorId: string, after: Date): Date {
  const minutes = parseMinutes(getTimeOfDay(schedule, monitorId));
  if (schedule.every === 'hour') return toHourlyTime(minutes, countHours(minutes, after) + 1);
  if (!hasKnownZone(schedule)) return new Date(after.getTime() + hourMs);
  let day = addDays(toDay(schedule.timezone, after), -1);
  for (let ahead = 0; ahead <= daysAheadMax; ahead += 1) {
    if (isDueOn(schedule, day)) {
      const moment = toInstant(schedule.timezone, day, minutes);
      if (moment > after) return moment;
    }
    day = addDays(day);
  }
  throw new Error(`this schedule is never due: ${JSON.stringify(schedule)}`);
}

/** Returns true if Node knows the zone. A zone of a stored schedule may be missing after an upgrade of Node. */
export function hasKnownZone({ every, timezone }: Schedule): boolean {
  return every === 'hour' || isTimeZone(timezone);
}

/** Counts the due times after `after`, up to and including `until`. */
export function countDueTimes(schedule: Schedule, monitorId: string, after: Date, until: Date): number {
  if (schedule.every === 'hour') {
    const minutes = parseMinutes(getTimeOfDay(schedule, monitorId));
    return countHours(minutes, until) - countHours(minutes, after);
  }
  return listDueTimes(schedule, monitorId, after, until).length;
}

/** Returns the due times after `after`, up to and including `until`. Returns none if Node does not know the zone. */
export function listDueTimes(schedule: Schedule, monitorId: string, after: Date, until: Date): Date[] {
  if (!hasKnownZone(schedule)) return [];
  const times: Date[] = [];
  for (let due = nextDueTime(schedule, monitorId, after); due <= until; ) {
    times.push(due);
    due = nextDueTime(schedule, monitorId, due);
  }
  return times;
}

/** Returns the time of day of a monitor's runs as `HH:MM`. If it is not set, it is derived from the id. */
export function getTimeOfDay({ every, at }: Schedule, monitorId: string): string {
  if (at !== null) return at;
  const hash = createHash('sha256').update(monitorId).digest().readUInt32BE();
  return toTimeOfDay(every === 'hour' ? hash % 60 : spreadFrom + (hash % spreadMinutes));
}

function toTimeOfDay(minutes: number): string {
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/** Counts the hourly due times since the epoch, up to and including `at`. */
function countHours(minutes: number, at: Date): number {
  return Math.floor((at.getTime() - (minutes % 60) * 60_000) / hourMs);
}

function toHourlyTime(minutes: number, hours: number): Date {
  return new Date(hours * hourMs + (minutes % 60) * 60_000);
}

function isDueOn({ every, on }: Schedule, day: Day): boolean {
  if (every === 'day') return true;
  const days = on ?? (every === 'week' ? ['mon'] : [1]);
  if (every === 'week') return days.includes(weekdays[getWeekday(day)] ?? 'mon');
  const last = daysInMonth(day);
  return days.some((each) => day.day === (each === -1 ? last : Math.min(Number(each), last)));
}

function parseMinutes(at: string): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  return hours * 60 + minutes;
}
