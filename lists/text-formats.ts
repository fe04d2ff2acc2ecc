import {
  isAccessLog,
  isContainerLog,
  isOtherLog,
  otherLog,
  readAccessLog,
  readContainerLog,
} from './access-log.ts';
import { looksLikeUrl } from './address.ts';
import { readBookmarks } from './bookmarks.ts';
import { isRequestLine, isUrlOrPath } from './cells.ts';
import { type Dialect, detectDialect, readFirstRows } from './dialect.ts';
import { readJsonList } from './json-list.ts';
import { type ListOptions, listEntriesMax } from './list.ts';
import { type ListDocument, type TableSource, toDocument } from './list-document.ts';
import { ListError } from './list-error.ts';
import { type Pieces, readSample, type TextSample } from './pieces.ts';
import { type Row, readLines, readRows } from './rows.ts';
import { parseSitemapLine } from './sitemap-lines.ts';
import { SitemapXml } from './sitemap-xml.ts';

/** Reads a text in the format that its beginning shows. Throws ListError for web pages and damaged documents. */
export async function readText(source: Pieces, options: ListOptions, name = ''): Promise<ListDocument> {
  const { entriesMax = listEntriesMax } = options;
  const text = await readSample(source);
  const start = text.sample.slice(0, 1000).trimStart();
  if (/^<!doctype netscape-bookmark/i.test(start)) return readBookmarks(text.pieces, entriesMax);
  if (/^(?:<\?xml[^>]*>\s*)?<(?:table|html[^>]*schemas-microsoft|\?mso-application)/i.test(start))
    throw new ListError(
      'This is a table in a format of older programs. Open it in Excel, and save it as .xlsx or CSV.',
    );
  if (/^<(?:!doctype\s+html|html|head|body)\b/i.test(start))
    throw new ListError(
      'This is a web page, not a list. Paste its links, or use the URL of the sitemap of its site.',
    );
  if (/^<(?:\?xml|!--|!doctype|[a-z][\w:.-]*(?:\s[^<>]*)?>)/i.test(start))
    return readSitemap(text.pieces, entriesMax);
  if (isContainerLog(text.sample)) return readContainerLog(text.pieces, entriesMax);
  if (/^(?:\[\s*(?:["{[\]]|$)|\{\s*")/.test(start)) {
    const document = await readJsonList(text.pieces);
    const isInput = (cell: string) =>
      isUrlOrPath(cell) || (options.kind !== 'keywords' && isRequestLine(cell));
    if (isOtherLog(text.sample) && !hasCell(document, isInput)) throw otherLog();
    return document;
  }
  if (isAccessLog(text.sample)) return readAccessLog(text, entriesMax);
  if (options.isWhole === undefined && isOtherLog(text.sample)) throw otherLog();
  if (isRobots(text.sample)) return readRobots(text.pieces);
  const table = await toTable(text, options, name);
  return { format: table.hasLines ? 'lines' : 'table', encoding: null, tables: [table] };
}

function hasCell({ tables }: ListDocument, matches: (cell: string) => boolean): boolean {
  return tables.some(({ rows, headerAt }) =>
    rows.slice(headerAt + 1).some(({ cells }) => cells.some(matches)),
  );
}

async function toTable(given: TextSample, { isWhole }: ListOptions, name: string): Promise<TableSource> {
  const text = doubleQuotes(given);
  const dialect = await detectDialect(text.sample, text.isWhole, isWhole === false);
  const whole = isWhole === undefined ? askAboutSeparator(dialect, text.sample) : null;
  const hasLines = whole !== null || isWhole === true || dialect.delimiter === null;
  const delimiter = hasLines ? null : dialect.delimiter;
  const head =
    delimiter === dialect.delimiter
      ? dialect
      : { rows: await readFirstRows(readRows([text.sample], null)), headerAt: -1 };
  const { rows, headerAt } = head;
  const notes = rows.slice(0, Math.max(headerAt, 0)).flatMap(({ cells }) => cells);
  return {
    ...{ name, hasLines, rows, headerAt, rowCount: rows.length, whole, hostSuggestion: findHost(notes) },
    readRows: () => readRows(text.pieces, delimiter),
  };
}

/** Doubles quotes that have a backslash, as MySQL writes them. */
function doubleQuotes(text: TextSample): TextSample {
  // Before a delimiter or a line end, the backslash may be the last character of a cell.
  if (!/\\"[^",;\t|\r\n]/.test(text.sample)) return text;
  const convert = (piece: string) =>
    piece.replaceAll(/\\(["\\\n])/g, (_, char) => (char === '"' ? '""' : char));
  async function* convertAll() {
    let rest = '';
    for await (const piece of text.pieces) {
      const all = rest + piece;
      let end = all.length;
      while (all.charAt(end - 1) === '\\') end -= 1;
      // The last backslash belongs to the next piece, unless it is the second of a pair.
      rest = (all.length - end) % 2 === 1 ? '\\' : '';
      yield convert(all.slice(0, all.length - rest.length));
    }
    yield rest;
  }
  return { ...text, sample: convert(text.sample), pieces: convertAll() };
}

/** Returns the first domain in the notes above a table. */
function findHost(notes: string[]): string | null {
  const words = notes.flatMap((note) => note.slice(0, 1000).split(/[\s,;()]+/));
  return words.find((word) => looksLikeUrl(word)) ?? null;
}

/** Asks whether a separator is part of the URL before it, unless a header or quotes show the answer. */
function askAboutSeparator({ delimiter, headerAt, rows }: Dialect, sample: string): TableSource['whole'] {
  if (headerAt >= 0 || !delimiter || !',;|'.includes(delimiter)) return null;
  const row = rows.find(({ cells }) => cells.length > 1);
  const cell = row?.cells[0] ?? '';
  if (!row || !looksLikeUrl(cell) || sample.includes('"')) return null;
  const line = sample.split(/\r\n|\r|\n/, row.line)[row.line - 1]?.trim() ?? '';
  // White space ends a URL.
  return /^\S*\s+[,;|]/.test(line) ? null : { about: 'whole', cell, line };
}

async function readSitemap(pieces: Pieces, entriesMax: number): Promise<ListDocument> {
  const rows: Row[] = [];
  const xml = new SitemapXml((address) => rows.push({ line: rows.length + 1, cells: [address] }));
  for await (const piece of pieces) {
    xml.write(piece);
    if (rows.length > entriesMax) break;
  }
  if (xml.kind === null)
    throw new ListError(
      'This XML file is not a sitemap or feed. Choose a sitemap, a CSV, Excel or text file.',
    );
  if (rows.length <= entriesMax && !xml.end())
    throw new ListError('This sitemap is incomplete: its end is missing. Download it again.');
  const format = xml.kind === 'index' ? 'sitemap_index' : 'sitemap';
  return toDocument(format, rows, { hasSitemaps: format === 'sitemap_index' });
}

function isRobots(sample: string): boolean {
  const lines = sample
    .slice(0, 4000)
    .split(/[\r\n]+/)
    .slice(0, 50)
    .map((line) => line.trim());
  const rules = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const isRule = (line: string) =>
    /^(?:user-agent|allow|disallow|site-?map|crawl-delay|host|clean-param)\s*:/i.test(line);
  return (
    rules.length > 0 &&
    /^(?:user-agent|site-?map)\s*:/i.test(rules[0] ?? '') &&
    rules.filter(isRule).length * 2 > rules.length
  );
}

async function readRobots(pieces: Pieces): Promise<ListDocument> {
  const rows: Row[] = [];
  for await (const { line, cells } of readLines(pieces)) {
    const address = parseSitemapLine(cells[0] ?? '');
    if (address !== null) rows.push({ line, cells: [address] });
  }
  return toDocument('robots', rows, { hasSitemaps: true });
}
