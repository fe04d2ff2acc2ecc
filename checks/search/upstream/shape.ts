import { normaliseQuery } from '../google/query.ts';

/** A value out of a provider's JSON as an object; empty when it is none, so that a missing part reads as missing. */
export function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** The objects of a list; null when it is no list. */
export function toRecords(value: unknown): Record<string, unknown>[] | null {
  return Array.isArray(value) ? value.map(toRecord) : null;
}

/**
 * A provider's list of entries, unread; null when there is none. What is no list reads as one entry that cannot be
 * read, and so does each that is no object.
 */
export function toEntries(value: unknown): Record<string, unknown>[] | null {
  return value === undefined || value === null ? null : (toRecords(value) ?? [{}]);
}

/** A string, or null. */
export function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Whether two spellings of a query are one, as far as Google cares. */
export function isSameQuery(asked: string, answered: string): boolean {
  return normaliseQuery(asked) === normaliseQuery(answered);
}
