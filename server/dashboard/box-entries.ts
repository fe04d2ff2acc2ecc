import { CsvError, parse } from 'csv-parse/sync';

/** One thing to check, and the line of the box it stands in. */
export interface BoxEntry {
  line: number;
  text: string;
  /** Further columns of a table, by lower-case name. */
  columns: Record<string, string>;
}

/** Why what was pasted is not read; the message is for whoever pasted it. */
export class BoxError extends Error {}

// Lines that are read at all: some lists name everything several times.
const linesMax = 10_000;

/** What was pasted, a table with a header or an entry per line. Throws BoxError. */
export function readEntries(text: string): BoxEntry[] {
  return readTable(text) ?? readLines(text);
}

function readLines(text: string): BoxEntry[] {
  const entries: BoxEntry[] = [];
  for (const [index, line] of text.split(/\r\n|\r|\n/, linesMax + 1).entries()) {
    for (const part of partsOf(line)) entries.push({ line: index + 1, text: part, columns: {} });
    if (index === linesMax || entries.length > linesMax) throw tooMany();
  }
  return entries;
}

/**
 * Several addresses in one line are several entries; a comma may be part of one. A gap is looked at where it
 * begins only.
 */
function partsOf(line: string): string[] {
  const parts = line.split(/(?<![\s,;])[\s,;]+(?=https?:\/\/)/i, linesMax + 1);
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

const columnsMax = 100;
// Each is made, whether it is used or not: what a batch takes, with fifty columns.
const cellsMax = 100_000;
const mainColumns = ['url', 'keyword', 'address', 'loc', 'link', 'page', 'query'];

/** A table is known by its header; null when the first line is none. */
function readTable(text: string): BoxEntry[] | null {
  const [header = ''] = text
    .trimStart()
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/, 1);
  const delimiter = [',', ';', '\t'].find((character) => header.includes(character)) ?? ',';
  const names = header
    .split(delimiter, columnsMax)
    .map((name) => name.trim().replaceAll('"', '').toLowerCase());
  const main = names.includes('keyword') ? 'keyword' : names.find((name) => mainColumns.includes(name));
  if (!main) return null;
  if (isMoreThan(cellsMax, delimiter, text))
    throw new BoxError('This table has too many columns. Take some out.');
  const rows = parseRows(text, delimiter, names);
  return rows
    .map(({ line, columns }) => ({ line, text: columns[main]?.trim() ?? '', columns }))
    .filter((entry) => entry.text !== '')
    .map((entry) => (main === 'keyword' ? entry : { ...entry, columns: {} }));
}

function isMoreThan(countMax: number, delimiter: string, text: string): boolean {
  let at = -1;
  for (let count = 0; count <= countMax; count++) {
    at = text.indexOf(delimiter, at + 1);
    if (at === -1) return false;
  }
  return true;
}

function parseRows(text: string, delimiter: string, names: string[]) {
  let lastLine = 1;
  try {
    const rows = parse(text, {
      delimiter,
      columns: names,
      from: 2,
      to: linesMax + 2,
      bom: true,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      on_record: (row, { lines }) => {
        lastLine = lines;
        return row;
      },
    }) as unknown as Array<{ record: Record<string, string>; info: { lines: number } }>;
    if (rows.length > linesMax) throw tooMany();
    return rows.map(({ record, info }) => ({ line: info.lines, columns: record }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED';
    throw new BoxError(
      `Line ${lastLine + 1}: ${isOpen ? 'a quote is not closed.' : 'this row cannot be read.'}`,
    );
  }
}

function tooMany(): BoxError {
  return new BoxError('There are more than 10,000 lines. Take some out: at most 2,000 fit in one batch.');
}
