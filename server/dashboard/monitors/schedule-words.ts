import { atOf } from '../../../monitors/due-times.ts';
import { isZone } from '../../../monitors/wall-clock.ts';
import type { Schedule } from '../../../schemas/monitor-words.ts';
import { moment } from '../format.ts';

const dayNames: Record<string, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

/** A schedule as people say it: `Every Monday and Thursday at 06:00, Europe/Berlin`. */
export function scheduleWords(schedule: Schedule, monitorId: string): string {
  const at = atOf(schedule, monitorId);
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

/** A moment by the clock on the wall of a zone, of UTC where nobody knows it. */
export function momentInZone(timezone: string, at: Date): string {
  return moment(at, isZone(timezone) ? timezone : 'UTC');
}

function numberWords(day: number): string {
  if (day === -1) return 'last day';
  const ending = day >= 11 && day <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${ending}`;
}

function listed(words: string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
