import { isZone } from '../../monitors/wall-clock.ts';
import type { MonitorRequest } from '../../schemas/monitor.ts';
import type { Schedule } from '../../schemas/monitor-words.ts';
import type { FieldFaults } from '../http/errors.ts';

export const noSuchZone =
  'There is no such time zone. Name one such as Europe/Berlin or UTC; an offset knows no summer.';

/** A schedule with its defaults; what does not fit together is noted. */
export function readSchedule(
  { every, at = null, on = null, timezone = 'UTC' }: MonitorRequest['schedule'],
  faults: FieldFaults,
): Schedule {
  const isNamed = (on ?? []).some((day) => typeof day === 'string');
  const isNumbered = (on ?? []).some((day) => typeof day === 'number');
  if (on && (every === 'hour' || every === 'day')) {
    faults.add({ 'schedule.on': [`Is not used with ${every}; leave it out, or choose week or month.`] });
  } else if (every === 'week' && isNumbered) {
    faults.add({ 'schedule.on': ['With week, name days: mon, tue, wed, thu, fri, sat, sun.'] });
  } else if (every === 'month' && isNamed) {
    faults.add({ 'schedule.on': ['With month, days are numbers from 1 to 31, or -1 for the last.'] });
  } else if (on?.includes(0)) {
    faults.add({ 'schedule.on': ['Days of a month are numbers from 1 to 31, or -1 for the last.'] });
  }
  if (!isZone(timezone)) {
    faults.add({ 'schedule.timezone': [noSuchZone] });
  }
  const days = on ?? (every === 'week' ? ['mon'] : every === 'month' ? [1] : null);
  return { every, at, on: days && ([...new Set(days)] as Schedule['on']), timezone };
}
