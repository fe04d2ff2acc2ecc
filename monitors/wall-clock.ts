/** A calendar day. `month` is 1 to 12. */
export interface Day {
  year: number;
  month: number;
  day: number;
}

const dayMs = 86_400_000;

/**
 * Converts a local time, in minutes after midnight, to an instant. If a time occurs twice, returns the first instant.
 * If a clock change skips a time, the time moves forward: 02:30 becomes 03:30. Source: docs/monitors.md.
 */
export function toInstant(zone: string, { year, month, day }: Day, minutes: number): Date {
  const localMs = Date.UTC(year, month - 1, day, 0, minutes);
  // `localMs` reads the local time as UTC. The wanted instant is at most 14 hours away. The clocks change at most once
  // in these two days. The offset of the wanted instant is therefore the offset of a day earlier or of a day later.
  const [before, after] = [offsetAt(zone, localMs - dayMs), offsetAt(zone, localMs + dayMs)];
  const candidates = [before, after]
    .map((offset) => localMs - offset)
    .filter((at) => at + offsetAt(zone, at) === localMs);
  return new Date(candidates.length > 0 ? Math.min(...candidates) : localMs - before);
}

export function toDay(zone: string, at: Date): Day {
  return toUtcDay(at.getTime() + offsetAt(zone, at.getTime()));
}

export function addDays({ year, month, day }: Day, days = 1): Day {
  return toUtcDay(Date.UTC(year, month - 1, day + days));
}

/** Returns 0 for Sunday to 6 for Saturday. */
export function getWeekday({ year, month, day }: Day): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

export function daysInMonth({ year, month }: Day): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Returns true for the name of a time zone. An offset is not a time zone, because it has no daylight saving time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    getFormat(name);
    return true;
  } catch {
    return false;
  }
}

function toUtcDay(localMs: number): Day {
  const date = new Date(localMs);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

const quarterMs = 900_000;
const offsetsMax = 50_000;
const offsets = new Map<string, number>();

/**
 * Returns a zone's offset from UTC in milliseconds. Caches offsets, because Intl is a hundred times slower and many
 * monitors are due at the same time. A cache entry covers a quarter of an hour. Clocks change only between quarters.
 */
function offsetAt(zone: string, at: number): number {
  const quarter = Math.floor(at / quarterMs);
  const key = `${zone} ${quarter}`;
  const cached = offsets.get(key);
  if (cached !== undefined) return cached;
  const parts: Record<string, number> = {};
  for (const { type, value } of getFormat(zone).formatToParts(quarter * quarterMs))
    parts[type] = Number(value);
  const { year = 0, month = 1, day, hour, minute, second } = parts;
  const offset = Date.UTC(year, month - 1, day, hour, minute, second) - quarter * quarterMs;
  if (offsets.size >= offsetsMax) offsets.clear();
  offsets.set(key, offset);
  return offset;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns the format of a zone. Caches it, because its creation takes a hundred times as long as its use. Throws
 * RangeError for an unknown zone.
 */
function getFormat(zone: string): Intl.DateTimeFormat {
  const cached = formats.get(zone);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  // The cache has a limit, because a zone can have many names: names are case-insensitive.
  if (formats.size >= 1000) formats.clear();
  formats.set(zone, format);
  return format;
}
