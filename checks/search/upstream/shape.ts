import { normaliseQuery } from '../google/query.ts';

/** Returns an object from a provider's JSON; an empty object for other values. */
export function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** Returns the objects of a list; null for other values. */
export function toRecords(value: unknown): Record<string, unknown>[] | null {
  return Array.isArray(value) ? value.map(toRecord) : null;
}

/**
 * Returns a provider's list of entries as received; null if it is missing. Any other value becomes a list with one
 * empty entry. An entry that is not an object becomes an empty entry. Reading an empty entry fails.
 */
export function toEntries(value: unknown): Record<string, unknown>[] | null {
  return value === undefined || value === null ? null : (toRecords(value) ?? [{}]);
}

export function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function isSameQuery(asked: string, answered: string): boolean {
  return normaliseQuery(asked) === normaliseQuery(answered);
}
