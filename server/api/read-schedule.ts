import { isTimeZone } from '../../monitors/wall-clock.ts';
import type { MonitorRequest } from '../../schemas/monitor.ts';
import type { Schedule } from '../../schemas/monitor-types.ts';
import type { FieldErrorCollector } from '../http/errors.ts';

export const unknownTimeZone =
  'This time zone does not exist. Use a name such as Europe/Berlin or UTC, not an offset.';

/** Reads a schedule and sets defaults. Adds the errors of contradicting fields to `faults`. */
export function readSchedule(
  { every, at = null, on = null, timezone = 'UTC' }: MonitorRequest['schedule'],
  faults: FieldErrorCollector,
): Schedule {
  const isNamed = (on ?? []).some((day) => typeof day === 'string');
  const isNumbered = (on ?? []).some((day) => typeof day === 'number');
  if (on && (every === 'hour' || every === 'day')) {
    faults.add({
      'schedule.on': ['Only used if `every` is `week` or `month`. Remove it, or change `every`.'],
    });
  } else if (every === 'week' && isNumbered) {
    faults.add({
      'schedule.on': ['If `every` is `week`, use `mon`, `tue`, `wed`, `thu`, `fri`, `sat` or `sun`.'],
    });
  } else if ((every === 'month' && isNamed) || on?.includes(0)) {
    faults.add({
      'schedule.on': ['If `every` is `month`, use numbers from 1 to 31, or -1 for the last day.'],
    });
  }
  if (!isTimeZone(timezone)) {
    faults.add({ 'schedule.timezone': [unknownTimeZone] });
  }
  const days = on ?? (every === 'week' ? ['mon'] : every === 'month' ? [1] : null);
  return { every, at, on: days && ([...new Set(days)] as Schedule['on']), timezone };
}
