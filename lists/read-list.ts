import {
  addScheme,
  isBarePath,
  isPath,
  isPathFromRoot,
  isUnambiguousUrl,
  joinToHost,
  lacksScheme,
  looksLikeUrl,
} from './address.ts';
import { readMarkdownLink } from './cells.ts';
import {
  describeColumns,
  detectColumns,
  detectKind,
  isNumberUpTo,
  type Layout,
  rateFit,
  withoutBlank,
} from './columns.ts';
import {
  findTopRow,
  hasSections,
  hasWords,
  isBelowBlank,
  isComment,
  isOtherHeader,
  isTitle,
  type TableHead,
} from './dialect.ts';
import { addToSums, isTotal, removeTextAfterUrl, toEntries } from './entries.ts';
import type { Field } from './fields.ts';
import { describeUnread } from './left-out.ts';
import {
  type LeftOutReason,
  type List,
  type ListEntry,
  type ListFormat,
  type ListKind,
  type ListOptions,
  listEntriesMax,
  type Question,
  type Table,
} from './list.ts';
import type { ListDocument, TableSource } from './list-document.ts';
import { ListError } from './list-error.ts';
import type { Pieces } from './pieces.ts';
import type { Row } from './rows.ts';
import { readText } from './text-formats.ts';

/**
 * Limits the memory and the time for entries. Cells of a workbook can share a long text, but outside of the reader's
 * thread each entry has a copy of it. A text file has fewer characters.
 */
const charactersMax = 32 * 1024 * 1024;
/** Enough for 100,000 rows of 50 columns. A few bytes can make a row of 500 empty cells. */
const cellsMax = 5_000_000;

/**
 * Reads pasted text in pieces: a list with an entry per line, a table, or another format of text. Throws ListError if
 * it cannot be read.
 */
export async function readList(pieces: Pieces, options: ListOptions = {}): Promise<List> {
  return readDocument(await readText(pieces, options), options);
}

/** Reads the table that fits, or asks what is ambiguous. Throws ListError if nothing fits. */
export async function readDocument(document: ListDocument, options: ListOptions): Promise<List> {
  const { format, encoding, question, table: usual } = document;
  const wanted = options.table ?? usual;
  const tables = wanted === undefined || question ? document.tables : [findTable(document.tables, wanted)];
  const kind = options.kind ?? detectKindOf({ format, tables });
  requireKind(format, kind);
  const list: List = {
    ...{ format, kind, encoding, tables: listTables(document), table: null, columns: [], question: null },
    ...{ entries: [], leftOut: [], unread: document.unread ?? [], areSitemaps: false },
    ...{ schemesAdded: 0, hostsAdded: 0, addressLike: 0 },
  };
  list.question = question ?? null;
  const chosen = list.question ? null : chooseTable(tables, list);
  if (!chosen) return list;
  list.unread = list.unread.filter(({ name }) => name !== chosen.name);
  if (list.tables.length > 0) list.table = document.tables.indexOf(chosen);
  list.leftOut = [...(chosen.leftOut ?? [])];
  list.areSitemaps = chosen.hasSitemaps === true;
  const source = chooseHeader(chosen, options);
  const layout = source.hasLines ? null : detectColumns(source, kind, options.columns);
  list.columns = layout?.columns ?? [];
  list.question =
    source.whole ?? askAboutHeader(source, layout, options) ?? askAboutColumn(source, layout, options);
  if (list.question) return list;
  await addEntries(list, source, layout, options);
  if (!list.question && list.entries.length === 0) throw withUnread(describeNothing(list, options), list);
  return list;
}

const namesOfFormats: Partial<Record<ListFormat, string>> = {
  sitemap: 'A sitemap',
  sitemap_index: 'A sitemap',
  robots: 'A robots.txt',
  access_log: 'An access log',
  bookmarks: 'A bookmarks file',
};

function requireKind(format: ListFormat, kind: ListKind): void {
  const name = namesOfFormats[format];
  if (!name || kind === 'urls') return;
  throw new ListError(
    `${name} contains URLs, not keywords. Check the HTTP status or the Google index instead.`,
  );
}

function listTables({ format, tables }: ListDocument): Table[] {
  if (format !== 'zip' && format !== 'workbook') return [];
  return tables.map((source, index) => ({
    index,
    name: source.name,
    rows: source.rowCount,
    fits: (['urls', 'keywords'] as const).filter((kind) => rate(source, kind) === 2),
  }));
}

/** Prefers URLs in a file with several tables. Ranks also need a site, and any table of words could be keywords. */
function detectKindOf({ format, tables }: Pick<ListDocument, 'format' | 'tables'>): ListKind {
  if (namesOfFormats[format]) return 'urls';
  const kinds = tables.map((source) => (source.hasLines ? detectKindOfLines(source) : detectKind(source)));
  const areNamed = tables.length === 1 || tables.some((source) => rate(source, 'keywords') === 2);
  return kinds.includes('urls') || !areNamed ? 'urls' : 'keywords';
}

function rate(source: TableSource, kind: ListKind): number {
  if (!source.hasLines) return rateFit(source, kind);
  if (!source.rows[source.headerAt + 1] || detectKindOfLines(source) !== kind) return 0;
  // Pages are preferred to the sitemaps of an index.
  if (source.hasSitemaps) return 1;
  return kind === 'urls' || source.headerAt >= 0 ? 2 : 1;
}

function findTable(tables: TableSource[], wanted: number | string): TableSource {
  const isWanted = ({ name }: TableSource, index: number) =>
    typeof wanted === 'number' ? index === wanted : isSameName(name, wanted);
  const isNumber = typeof wanted === 'string' && isNumberUpTo(wanted, tables.length);
  const found = tables.find(isWanted) ?? (isNumber ? tables[Number(wanted) - 1] : undefined);
  if (found) return found;
  throw new ListError(`The file has no table “${wanted}”. ${nameTables(tables)}`);
}

/** A table of a ZIP can be named without its extension. */
function isSameName(name: string, wanted: string): boolean {
  const [full, given] = [name.toLowerCase(), wanted.toLowerCase()];
  return full === given || full.replace(/\.\w+$/, '') === given;
}

function nameTables(tables: TableSource[]): string {
  if (tables.length === 1 && tables[0]?.name === '') return 'It has only one, without a name.';
  const shown = tables.slice(0, 10).map(({ name }, index) => name || index + 1);
  return `Its tables are: ${shown.join(', ')}${tables.length > shown.length ? ', …' : ''}.`;
}

/** Returns the only table, or the only one that fits best. Otherwise asks in `list` and returns null. */
function chooseTable(tables: TableSource[], list: List): TableSource | null {
  const [only] = tables;
  if (only && tables.length === 1) return only;
  const ratings = tables.map((source) => rate(source, list.kind));
  const best = Math.max(...ratings);
  const allFitting = tables.filter((_, index) => best > 0 && ratings[index] === best);
  const withoutSeries = allFitting.filter(
    (source) => !allFitting.some((other) => isTimeSeries(source, other)),
  );
  const lists = withoutSeries.filter((source) => !mayBeNotes(source, list.kind));
  const fitting = lists.length === 1 ? lists : withoutSeries;
  const [first] = fitting;
  if (!first)
    throw withUnread(
      `No table of this file contains ${list.kind === 'urls' ? 'URLs' : 'keywords'}. ${nameTables(tables)}`,
      list,
    );
  if (fitting.length === 1) return first;
  const isFitting = ({ index }: Table) => fitting.includes(tables[index] as TableSource);
  list.question = { about: 'table', tables: list.tables.filter(isFitting) };
  return null;
}

/** A list may have a few lines of text between its URLs. */
const urlShareMin = 0.8;

/** Returns whether a table has no header and only some rows with a URL, as a sheet with notes about the others. */
function mayBeNotes({ hasLines, headerAt, rows }: TableSource, kind: ListKind): boolean {
  if (hasLines || headerAt >= 0 || kind !== 'urls') return false;
  return rows.filter(({ cells }) => cells.some(looksLikeUrl)).length < rows.length * urlShareMin;
}

/**
 * Returns whether a table has the rows of another one again for each day, as in a ZIP of YouTube Studio: a first column
 * with dates, then columns of the other.
 */
function isTimeSeries(source: TableSource, other: TableSource): boolean {
  const cellsAt = ({ rows }: TableSource, at: number) => (at < 0 ? [] : (rows[at]?.cells ?? []));
  const [, ...names] = cellsAt(source, source.headerAt);
  const others = new Set(cellsAt(other, other.headerAt));
  const dates = source.rows.slice(source.headerAt + 1).map(({ cells: [first = ''] }) => first);
  const areDates = dates.every((cell) => /^\d{4}-\d{2}-\d{2}$/.test(cell));
  return source !== other && names.length > 0 && areDates && names.every((name) => others.has(name));
}

function chooseHeader(source: TableSource, { hasHeader }: ListOptions): TableSource {
  const isFound = source.headerAt >= 0;
  if (source.hasLines || hasHeader === undefined || hasHeader === isFound) return source;
  return { ...source, headerAt: hasHeader ? findTopRow(source.rows) : -1 };
}

/** Asks whether a first row of words is a header, unless a name, or numbers or URLs below it show the answer. */
function askAboutHeader(source: TableHead, layout: Layout | null, options: ListOptions): Question | null {
  if (!layout?.fields.has('keyword') || source.headerAt >= 0 || options.hasHeader !== undefined) return null;
  const top = findTopRow(source.rows);
  const row = source.rows[top];
  return row && source.rows.length > top + 1 && hasWords(row) ? { about: 'header', cells: row.cells } : null;
}

/** Asks which of several columns is meant, or whether a column or the typed site has the site to find. */
function askAboutColumn(source: TableHead, layout: Layout | null, options: ListOptions): Question | null {
  if (!layout) return null;
  if (layout.unsure) return { about: 'column', ...layout.unsure };
  const site = options.site?.trim() ?? '';
  const index = layout.fields.get('url');
  const column = layout.columns.find((one) => one.index === index);
  if (site === '' || index === undefined || !column || options.columns?.url !== undefined) return null;
  const { rows, headerAt } = withoutBlank(source, layout.fields.get('keyword'));
  const cells = rows.slice(headerAt + 1).map((row) => row.cells[index] ?? '');
  const isOther = (cell: string) => cell !== '' && toSite(cell) !== toSite(site);
  return cells.some(isOther) ? { about: 'value', field: 'url', value: site, column } : null;
}

function toSite(text: string): string {
  return text
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/$/, '');
}

async function addEntries(
  list: List,
  source: TableSource,
  layout: Layout | null,
  { host, isWhole, entriesMax = listEntriesMax }: ListOptions,
): Promise<void> {
  const areTyped = layout !== null || list.format === 'lines' || list.format === 'zip';
  const mayHaveTexts = areTyped && list.kind === 'urls' && isWhole !== true;
  const base = host === undefined || host.trim() === '' ? null : readHost(host.trim());
  const leftOut = new Map<LeftOutReason, number>();
  const leaveOut = (reason: LeftOutReason) => leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
  const paths: string[] = [];
  const needsHost = (text: string) => isPath(text) || (layout?.hasBarePaths === true && isBarePath(text));
  let [at, characters, cells] = [0, 0, 0];
  const sums: number[] = [];
  /** Number of entries above a total. Only notes, which have one cell, may follow it. */
  let totalAt: number | null = null;
  const hasTitles = layout !== null && hasSections(source);
  let above: Row | undefined;
  const header = layout === null ? undefined : source.rows[source.headerAt];
  /** The last row above a blank line and comments, below which another table may begin. */
  let last: Row | undefined;
  let isOver = false;
  const otherFields = [...(layout?.fields ?? [])].filter(([field]) => !isMainField(field));
  for await (const row of source.readRows()) {
    cells += row.cells.length;
    if (cells > cellsMax)
      throw new ListError('This table has more than 5,000,000 cells. Remove columns or split it.');
    if (at++ <= source.headerAt) {
      if (at <= source.headerAt) leaveOut(isComment(row.cells) ? 'comment' : 'above_header');
      continue;
    }
    for (const [, column] of otherFields) characters += row.cells[column]?.length ?? 0;
    if (characters > charactersMax) throw tooLong();
    const read = hasTitles && isTitle(row, above) ? 'blank' : toEntries(row, list.kind, layout);
    if (read === 'comment') last ??= above && isBelowBlank(row, above) ? above : undefined;
    else {
      isOver ||= header !== undefined && last !== undefined && isOtherHeader(row, last, header);
      last = undefined;
    }
    above = row;
    const found = isOver && read !== 'comment' ? 'other_table' : read;
    if (typeof found === 'string') {
      leaveOut(found);
      continue;
    }
    if (layout && list.kind === 'keywords') {
      // A sum of one number proves nothing.
      if (list.entries.length > 1 && isTotal(found[0]?.text ?? '', row.cells, sums))
        totalAt = list.entries.length;
      else if (row.cells.filter((cell) => cell !== '').length > 1) totalAt = null;
      addToSums(sums, row.cells);
    }
    for (const entry of found) {
      // Word processors hyphenate URLs with soft hyphens.
      if (mayHaveTexts) entry.text = entry.text.replaceAll('\u00ad', '');
      const text = mayHaveTexts ? removeTextAfterUrl(entry.text, { isCell: layout !== null }) : entry.text;
      if (text !== entry.text) leaveOut('after_url');
      entry.text = text;
      if (list.kind === 'keywords' && isAddress(entry.text)) list.addressLike += 1;
      if (list.kind === 'urls' && base === null && needsHost(entry.text)) paths.push(entry.text);
      if (list.kind === 'urls') completeUrl(entry, list, base);
      list.entries.push(entry);
      characters += entry.text.length;
      if (list.entries.length > entriesMax) throw tooMany(entriesMax);
      if (characters > charactersMax) throw tooLong();
    }
  }
  if (totalAt !== null) for (const _ of list.entries.splice(totalAt)) leaveOut('placeholder');
  list.leftOut.push(...[...leftOut].map(([reason, count]) => ({ reason, count })));
  if (paths.length === 0) return;
  list.question = { about: 'host', paths: paths.slice(0, 3), suggestion: source.hostSuggestion };
  list.entries = [];
}

function isMainField(field: Field): boolean {
  return field === 'address' || field === 'keyword';
}

function isAddress(text: string): boolean {
  return isUnambiguousUrl(text) || (text.startsWith('/') && isPathFromRoot(text));
}

function completeUrl(entry: ListEntry, list: List, base: string | null): void {
  const joined = base === null ? entry.text : joinToHost(base, entry.text);
  if (joined !== entry.text) {
    list.hostsAdded += 1;
    entry.text = joined;
  } else if (lacksScheme(entry.text)) {
    list.schemesAdded += 1;
    entry.text = addScheme(entry.text);
  }
}

/** Returns a host as the beginning of URLs, such as `https://www.example.com`. Throws ListError if it is not a host. */
function readHost(text: string): string {
  const base = addScheme(text).replace(/\/+$/, '');
  if (/^https?:\/\/[^\s/?#@]+$/i.test(base) && URL.canParse(base)) return base;
  throw new ListError(`“${text.slice(0, 100)}” is not a host. Enter one such as www.example.com.`);
}

function detectKindOfLines({ rows }: TableHead): ListKind {
  const lines = rows.map(({ cells: [line = ''] }) => line.replaceAll(/["'<>]/g, ''));
  const inputs = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const urls = inputs
    // Google's list of disavowed links has lines such as `domain:a.example`.
    .map((line) => readMarkdownLink(line) ?? line.replace(/^domain:/, '').split(/[\s,;]/, 1)[0] ?? '')
    .filter((word) => looksLikeUrl(word) || isPath(word));
  return inputs.length > 0 && urls.length * 2 >= inputs.length ? 'urls' : 'keywords';
}

function describeNothing({ columns, kind, format }: List, options: ListOptions): string {
  const keywords = options.kind ? 'keywords' : 'URLs or keywords';
  const what = kind === 'urls' ? 'URLs' : keywords;
  if (columns.length > 0) return `No column of this table contains ${what}. ${describeColumns(columns)}`;
  if (format === 'robots') return 'This robots.txt lists no sitemap. Enter the URL of a sitemap.';
  return `This ${format === 'sitemap' ? 'sitemap' : 'list'} contains no ${what}.`;
}

/** Adds the files of a ZIP that were not read, because one of them may have what was not found. */
function withUnread(problem: string, { unread }: List): ListError {
  return new ListError([problem, ...describeUnread(unread)].join(' '));
}

function tooLong(): ListError {
  return new ListError('The list is too long. The limit is 32 million characters. Split it.');
}

function tooMany(entriesMax: number): ListError {
  return new ListError(
    `The list is too long. The limit is ${entriesMax.toLocaleString('en')} entries. Split it.`,
  );
}
