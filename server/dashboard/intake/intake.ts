import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { decoded } from '../../../lists/decode.ts';
import { type Field, rankFields } from '../../../lists/fields.ts';
import type { ChosenColumns, List, ListEntry, ListOptions } from '../../../lists/list.ts';
import { ListError } from '../../../lists/list-error.ts';
import { readSample } from '../../../lists/pieces.ts';
import { readList } from '../../../lists/read-list.ts';
import type { Form } from '../forms.ts';
import { readChosenCheck } from './checks.ts';
import type { ListFile } from './files.ts';

/** The list in the form, without duplicates. */
export interface Intake {
  /** Null if the list is empty or could not be read. */
  list: List | null;
  entries: ListEntry[];
  duplicates: number;
  /** Why the list could not be read; null if it could. */
  problem: string | null;
  /** Digest of the first line. Choices that the user made for a list with another digest do not apply. */
  about: string;
  /** Digest of how the list was read. A form that was shown with another digest is rejected. */
  understood: string;
  choice: ListOptions;
}

/** Content of the form. A file takes the place of the text, which is kept. */
export interface IntakeSource {
  text: string;
  file: ListFile | null;
}

/** Reads the file, else the text. Yields to other requests between pieces. */
export async function readIntake({ text, file }: IntakeSource, form?: Form): Promise<Intake> {
  const source = file ? decoded(bytePieces(file.bytes)) : inPieces(text);
  const { sample, isWhole, pieces } = await readSample(source);
  const about = digestOf(
    sample
      .slice(0, 2000)
      .trimStart()
      .split(/[\r\n]/, 1),
  );
  const choice = form ? choiceOf(form, about) : {};
  const none = { entries: [], duplicates: 0, about, understood: '', choice };
  if (isWhole && sample.trim() === '') return { ...none, list: null, problem: null };
  try {
    const list = await readList(pieces, choice);
    const entries = withoutDuplicates(list.entries);
    const duplicates = list.entries.length - entries.length;
    return { ...none, list, entries, duplicates, problem: null, understood: nameOf(list, choice) };
  } catch (error) {
    if (!(error instanceof ListError)) throw error;
    return { ...none, list: null, problem: error.message };
  }
}

/** Reads the user's choices about the list from the form. */
function choiceOf(form: Form, about: string): ListOptions {
  const check = readChosenCheck(form);
  const kind: ListOptions = check ? { kind: check === 'ranks' ? 'keywords' : 'urls' } : {};
  if (form.text('about') !== about) return kind;
  const whole = form.text('whole');
  return {
    ...kind,
    columns: columnsOf(form),
    ...(whole ? { isWhole: whole === 'yes' } : {}),
  };
}

function columnsOf(form: Form): ChosenColumns {
  const fields: Field[] = ['address', ...rankFields];
  const chosen = fields.flatMap((field) => {
    const text = form.text(`column_${field}`);
    return /^(?:-1|\d{1,3})$/.test(text) ? [[field, Number(text)]] : [];
  });
  return Object.fromEntries(chosen);
}

// Parsing a piece of this length takes less than a millisecond.
const pieceLength = 32 * 1024;

async function* inPieces(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += pieceLength) {
    if (at > 0) await setImmediate();
    yield text.slice(at, at + pieceLength);
  }
}

async function* bytePieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceLength) {
    if (at > 0) await setImmediate();
    yield bytes.subarray(at, at + pieceLength);
  }
}

function withoutDuplicates(entries: readonly ListEntry[]): ListEntry[] {
  const seen = new Set<string>();
  return entries.filter(({ text, rank }) => {
    const key = JSON.stringify([text, rank]);
    return seen.size < seen.add(key).size;
  });
}

/** Returns the digest for `understood`; '' if each line is an entry, because such a list is unambiguous. */
function nameOf({ kind, columns }: List, { isWhole }: ListOptions): string {
  if (columns.length === 0 && isWhole === undefined) return '';
  return digestOf([kind, isWhole, columns.map(({ name, field }) => [name, field])]);
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);
}
