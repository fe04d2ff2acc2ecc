export const dayMs = 86_400_000;

export const invalidDateTime = 'Must be a date or a time such as 2026-11-20 or 2026-11-20T09:41:05+00:00.';

/** Parses an ISO 8601 time or date; undefined if it is invalid. */
export function parseDateTime(text: string): Date | undefined {
  const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text);
  const moment = new Date(withZone(text));
  return isIso && !Number.isNaN(moment.getTime()) ? moment : undefined;
}

function withZone(moment: string): string {
  return /T[\d:.]+$/.test(moment) ? `${moment}Z` : moment;
}
