import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { BatchEntry, SkippedEntry } from '../../batches/accept.ts';
import { toStorableText } from '../../db/postgres/text.ts';
import type { FieldErrorCollector, FieldErrors } from '../http/errors.ts';

export interface ListOptions {
  dedupe: boolean;
  /** `skip`: an invalid entry becomes a failed item. `reject`: an invalid entry fails the request. */
  onInvalid: 'reject' | 'skip';
}

/** A valid entry with a key that detects duplicates, or the errors of an invalid entry. */
export type ParsedEntry<T> =
  | { value: T; sameAs: string; faults: null }
  | { value?: never; faults: FieldErrors };

export interface ParsedEntries<T, F> {
  valid: BatchEntry<T>[];
  /** Invalid entries. Always empty if `onInvalid` is `reject`. */
  skipped: SkippedEntry<F>[];
  /** Number of duplicate URLs or queries. */
  duplicates: number;
  /** Index in the sent list, by position in the batch. Both differ after `dedupe` has removed an entry. */
  indexes: number[];
}

/**
 * Duration of a slice of the work. Other requests run between two slices. The most expensive list of 2,000 queries
 * takes 170 ms.
 */
const sliceMs = 1;

interface EntryReader<T, F> {
  /** Name of the list. Errors have paths such as `field.17`. */
  field: string;
  read(entry: unknown, path: string): ParsedEntry<T>;
  /** Converts an invalid entry for storage. */
  toSkipped(entry: unknown): F;
}

/** Reads a list entry by entry. If `onInvalid` is `reject`, adds the errors of invalid entries to `faults`. */
export async function readList<T, F>(
  entries: readonly unknown[],
  { dedupe, onInvalid }: ListOptions,
  faults: FieldErrorCollector,
  { field, read, toSkipped }: EntryReader<T, F>,
): Promise<ParsedEntries<T, F>> {
  // Long entries are compared by SHA-256. Their JSON could take eight million characters of memory. V8 also hashes
  // texts above 16,383 characters by length only, so a set would compare all texts of one length.
  const seen = new Set<string>();
  const list: ParsedEntries<T, F> = { valid: [], skipped: [], duplicates: 0, indexes: [] };
  let sliceEndMs = performance.now() + sliceMs;
  for (let index = 0; index < entries.length; index++) {
    if (performance.now() > sliceEndMs) {
      await setImmediate();
      sliceEndMs = performance.now() + sliceMs;
    }
    const entry = entries[index];
    const path = `${field}.${index}`;
    const found = read(entry, path);
    const sameAs = found.faults ? JSON.stringify(entry) : found.sameAs;
    const fingerprint = sameAs.length > 100 ? hash('sha256', sameAs, 'base64') : sameAs;
    const sizeBefore = seen.size;
    const isDuplicate = seen.add(fingerprint).size === sizeBefore;
    if (isDuplicate) list.duplicates += 1;
    if (isDuplicate && dedupe) continue;
    const position = list.indexes.push(index) - 1;
    if (!found.faults) list.valid.push({ position, input: found.value });
    else if (onInvalid === 'skip') {
      const problem = describeFirstError(found.faults, path);
      list.skipped.push({ position, input: toSkipped(entry), problem });
    } else faults.add(found.faults);
  }
  return list;
}

// The text of a problem may quote the request, and is stored free of charge. Its length is therefore limited.
const problemLengthMax = 200;

/** Describes the first error of the entry at `path`. */
function describeFirstError(faults: FieldErrors, path: string): string {
  const [[name, [message = '']] = [path, ['']]] = Object.entries(faults);
  const field = name.slice(path.length + 1);
  return toStorableText(field ? `${field}: ${message}` : message)
    .slice(0, problemLengthMax)
    .toWellFormed();
}
