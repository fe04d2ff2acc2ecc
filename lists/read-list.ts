import { isLikeAddress, isSurelyAddress, lacksScheme, withScheme } from './address.ts';
import { type ChosenColumns, type Column, kindOf, type Layout, type ListKind, layoutOf } from './columns.ts';
import { type Dialect, dialectOf } from './dialect.ts';
import { entriesOf, type ListEntry } from './entries.ts';
import type { Field } from './fields.ts';
import { ListError } from './list-error.ts';
import { withoutMarker } from './markers.ts';
import { type Pieces, sampled } from './pieces.ts';
import { rowsOf } from './rows.ts';

/** What somebody who brings a list has chosen of it. */
export interface ListChoice {
  /** What it is read for; by what it holds when nothing is said. */
  kind?: ListKind;
  columns?: ChosenColumns;
  /** Whether each line is one entry, commas and all; asked only where both could be meant. */
  isWhole?: boolean;
  /** Whether addresses without a scheme get https. */
  addsScheme?: boolean;
  entriesMax?: number;
}

/** What only the one who brought a list can say. */
export type Question =
  | { about: 'column'; field: Field; columns: Column[] }
  /** Whether a separator ends the address, with the first line both ways. */
  | { about: 'whole'; cell: string; line: string };

/** A list as it was understood. */
export interface List {
  kind: ListKind;
  entries: ListEntry[];
  /** The columns of a table, used and unused; none where each line is an entry. */
  columns: Column[];
  /** To be answered before anything is charged; null when nothing is unclear. */
  question: Question | null;
  /** How many lines begin with #, which is how addresses are left out. */
  comments: number;
  /** How many rows have nothing in the column that is read. */
  blank: number;
  /** How many addresses lack a scheme, or lacked it and have got one. */
  withoutScheme: number;
  /** How many keywords look like addresses. */
  addressLike: number;
}

export const listEntriesMax = 100_000;

/** Reads whatever was brought: a list with an entry per line, or a table. Throws ListError when it is neither. */
export async function readList(source: Pieces, choice: ListChoice = {}): Promise<List> {
  const { sample, isWhole, pieces } = await sampled(source);
  const dialect = await dialectOf(sample, isWhole);
  const question = endQuestion(dialect, sample, choice);
  const lines = { ...dialect, delimiter: null, headerAt: -1, rows: [] };
  const read = question || choice.isWhole ? lines : dialect;
  const layout = read.delimiter === null ? null : layoutOf(read, choice.kind ?? kindOf(read), choice.columns);
  const kind = choice.kind ?? (layout ? kindOf(read) : kindOfLines(sample));
  const list: List = {
    kind,
    entries: [],
    columns: layout?.columns ?? [],
    question: question ?? columnQuestion(layout),
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
  for await (const row of rowsOf(pieces, delimiter)) {
    if (at++ <= headerAt) continue;
    for (const entry of entriesOf(row, list, layout?.fields ?? null)) {
      if (list.kind === 'urls' && lacksScheme(entry.text)) list.withoutScheme += 1;
      if (list.kind === 'keywords' && isSurelyAddress(entry.text)) list.addressLike += 1;
      list.entries.push(
        addsScheme && list.kind === 'urls' ? { ...entry, text: withScheme(entry.text) } : entry,
      );
      if (list.entries.length > entriesMax) throw tooMany(entriesMax);
    }
  }
}

/** Without a header or a quote, a comma may be part of the address before it. */
function endQuestion(dialect: Dialect, sample: string, { isWhole }: ListChoice): Question | null {
  const { delimiter, headerAt, rows } = dialect;
  if (isWhole !== undefined || headerAt >= 0 || (delimiter !== ',' && delimiter !== ';')) return null;
  const cell = rows[0]?.cells[0] ?? '';
  if (!isLikeAddress(cell) || sample.includes('"')) return null;
  return { about: 'whole', cell, line: sample.trimStart().split(/\r\n|\r|\n/, 1)[0] ?? '' };
}

function columnQuestion(layout: Layout | null): Question | null {
  if (!layout?.unsure) return null;
  const { field, columns } = layout.unsure;
  return { about: 'column', field, columns: layout.columns.filter(({ index }) => columns.includes(index)) };
}

function kindOfLines(sample: string): ListKind {
  const lines = sample
    .split(/\r\n|\r|\n/)
    .flatMap((line) => withoutMarker(line.trim()).replaceAll(/["'<>]/g, '') || []);
  const alike = lines.filter(
    (line) => isLikeAddress(line.split(/[\s,;]/, 1)[0] ?? '') || line.startsWith('#'),
  );
  return lines.length > 0 && alike.length * 2 >= lines.length ? 'urls' : 'keywords';
}

function tooMany(entriesMax: number): ListError {
  const most = entriesMax.toLocaleString('en');
  return new ListError(`There are more than ${most} lines. Take some out: ${most} are taken at once.`);
}
