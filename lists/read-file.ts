import { TextDecoder } from 'node:util';
import { detectLegacyEncoding } from './encodings.ts';
import { describeUnread } from './left-out.ts';
import { fileBytesMax, type List, type ListOptions, type Question } from './list.ts';
import type { ListDocument, TableSource } from './list-document.ts';
import { ListError } from './list-error.ts';
import { readDocument } from './read-list.ts';
import { detectEncoding, isGzip, membersMax, readPieces, toEncoding } from './sitemap-bytes.ts';
import { readText } from './text-formats.ts';
import { isWorkbookPart, readWorkbook } from './workbook.ts';
import { inflatedBytesMax, readZip } from './zip.ts';

/**
 * Reads a file of any format: text, a table, a ZIP of tables, a workbook, a sitemap, robots.txt, an access log,
 * bookmarks or JSON, compressed by gzip or not. Throws ListError if it cannot be read.
 */
export async function readFile(bytes: Uint8Array, options: ListOptions = {}): Promise<List> {
  if (bytes.length > fileBytesMax) throw tooLarge();
  const { pieces, isIntact } = await unpack([bytes], inflatedBytesMax);
  if (!isIntact) throw damaged();
  if (toLength(pieces) === 0) throw new ListError('This file is empty. Choose another file.');
  const [first = new Uint8Array()] = pieces;
  if (isZip(first))
    return readDocument(await openZip(pieces.length === 1 ? first : Buffer.concat(pieces), options), options);
  const document = await openText(pieces, options);
  if (document.question?.about === 'encoding' && options.kind === 'urls') {
    // Throws if the file has no URLs, which any encoding shows. It may not show the names of chosen columns.
    const encoding = document.question.encodings[0]?.name;
    await readDocument(await openText(pieces, { ...options, encoding }), { ...options, columns: {} });
  }
  return readDocument(document, options);
}

function tooLarge(): ListError {
  return new ListError('Files are limited to 32 MB of text. Split the file or remove columns.');
}

function damaged(): ListError {
  return new ListError('This file is damaged or incomplete. Download or save it again.');
}

/** Unpacks a file if it is a gzip. Throws ListError for a file that is too large. */
async function unpack(
  file: Uint8Array[],
  bytesMax: number,
  most = membersMax,
): Promise<{ pieces: Uint8Array[]; isIntact: boolean }> {
  const [start] = file;
  if (!start || !isGzip(start, 0)) return { pieces: file, isIntact: true };
  const pieces: Uint8Array[] = [];
  let length = 0;
  const add = (piece: Uint8Array) => {
    length += piece.length;
    pieces.push(piece);
    return length <= bytesMax;
  };
  const isIntact = await readPieces(file.length === 1 ? start : Buffer.concat(file), add, most);
  if (length > bytesMax) throw tooLarge();
  return { pieces, isIntact };
}

function isZip(bytes: Uint8Array): boolean {
  return startsWith(bytes, 'PK\x03\x04') || startsWith(bytes, 'PK\x05\x06');
}

/** Detecting the format of a table takes up to 30 ms. */
const tablesMax = 50;
/** Maximum number of entries of all sitemaps, logs and bookmarks in a ZIP, and of values in its JSON. */
const valuesInMemoryMax = 250_000;

function isTextName(path: string): boolean {
  return /\.(?:csv|tsv|tab|txt|log|xml|json|html?|gz)$/i.test(path) && !isHidden(path);
}

/** macOS adds hidden files. */
function isHidden(path: string): boolean {
  return path.slice(path.lastIndexOf('/') + 1).startsWith('.');
}

async function openZip(bytes: Uint8Array, options: ListOptions): Promise<ListDocument> {
  const { names, files } = readZip(bytes, (name) => isWorkbookPart(name) || isTextName(name));
  if (files.has('xl/workbook.xml')) return readWorkbook(files);
  if (names.includes('[Content_Types].xml') || names.includes('mimetype'))
    throw new ListError('This document cannot be read. Save its table as Excel (.xlsx) or CSV.');
  if (files.size > tablesMax)
    throw new ListError(
      `This ZIP has more than ${tablesMax} tables. Unpack it, and choose one of its files.`,
    );
  let bytesLeft = fileBytesMax - [...files.values()].reduce((length, file) => length + toLength(file), 0);
  if (bytesLeft < 0) throw tooLarge();
  const documents: ListDocument[] = [];
  const unread: List['unread'] = [];
  let valuesInMemory = 0;
  for (const [name, file] of files) {
    // All files of a ZIP together may have as many gzip members as a single file.
    const { pieces, isIntact } = await unpack(file, bytesLeft, membersMax / tablesMax);
    if (pieces !== file) bytesLeft -= toLength(pieces);
    try {
      if (!isIntact) throw damaged();
      const document = await openText(pieces, options, name);
      if (document.question) return document;
      documents.push(nameTable(document, name));
      unread.push(...(document.unread ?? []).map((one) => ({ ...one, name: `${name}: ${one.name}` })));
      valuesInMemory += document.valuesInMemory ?? 0;
    } catch (error) {
      if (!(error instanceof ListError)) throw error;
      unread.push({ name, problem: error.message });
    }
    if (valuesInMemory > valuesInMemoryMax)
      throw new ListError(
        'The files of this ZIP have too many rows and values together. Unpack it, and choose one of them.',
      );
  }
  const [only] = documents;
  if (!only) throw nothingReadable(names, unread);
  for (const name of names) {
    if (!files.has(name) && !name.endsWith('/') && !isHidden(name))
      unread.push({
        name,
        problem:
          'In a ZIP, we read only text, CSV, XML, HTML and JSON. To check this file, unpack the ZIP and choose the file.',
      });
  }
  if (documents.length === 1) return { ...only, unread };
  const tables = documents.flatMap(({ tables }) => tables);
  const sitemaps = tables.filter((_, index) => documents[index]?.format === 'sitemap');
  if (sitemaps.length > 1) tables.unshift(joinSitemaps(sitemaps));
  return { format: 'zip', encoding: only.encoding, tables, unread };
}

/** Gives the only table, or the one that is read, the name of its file. */
function nameTable({ table = 0, ...document }: ListDocument, name: string): ListDocument {
  return { ...document, tables: document.tables.slice(table, table + 1).map((one) => ({ ...one, name })) };
}

function joinSitemaps(sitemaps: TableSource[]): TableSource {
  const rowCount = sitemaps.reduce((sum, sitemap) => sum + sitemap.rowCount, 0);
  async function* readRows() {
    let line = 0;
    for (const sitemap of sitemaps)
      for await (const { cells } of sitemap.readRows()) yield { line: ++line, cells };
  }
  return { ...(sitemaps[0] as TableSource), name: 'All sitemaps', rowCount, readRows };
}

function toLength(pieces: Uint8Array[]): number {
  return pieces.reduce((length, piece) => length + piece.length, 0);
}

function nothingReadable(names: string[], unread: List['unread']): ListError {
  const [only] = unread;
  if (only) return new ListError(unread.length === 1 ? only.problem : describeUnread(unread).join(' '));
  const files = names.filter((name) => !name.endsWith('/'));
  if (files.length === 0) return new ListError('This ZIP is empty. Choose another file.');
  const shown = `${files.slice(0, 5).join(', ')}${files.length > 5 ? ', …' : ''}`;
  return new ListError(`This ZIP contains no table, only ${shown}. Unpack it if one of these is your list.`);
}

async function openText(pieces: Uint8Array[], options: ListOptions, name = ''): Promise<ListDocument> {
  if (toLength(pieces) > fileBytesMax) throw tooLarge();
  const encoding = options.encoding ? requireEncoding(options.encoding) : findEncoding(pieces);
  if (typeof encoding !== 'string')
    return { format: 'lines', encoding: null, tables: [], question: encoding };
  const document = await readText(decode(pieces, encoding), options, name);
  const [table] = document.tables;
  if (table && name !== '' && document.valuesInMemory === undefined) table.rowCount = countLines(pieces);
  return { ...document, encoding };
}

function requireEncoding(name: string): string {
  const encoding = toEncoding(name);
  if (encoding) return encoding;
  throw new ListError(`“${name.slice(0, 40)}” is not an encoding. Use one such as utf-8 or windows-1250.`);
}

/** Returns the encoding of a text, or a question. Throws ListError for bytes that are no text. */
function findEncoding(pieces: Uint8Array[]): string | Question {
  const [start = new Uint8Array()] = pieces;
  const encoding = detectUtf16(start);
  if (encoding) return encoding;
  requireText(start);
  if (startsWith(start, '<?xml')) return detectEncoding(start, null);
  const other = takeOtherLines(pieces);
  return other ? detectLegacyEncoding(other) : 'utf-8';
}

/** Detects UTF-16 by its byte order mark, or without one by zeros in every other byte. */
function detectUtf16([first, second, third, fourth]: Uint8Array): string | null {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0 && third !== 0 && fourth === 0))
    return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0 && third === 0 && fourth !== 0))
    return 'utf-16be';
  return null;
}

const advice = 'Choose a CSV, Excel or text file.';
const signatures: Array<[start: string, problem: string]> = [
  ['\xff\xd8\xff', `This is an image, not a list. ${advice}`],
  ['\x89PNG', `This is an image, not a list. ${advice}`],
  ['GIF8', `This is an image, not a list. ${advice}`],
  ['RIFF', `This is an image or a sound, not a list. ${advice}`],
  ['%PDF', 'This is a PDF. Copy its list into the text field, or choose a CSV, Excel or text file.'],
  [
    '\xd0\xcf\x11\xe0',
    'This workbook is in an old format or has a password. Save it as Excel (.xlsx) or CSV.',
  ],
];

function requireText(start: Uint8Array): void {
  const [, problem] = signatures.find(([signature]) => startsWith(start, signature)) ?? [];
  if (problem) throw new ListError(problem);
  if (start.subarray(0, 64 * 1024).includes(0)) throw new ListError(`This file is not a list. ${advice}`);
}

function startsWith(bytes: Uint8Array, signature: string): boolean {
  return Buffer.from(bytes.subarray(0, signature.length)).toString('latin1') === signature;
}

const sampleBytesMax = 64 * 1024;

/** Returns the first lines with bytes outside ASCII if the text is not UTF-8; null if it is. */
function takeOtherLines(pieces: Uint8Array[]): Uint8Array | null {
  if (isUtf8(pieces)) return null;
  const lines: Uint8Array[] = [];
  let length = 0;
  for (const piece of pieces) {
    let start = 0;
    for (let at = 0; at < piece.length && length < sampleBytesMax; at++) {
      const byte = piece[at] as number;
      if (byte === 0x0a) start = at + 1;
      if (byte < 0x80) continue;
      const lineEnd = piece.indexOf(0x0a, at);
      const end = Math.min(lineEnd < 0 ? piece.length : lineEnd + 1, at + sampleBytesMax);
      const line = piece.subarray(Math.max(start, at - sampleBytesMax), end);
      length += lines.push(line) && line.length;
      start = end;
      at = end - 1;
    }
  }
  return Buffer.concat(lines);
}

function isUtf8(pieces: Uint8Array[]): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (const part of split(pieces)) decoder.decode(part, { stream: true });
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}

function* decode(pieces: Uint8Array[], encoding: string): Generator<string> {
  const decoder = new TextDecoder(encoding);
  for (const part of split(pieces)) yield decoder.decode(part, { stream: true });
  yield decoder.decode();
}

const partBytes = 64 * 1024;

function* split(pieces: Uint8Array[]): Generator<Uint8Array> {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += partBytes) yield piece.subarray(at, at + partBytes);
  }
}

function countLines(pieces: Uint8Array[]): number {
  let count = 1;
  for (const piece of pieces) {
    for (let at = piece.indexOf(0x0a); at !== -1; at = piece.indexOf(0x0a, at + 1)) count += 1;
  }
  return pieces.at(-1)?.at(-1) === 0x0a ? count - 1 : count;
}
