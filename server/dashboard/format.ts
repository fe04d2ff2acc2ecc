import type { FailedInputOf } from '../../schemas/check-types.ts';

export { counted, grouped } from '../../process/counted.ts';

const dayParts = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const timeParts = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const;

// Pages share one format for UTC. Creating a format takes as long as formatting a hundred times, and a page shows
// hundreds of times.
const momentFormat = createMomentFormat('UTC');
const dayFormat = new Intl.DateTimeFormat('en-GB', { ...dayParts, timeZone: 'UTC' });

/** Formats a time as `23 Nov 2026, 06:12 UTC`. In the browser, script.js converts UTC times to the reader's zone. */
export function moment(date: Date, timeZone = 'UTC'): string {
  const format = timeZone === 'UTC' ? momentFormat : createMomentFormat(timeZone);
  return format.format(date);
}

function createMomentFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', { ...dayParts, ...timeParts, timeZone });
}

/** Formats a time to the second, so that two runs within a minute differ: `23 Nov 2026, 06:12:41 UTC`. */
export function preciseMoment(date: Date): string {
  const parts = { ...dayParts, ...timeParts, second: '2-digit', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-GB', parts).format(date);
}

/** Formats the UTC day as `23 Nov 2026`. */
export function day(date: Date): string {
  return dayFormat.format(date);
}

export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 90) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const minutes = seconds / 60;
  return minutes < 90 ? `${Math.round(minutes)} min` : `${(minutes / 60).toFixed(1)} h`;
}

/** Formats a number of bytes as `52 KB` or `1.4 MB`. */
export function fileSize(bytes: number): string {
  const kilobytes = bytes / 1024;
  return kilobytes < 1000 ? `${Math.ceil(kilobytes)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}

export function shortened(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1)}…`;
}

/** Formats a site or page without scheme, `www.` and final slash: `shop.example`, `shop.example/shoes`. */
export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '');
}

/** Formats a competitor's rank as `#7`, `not ranked` or `not searched`. */
export function competitorLabel(rank: number | 'not_ranked' | 'not_searched'): string {
  return typeof rank === 'number' ? `#${rank}` : rank.replace('_', ' ');
}

/** Formats the place, language and device of a search: `DE · de · mobile`, or with a city instead of the country. */
export function searchLabel({ country, location, language, device }: FailedInputOf<'keyword'>): string {
  return [location ?? country, language, device].filter(Boolean).join(' · ');
}

const fieldNames: Record<string, string> = {
  address: 'URLs',
  keyword: 'Keywords',
  url: 'Site or page',
  location: 'City',
  brd_mobile: 'Mobile',
  start_page: 'First page',
  end_page: 'Last page',
  full: 'Read all pages',
};

/** Returns the label of a field of a list, such as `Site or page` for `url`. */
export function fieldName(field: string): string {
  return fieldNames[field] ?? field.charAt(0).toUpperCase() + field.slice(1);
}
