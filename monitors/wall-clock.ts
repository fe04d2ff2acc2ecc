/** A day of a calendar; months from 1 on. */
export interface Day {
  year: number;
  month: number;
  day: number;
}

const dayMs = 86_400_000;

/**
 * The moment at which a clock on the wall of a zone shows so many minutes after midnight of a day. One that is shown
 * twice is the first; one that a shift leaves out comes as long after the one before the shift as if there were none,
 * so that 02:30 is shown as 03:30 (docs/monitors.md).
 */
export function momentOf(zone: string, { year, month, day }: Day, minutes: number): Date {
  const shown = Date.UTC(year, month - 1, day, 0, minutes);
  // No zone is further than 14 hours from UTC, so a shift near the moment lies between these two.
  const [before, after] = [shiftAt(zone, shown - dayMs), shiftAt(zone, shown + dayMs)];
  const fitting = [before, after]
    .map((shift) => shown - shift)
    .filter((at) => at + shiftAt(zone, at) === shown);
  return new Date(fitting.length > 0 ? Math.min(...fitting) : shown - before);
}

/** The day that a calendar on the wall of a zone shows at a moment. */
export function dayAt(zone: string, at: Date): Day {
  return dayOf(at.getTime() + shiftAt(zone, at.getTime()));
}

/** The day so many days later, or earlier. */
export function dayAfter({ year, month, day }: Day, days = 1): Day {
  return dayOf(Date.UTC(year, month - 1, day + days));
}

/** 0 for Sunday. */
export function weekdayOf({ year, month, day }: Day): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

/** How many days the month has that a day is in. */
export function daysInMonth({ year, month }: Day): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Whether there is such a zone by name: an offset is none, for it knows no summer. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

function dayOf(shown: number): Day {
  const date = new Date(shown);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

const quarterMs = 900_000;
const knownMax = 50_000;
const known = new Map<string, number>();

/**
 * By how many milliseconds a zone's clock is ahead of UTC at a moment. It is asked once a quarter of an hour, when
 * every shift there is begins: monitors are due together, and asking takes a hundred times as long as knowing.
 */
function shiftAt(zone: string, at: number): number {
  const quarter = Math.floor(at / quarterMs);
  const key = `${zone} ${quarter}`;
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(quarter * quarterMs))
    parts[type] = Number(value);
  const { year = 0, month = 1, day, hour, minute, second } = parts;
  const shift = Date.UTC(year, month - 1, day, hour, minute, second) - quarter * quarterMs;
  if (known.size >= knownMax) known.clear();
  known.set(key, shift);
  return shift;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making one takes a hundred times as long as using it. Throws RangeError for no zone. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  // Names are taken in any case, so there are more of them than zones.
  if (formats.size >= 1000) formats.clear();
  formats.set(zone, made);
  return made;
}
