import { hash } from 'node:crypto';
import type { BatchEntry } from '../../batches/accept.ts';
import { storableText } from '../../db/postgres/storable.ts';
import type { FieldErrors, FieldFaults } from '../http/errors.ts';
import { createPace } from '../http/loop-turns.ts';

/** What the caller of a list chose. */
export interface EntryChoice {
  /** Of equal entries only the first counts. */
  dedupe: boolean;
  /** Whether entries that do not fit keep their place or refuse the request. */
  onInvalid: 'reject' | 'skip';
}

export interface ListOptions extends EntryChoice {
  /** Whose turns of the event loop its reading takes. */
  accountId: number;
}

/** What became of an entry: what it is read as, and by what it equals others; or what is wrong with it. */
export type ReadEntry<T> =
  | { value: T; sameAs: string; faults: null }
  | { value?: never; faults: FieldErrors };

export interface ReadList<T> {
  valid: BatchEntry<T>[];
  /** Entries that do not fit, as they came; with `on_invalid: "skip"` only. */
  skipped: Array<{ position: number; entry: unknown; problem: string }>;
  /** How many entries equal an earlier one. */
  duplicates: number;
}

// Sixty short addresses, or three queries with ten competitors, to a turn of the event loop: less than a millisecond.
const [charactersPerTurn, charactersPerValue] = [32 * 1024, 512];

/**
 * Reads a list entry by entry, `field.17` being the path of the eighteenth; what refuses the request is noted. Between
 * pieces of a long list everybody else is served.
 */
export async function readList<T>(
  entries: readonly unknown[],
  { accountId, dedupe, onInvalid }: ListOptions,
  field: string,
  faults: FieldFaults,
  readOne: (entry: unknown, index: number) => ReadEntry<T>,
): Promise<ReadList<T>> {
  // By fingerprints where a text would be made and kept for it: for a long body eight million characters.
  const seen = new Set<string>();
  const list: ReadList<T> = { valid: [], skipped: [], duplicates: 0 };
  const pace = createPace(accountId, charactersPerTurn);
  let position = 0;
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index];
    const read = readOne(entry, index);
    const sameAs = read.faults ? JSON.stringify(entry) : read.sameAs;
    const print = typeof entry === 'string' ? sameAs : hash('sha256', sameAs, 'base64');
    const before = seen.size;
    const isDuplicate = seen.add(print).size === before;
    const turn = pace.did(charactersPerValue * valuesOf(entry) + sameAs.length);
    if (turn) await turn;
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

/** How many there are to be judged in it. */
function valuesOf(entry: unknown): number {
  if (typeof entry !== 'object' || entry === null) return 1;
  return Math.max(1, Object.values(entry).flat(1).length);
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
