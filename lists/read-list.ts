import { addScheme, isUnambiguousUrl, lacksScheme, looksLikeUrl } from './address.ts';
import {
  type ChosenColumns,
  type Column,
  detectColumns,
  detectKind,
  type Layout,
  type ListKind,
} from './columns.ts';
import { type Dialect, detectDialect } from './dialect.ts';
import { type ListEntry, toEntries } from './entries.ts';
import type { Field } from './fields.ts';
import { ListError } from './list-error.ts';
import { stripMarker } from './markers.ts';
import { type Pieces, readSample } from './pieces.ts';
import { readRows } from './rows.ts';

/** Choices of the user for reading a list. */
export interface ListChoice {
  /** Default: detected from the content. */
  kind?: ListKind;
  columns?: ChosenColumns;
  /** True: each line is one entry, even with commas. Default: detected, or the user is asked. */
  isWhole?: boolean;
  /** Adds https:// to URLs without a scheme. */
  addsScheme?: boolean;
  entriesMax?: number;
}

/** A question to the user about an ambiguous list. */
export type Question =
  | { about: 'column'; field: Field; columns: Column[] }
  /** Does a separator end the URL? Contains both readings of the first line. */
  | { about: 'whole'; cell: string; line: string };

export interface List {
  kind: ListKind;
  entries: ListEntry[];
  /** All columns of a table; empty if each line is an entry. */
  columns: Column[];
  /** Must be answered before anything is charged; null if the list is clear. */
  question: Question | null;
  /** Number of lines of URLs that begin with #, which are skipped. */
  comments: number;
  /** Number of rows without a URL or keyword. */
  blank: number;
  /** Number of URLs without a scheme in the source, even if the scheme was added. */
  withoutScheme: number;
  /** Number of keywords that look like URLs. */
  addressLike: number;
}

export const listEntriesMax = 100_000;

/** Reads a list with an entry per line, or a table. Throws ListError if it is neither. */
export async function readList(source: Pieces, choice: ListChoice = {}): Promise<List> {
  const { sample, isWhole, pieces } = await readSample(source);
  const dialect = await detectDialect(sample, isWhole);
  const question = askAboutSeparator(dialect, sample, choice);
  const lines = { ...dialect, delimiter: null, headerAt: -1, rows: [] };
  const read = question || choice.isWhole ? lines : dialect;
  const layout =
    read.delimiter === null ? null : detectColumns(read, choice.kind ?? detectKind(read), choice.columns);
  const kind = choice.kind ?? (layout ? detectKind(read) : detectKindOfLines(sample));
  const list: List = {
    kind,
    entries: [],
    columns: layout?.columns ?? [],
    question: question ?? askAboutColumn(layout),
    ...{ comments: 0, blank: 0, withoutScheme: 0, addressLike: 0 },
  };
  await addEntries(list, pieces, read, layout, choice);
  return list;
}

async function addEntries(
  list: List,
  pieces: Pieces,
  { delimiter, headerAt }: Dialect,
  layout: Layout | null,
  { addsScheme = false, entriesMax = listEntriesMax }: ListChoice,
): Promise<void> {
  let at = 0;
  for await (const row of readRows(pieces, delimiter)) {
    if (at++ <= headerAt) continue;
    for (const entry of toEntries(row, list, layout?.fields ?? null)) {
      if (list.kind === 'urls' && lacksScheme(entry.text)) list.withoutScheme += 1;
      if (list.kind === 'keywords' && isUnambiguousUrl(entry.text)) list.addressLike += 1;
      list.entries.push(
        addsScheme && list.kind === 'urls' ? { ...entry, text: addScheme(entry.text) } : entry,
      );
      if (list.entries.length > entriesMax) throw tooMany(entriesMax);
    }
  }
}

/** Asks whether a comma or semicolon is part of the URL before it, unless a header or quotes show the answer. */
function askAboutSeparator(dialect: Dialect, sample: string, { isWhole }: ListChoice): Question | null {
  const { delimiter, headerAt, rows } = dialect;
  if (isWhole !== undefined || headerAt >= 0 || (delimiter !== ',' && delimiter !== ';')) return null;
  const cell = rows[0]?.cells[0] ?? '';
  if (!looksLikeUrl(cell) || sample.includes('"')) return null;
  return { about: 'whole', cell, line: sample.trimStart().split(/\r\n|\r|\n/, 1)[0] ?? '' };
}

function askAboutColumn(layout: Layout | null): Question | null {
  if (!layout?.unsure) return null;
  const { field, columns } = layout.unsure;
  return { about: 'column', field, columns: layout.columns.filter(({ index }) => columns.includes(index)) };
}

function detectKindOfLines(sample: string): ListKind {
  const lines = sample
    .split(/\r\n|\r|\n/)
    .flatMap((line) => stripMarker(line.trim()).replaceAll(/["'<>]/g, '') || []);
  const urls = lines.filter((line) => looksLikeUrl(line.split(/[\s,;]/, 1)[0] ?? '') || line.startsWith('#'));
  return lines.length > 0 && urls.length * 2 >= lines.length ? 'urls' : 'keywords';
}

function tooMany(entriesMax: number): ListError {
  return new ListError(`The list is too long. The limit is ${entriesMax.toLocaleString('en')} entries.`);
}
