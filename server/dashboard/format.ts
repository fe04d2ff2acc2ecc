/** Formats 1842 as `1,842`. */
export function grouped(count: number): string {
  return count.toLocaleString('en');
}

/** Formats a count with its noun: `1 credit`, `2 credits`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

const dayParts = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const timeParts = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const;

/** Formats a time as `23 Nov 2026, 06:12 UTC`. In the browser, script.js converts it to the local time zone. */
export function moment(date: Date, timeZone = 'UTC'): string {
  return new Intl.DateTimeFormat('en-GB', { ...dayParts, ...timeParts, timeZone }).format(date);
}

/** Formats the UTC day as `23 Nov 2026`. */
export function day(date: Date): string {
  return new Intl.DateTimeFormat('en-GB', { ...dayParts, timeZone: 'UTC' }).format(date);
}

export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 90) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const minutes = seconds / 60;
  return minutes < 90 ? `${Math.round(minutes)} min` : `${(minutes / 60).toFixed(1)} h`;
}

export function shortened(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1)}…`;
}

/** Formats a competitor's rank as `#7`, `not ranked` or `not searched`. */
export function competitorLabel(rank: number | 'not_ranked' | 'not_searched'): string {
  return typeof rank === 'number' ? `#${rank}` : rank.replace('_', ' ');
}

const fieldNames: Record<string, string> = {
  address: 'URLs',
  keyword: 'Keywords',
  url: 'Site or page',
  brd_mobile: 'Mobile',
  start_page: 'First page',
  end_page: 'Last page',
  full: 'Read all pages',
};

/** Returns the label of a field of a list, such as `Site or page` for `url`. */
export function fieldName(field: string): string {
  return fieldNames[field] ?? field.charAt(0).toUpperCase() + field.slice(1);
}
