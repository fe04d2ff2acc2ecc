import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { BatchEntry } from '../../batches/accept.ts';
import { toStorableText } from '../../db/postgres/text.ts';
import type { FieldErrorCollector, FieldErrors } from '../http/errors.ts';

export interface ListOptions {
  dedupe: boolean;
  /** `skip`: an invalid entry becomes a failed item. `reject`: it fails the request. */
  onInvalid: 'reject' | 'skip';
}

/** A valid entry with a key that detects duplicates, or the errors of an invalid entry. */
export type ParsedEntry<T> =
  | { value: T; sameAs: string; faults: null }
  | { value?: never; faults: FieldErrors };

interface ReadList<T> {
  valid: BatchEntry<T>[];
  /** Invalid entries as sent. Empty unless `on_invalid` is `skip`. */
  skipped: Array<{ position: number; entry: unknown; problem: string }>;
  /** Number of duplicate URLs or queries. */
  duplicates: number;
  /** Index in the sent list of each position. They differ once `dedupe` has removed an entry. */
  indexes: number[];
}

/** Other requests run between slices of this duration. The most expensive list of 2,000 queries takes 170 ms. */
const sliceMs = 1;

/** Reads a list entry by entry. Adds the errors of invalid entries to `faults`, with paths such as `field.17`. */
export async function readList<T>(
  entries: readonly unknown[],
  { dedupe, onInvalid }: ListOptions,
  field: string,
  faults: FieldErrorCollector,
  readOne: (entry: unknown, index: number) => ParsedEntry<T>,
): Promise<ReadList<T>> {
  // Long entries are compared by SHA-256. Their JSON could take eight million characters of memory, and V8 hashes texts
  // above 16,383 characters by their length only, so that all of one length would be compared with each other.
  const seen = new Set<string>();
  const list: ReadList<T> = { valid: [], skipped: [], duplicates: 0, indexes: [] };
  let sliceEndMs = performance.now() + sliceMs;
  for (let index = 0; index < entries.length; index++) {
    if (performance.now() > sliceEndMs) {
      await setImmediate();
      sliceEndMs = performance.now() + sliceMs;
    }
    const entry = entries[index];
    const read = readOne(entry, index);
    const sameAs = read.faults ? JSON.stringify(entry) : read.sameAs;
    const fingerprint = sameAs.length > 100 ? hash('sha256', sameAs, 'base64') : sameAs;
    const sizeBefore = seen.size;
    const isDuplicate = seen.add(fingerprint).size === sizeBefore;
    if (isDuplicate) list.duplicates += 1;
    if (isDuplicate && dedupe) continue;
    const position = list.indexes.push(index) - 1;
    if (!read.faults) list.valid.push({ position, input: read.value });
    else if (onInvalid === 'skip') {
      list.skipped.push({ position, entry, problem: describeFirstError(read.faults, `${field}.${index}`) });
    } else faults.add(read.faults);
  }
  return list;
}

// The problem may quote the request and costs no credits. Its length is therefore limited.
const problemLengthMax = 200;

/** Describes the first error of the entry at `path`. */
function describeFirstError(faults: FieldErrors, path: string): string {
  const [[name, [message = '']] = [path, ['']]] = Object.entries(faults);
  const field = name.slice(path.length + 1);
  return toStorableText(field ? `${field}: ${message}` : message)
    .slice(0, problemLengthMax)
    .toWellFormed();
}
