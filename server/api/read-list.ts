import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { BatchEntry } from '../../batches/accept.ts';
import { storableText } from '../../db/postgres/storable.ts';
import type { FieldErrors, FieldFaults } from '../http/errors.ts';

/** What the caller of a list chose. */
export interface ListOptions {
  /** Of equal entries only the first counts. */
  dedupe: boolean;
  /** Whether entries that do not fit keep their place or refuse the request. */
  onInvalid: 'reject' | 'skip';
}

/** What became of an entry: what it is read as, and by what it equals others; or what is wrong with it. */
export type ReadEntry<T> =
  | { value: T; sameAs: string; faults: null }
  | { value?: never; faults: FieldErrors };

interface ReadList<T> {
  valid: BatchEntry<T>[];
  /** Entries that do not fit, as they came; with `on_invalid: "skip"` only. */
  skipped: Array<{ position: number; entry: unknown; problem: string }>;
  /** How many entries equal an earlier one. */
  duplicates: number;
}

/** Other requests run after each slice. 2,000 of the most expensive queries take 170 ms. */
const sliceMs = 1;

/** Reads a list entry by entry, `field.17` being the path of the eighteenth; notes what refuses the request. */
export async function readList<T>(
  entries: readonly unknown[],
  { dedupe, onInvalid }: ListOptions,
  field: string,
  faults: FieldFaults,
  readOne: (entry: unknown, index: number) => ReadEntry<T>,
): Promise<ReadList<T>> {
  // By fingerprints where a text would be made and kept for it: for a long body eight million characters.
  const seen = new Set<string>();
  const list: ReadList<T> = { valid: [], skipped: [], duplicates: 0 };
  let position = 0;
  let sliceEndMs = performance.now() + sliceMs;
  for (let index = 0; index < entries.length; index++) {
    if (performance.now() > sliceEndMs) {
      await setImmediate();
      sliceEndMs = performance.now() + sliceMs;
    }
    const entry = entries[index];
    const read = readOne(entry, index);
    const sameAs = read.faults ? JSON.stringify(entry) : read.sameAs;
    const print = typeof entry === 'string' ? sameAs : hash('sha256', sameAs, 'base64');
    const before = seen.size;
    const isDuplicate = seen.add(print).size === before;
    if (isDuplicate) list.duplicates += 1;
    if (isDuplicate && dedupe) continue;
    if (!read.faults) list.valid.push({ position, input: read.value });
    else if (onInvalid === 'skip') {
      list.skipped.push({ position, entry, problem: problemOf(read.faults, `${field}.${index}`) });
    } else faults.add(read.faults);
    position += 1;
  }
  return list;
}

// It is kept uncharged, and may repeat what was sent.
const problemLengthMax = 200;

/** The first fault of the entry at a path as a sentence, which names the field at fault where it has fields. */
function problemOf(faults: FieldErrors, path: string): string {
  const [[name, [message = '']] = [path, ['']]] = Object.entries(faults);
  const field = name.slice(path.length + 1);
  return storableText(field ? `${field}: ${message}` : message)
    .slice(0, problemLengthMax)
    .toWellFormed();
}
