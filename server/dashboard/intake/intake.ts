import { createHash } from 'node:crypto';
import type { TaskCaller } from '../../../checks/task-thread.ts';
import type { List, ListOptions } from '../../../lists/list.ts';
import { ListError } from '../../../lists/list-error.ts';
import { readList } from '../../../lists/read-list.ts';
import type { DashboardContext } from '../context.ts';
import type { Form } from '../forms.ts';
import { readAnswers } from './answers.ts';
import type { ListFile } from './files.ts';

/** The list in the form. */
export interface Intake {
  /** Null if the list is empty or could not be read. */
  list: List | null;
  /** Why the list could not be read; null if it could. */
  problem: string | null;
  /** Digest of the beginning of the list. The user's answers apply only to a list with the same digest. */
  about: string;
  /** Digest of how the list was read. A form that was shown with another digest is rejected. */
  understood: string;
  options: ListOptions;
}

/** Content of the form. If there is a file, the text is kept but not read. */
export interface IntakeSource {
  text: string;
  file: ListFile | null;
}

/** Reads the file or the text. Files and long texts are read on the documents thread, which takes over their memory. */
export async function readIntake(
  { documents }: Pick<DashboardContext, 'documents'>,
  { text, file }: IntakeSource,
  form: Form | undefined,
  caller: TaskCaller,
): Promise<Intake> {
  const about = file ? digestOf([file.size, beginningOf(file)]) : digestOf(firstLineOf(text));
  const options = form ? readAnswers(form, about) : {};
  const none = { list: null, problem: null, about, understood: '', options };
  if (!file && text.trim() === '') return none;
  try {
    const bytes = file?.bytes ?? (text.length > shortTextLength ? Buffer.from(text) : null);
    const list = bytes
      ? await documents.readList(bytes, file ? options : { ...options, encoding: 'utf-8' }, caller)
      : await readList([text], options);
    return { ...none, list, understood: toDigest(list, options, file) };
  } catch (error) {
    caller.signal.throwIfAborted();
    if (!(error instanceof ListError)) throw error;
    return { ...none, problem: error.message };
  }
}

function beginningOf({ bytes }: ListFile): string {
  return bytes.toString('base64', 0, 64 * 1024);
}

function firstLineOf(text: string): string {
  return (
    text
      .slice(0, 2000)
      .trimStart()
      .split(/[\r\n]/, 1)[0] ?? ''
  );
}

// The most expensive text of this length takes some tens of milliseconds.
const shortTextLength = 4 * 1024;

export function isShort({ text, file }: IntakeSource): boolean {
  return !file && text.length <= shortTextLength;
}

/** Returns the digest for `understood`; '' for pasted lines, which need no preview, and for an open question. */
function toDigest(
  { format, kind, table, columns, question }: List,
  options: ListOptions,
  file: ListFile | null,
): string {
  const { isWhole, hasHeader, encoding, host } = options;
  if (question || (!file && format === 'lines' && isWhole === undefined && host === undefined)) return '';
  return digestOf([
    kind,
    table,
    isWhole,
    hasHeader,
    encoding,
    host,
    columns.map(({ name, field }) => [name, field]),
  ]);
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);
}
