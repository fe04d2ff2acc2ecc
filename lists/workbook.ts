import { readLinkFormula, toCellText } from './cells.ts';
import { findHeader, takeHead } from './dialect.ts';
import type { ListDocument, TableSource } from './list-document.ts';
import { ListError } from './list-error.ts';
import { columnsMax, type Row } from './rows.ts';
import { readXml, type XmlHandlers, type XmlTotal } from './xml.ts';

const rowsMax = 200_000;
const sharedTextsMax = 500_000;
const sheetsMax = 50;
/** Limit of Excel. */
const formatsMax = 65_490;
/** Excel writes up to 65,530 links of a sheet, and its comments and the like. */
const relationsMax = 70_000;
const linksMax = 200_000;
/** Limits the memory for shared texts, links and formats. A character takes up to two bytes, and four while read. */
const charactersMax = 24 * 1024 * 1024;
/** Limit of a cell in Excel. */
const cellLengthMax = 32_767;
/** Longer than a link with a URL of maximum length. */
const formulaLengthMax = 4200;

type Files = Map<string, Uint8Array[]>;

/** Returns whether a file of a ZIP belongs to the readable parts of a workbook. */
export function isWorkbookPart(name: string): boolean {
  return /^xl\/(?:workbook|styles|sharedStrings|_rels\/workbook\.xml|worksheets\/[^/]+|worksheets\/_rels\/[^/]+)\.(?:xml|rels)$/i.test(
    name,
  );
}

/**
 * Reads the visible sheets of a workbook (ECMA-376). Formulas are not evaluated, their last values are read. The links
 * of a column become a column of their own, also those that are written in formulas.
 */
export function readWorkbook(files: Files): ListDocument {
  const total: XmlTotal = { elements: 0, details: 0, characters: 0 };
  const sheets = readSheets(files, total);
  const paths = readRelations(files.get('xl/_rels/workbook.xml.rels') ?? [], total);
  const shared = readSharedTexts(files.get('xl/sharedStrings.xml') ?? [], total);
  const formats = readFormats(files.get('xl/styles.xml') ?? [], total);
  const unread = new Map(files);
  const linkTotal = { count: 0 };
  const tables = sheets.flatMap(({ name, relation }) => {
    const path = toPath(paths.get(relation) ?? '');
    const xml = unread.get(path);
    // Several sheets could name the same part, which would then be read many times.
    if (!unread.delete(path) || !xml) return [];
    const relations = readRelations(files.get(path.replace(/([^/]+)$/, '_rels/$1.rels')) ?? [], total);
    const links = readLinks(xml, relations, total);
    linkTotal.count += links.size;
    requireFewer(linkTotal.count, linksMax, 'links');
    return [toTable(name, { xml, shared, formats, links, linkTotal, total })];
  });
  if (tables.length === 0) throw new ListError('This workbook has no sheet of cells. Save the table as CSV.');
  return { format: 'workbook', encoding: null, tables };
}

function toPath(target: string): string {
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
}

interface Sheet {
  xml: Uint8Array[];
  shared: string[];
  formats: FormatNumber[];
  /** URL by cell, such as `A2`. */
  links: Map<string, string>;
  /** Number of links in the workbook so far. */
  linkTotal: { count: number };
  total: XmlTotal;
}

function toTable(name: string, sheet: Sheet): TableSource {
  const rest = readCells(sheet);
  const { taken, head } = takeHead(rest);
  const headerAt = findHeader(head);
  const columns = findLinkColumns(head, sheet.links);
  const width = Math.max(0, ...head.map(({ cells }) => cells.length));
  const header = head[headerAt];
  const addLinks = (row: Row): Row => {
    if (columns.length === 0) return row;
    const links = columns.map((column) =>
      row.line === header?.line
        ? `${row.cells[column] ?? ''} (link in ${toLetters(column)})`
        : (sheet.links.get(`${toLetters(column)}${row.line}`) ?? ''),
    );
    const cells = Array.from({ length: width }, (_, index) => row.cells[index] ?? '');
    return { line: row.line, cells: [...cells, ...links] };
  };
  return {
    ...{ name, hasLines: false, rows: head.map(addLinks), headerAt, rowCount: countRows(sheet.xml) },
    ...{ whole: null, hostSuggestion: null },
    *readRows() {
      yield* taken.map(addLinks);
      let count = taken.length;
      for (const row of rest) {
        if (++count > rowsMax)
          throw new ListError(`The sheet “${name}” has more than 200,000 rows. Split it into several files.`);
        yield addLinks(row);
      }
    },
  };
}

/** Returns the columns with links whose cells show something other than a URL. */
function findLinkColumns(head: Row[], links: Map<string, string>): number[] {
  if (links.size === 0) return [];
  const columns = new Set<number>();
  for (const { line, cells } of head) {
    cells.forEach((cell, column) => {
      if (links.has(`${toLetters(column)}${line}`) && !/^https?:\/\//i.test(cell)) columns.add(column);
    });
  }
  return [...columns];
}

/** Yields the rows of a sheet that are not empty. */
function* readCells({ xml, shared, formats, links, linkTotal, total }: Sheet): Generator<Row> {
  const rows: Row[] = [];
  let line = 0;
  let cells: string[] = [];
  let column = -1;
  let [type, style, value, isValue, isPhonetic] = ['', 0, '', false, false];
  let [formula, isFormula, target] = ['', false, ''];
  const handlers: XmlHandlers = {
    open(name, attributes) {
      switch (name) {
        case 'row':
          line = Number(attributes.r) || line + 1;
          [cells, column] = [[], -1];
          break;
        case 'c':
          column = attributes.r ? toColumn(attributes.r) : column + 1;
          [type, style, value, target] = [attributes.t ?? 'n', Number(attributes.s ?? 0), '', ''];
          break;
        case 'f':
          [formula, isFormula] = ['', true];
          break;
        case 'v':
        case 't':
          isValue = !isPhonetic;
          break;
        case 'rPh':
          isPhonetic = true;
      }
    },
    text(text) {
      if (isValue && value.length < cellLengthMax) value += text;
      if (isFormula && formula.length < formulaLengthMax) formula += text;
    },
    close(name) {
      switch (name) {
        case 'f': {
          target = readLinkFormula(formula) ?? '';
          [formula, isFormula] = ['', false];
          break;
        }
        case 'v':
        case 't':
          isValue = false;
          break;
        case 'rPh':
          isPhonetic = false;
          break;
        case 'c': {
          const text = toText(type, value, shared, formats[style] ?? toPlain);
          value = '';
          if (text === '') return;
          if (target !== '') {
            requireFewer(++linkTotal.count, linksMax, 'links');
            addText(total, target);
            links.set(`${toLetters(column)}${line}`, target);
          }
          if (column >= columnsMax)
            throw new ListError(`Row ${line} has more than ${columnsMax} columns. Remove columns.`);
          while (cells.length < column) cells.push('');
          cells[column] = text;
          break;
        }
        case 'row':
          if (cells.length > 0) rows.push({ line, cells });
          cells = [];
      }
    },
  };
  for (const _ of readXml(xml, handlers, total)) yield* rows.splice(0);
}

function toText(type: string, value: string, shared: string[], format: FormatNumber): string {
  if (value === '' || type === 'e') return '';
  if (type === 's') return shared[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type === 'n' && Number.isFinite(Number(value))) return format(Number(value));
  return decodeText(value);
}

/** Decodes characters such as `_x000D_`: ECMA-376 part 1, section 22.9.2.19. */
function decodeText(value: string): string {
  const text = value.includes('_x')
    ? value.replaceAll(/_x([\dA-F]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : value;
  return toCellText(text);
}

/** Returns the index of the column of a cell such as `AB12`. */
function toColumn(cell: string): number {
  let column = 0;
  for (const letter of cell) {
    const digit = letter.charCodeAt(0) - 64;
    if (digit < 1 || digit > 26 || column > 20_000) break;
    column = column * 26 + digit;
  }
  return column - 1;
}

function toLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : toLetters(Math.floor(column / 26) - 1) + last;
}

function countRows(xml: Uint8Array[]): number {
  let count = 0;
  for (const piece of xml) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    for (let at = bytes.indexOf('</row>'); at !== -1; at = bytes.indexOf('</row>', at + 6)) count += 1;
  }
  return count;
}

function readAll(xml: Uint8Array[], total: XmlTotal, handlers: Partial<XmlHandlers>): void {
  const ignore = () => {};
  for (const _ of readXml(xml, { open: ignore, text: ignore, close: ignore, ...handlers }, total));
}

function readSheets(files: Files, total: XmlTotal): Array<{ name: string; relation: string }> {
  const visible: Array<{ name: string; relation: string }> = [];
  const hidden: typeof visible = [];
  readAll(files.get('xl/workbook.xml') ?? [], total, {
    open(name, { name: title = '', id = '', state = 'visible' }) {
      const sheets = state === 'visible' ? visible : hidden;
      if (name === 'sheet' && sheets.length <= sheetsMax) sheets.push({ name: title, relation: id });
    },
  });
  const sheets = visible.length > 0 ? visible : hidden;
  if (sheets.length > sheetsMax)
    throw new ListError(`This workbook has more than ${sheetsMax} sheets. Remove sheets.`);
  return sheets;
}

function requireFewer(count: number, max: number, things: string): void {
  if (count <= max) return;
  const limit = max.toLocaleString('en');
  throw new ListError(`This workbook has more than ${limit} ${things}. Save the sheet that you need as CSV.`);
}

function addText(total: XmlTotal, text: string): void {
  total.characters += text.length;
  requireFewer(total.characters, charactersMax, 'characters of text');
}

/** Returns the target of each relation by its id. */
function readRelations(xml: Uint8Array[], total: XmlTotal): Map<string, string> {
  const targets = new Map<string, string>();
  readAll(xml, total, {
    open(name, { Id: id = '', Target: target = '' }) {
      if (name !== 'Relationship') return;
      addText(total, id + target);
      targets.set(id, target);
      requireFewer(targets.size, relationsMax, 'links in a sheet');
    },
  });
  return targets;
}

/** Returns the web links of a sheet by cell. Reads the whole sheet, because the links are behind the cells. */
function readLinks(xml: Uint8Array[], relations: Map<string, string>, total: XmlTotal): Map<string, string> {
  const links = new Map<string, string>();
  const isWeb = (target: string) => /^https?:\/\//i.test(target);
  if (![...relations.values()].some(isWeb)) return links;
  readAll(xml, total, {
    open(name, { ref = '', id = '' }) {
      const target = name === 'hyperlink' ? relations.get(id) : undefined;
      if (target && isWeb(target)) {
        addText(total, ref);
        links.set(ref.replace(/:.*/, ''), target);
      }
      requireFewer(links.size, relationsMax, 'links in a sheet');
    },
  });
  return links;
}

function readSharedTexts(xml: Uint8Array[], total: XmlTotal): string[] {
  const texts: string[] = [];
  let [text, isText, isPhonetic] = ['', false, false];
  readAll(xml, total, {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') isPhonetic = true;
      else if (name === 't') isText = !isPhonetic;
    },
    text(part) {
      if (isText && text.length < cellLengthMax) text += part;
    },
    close(name) {
      if (name === 't') isText = false;
      else if (name === 'rPh') isPhonetic = false;
      else if (name === 'si') {
        addText(total, text);
        requireFewer(texts.push(decodeText(text)), sharedTextsMax, 'different texts');
        text = '';
      }
    },
  });
  return texts;
}

function readFormats(xml: Uint8Array[], total: XmlTotal): FormatNumber[] {
  const codes = new Map<number, string>();
  const ids: number[] = [];
  let isCellStyle = false;
  readAll(xml, total, {
    open(name, { numFmtId = '', formatCode = '' }) {
      if (name === 'numFmt') {
        addText(total, formatCode);
        codes.set(Number(numFmtId), formatCode);
      } else if (name === 'cellXfs') isCellStyle = true;
      else if (name === 'xf' && isCellStyle) ids.push(Number(numFmtId));
      requireFewer(Math.max(codes.size, ids.length), formatsMax, 'cell formats');
    },
    close(name) {
      if (name === 'cellXfs') isCellStyle = false;
    },
  });
  const formats = new Map([...new Set(ids)].map((id) => [id, createFormat(id, codes.get(id))]));
  return ids.map((id) => formats.get(id) ?? toPlain);
}

type FormatNumber = (value: number) => string;

/** Built-in formats of dates and times: ECMA-376 part 1, section 18.8.30. */
const builtInFormats: Record<number, string> = {
  ...{ 14: 'yyyy-mm-dd', 15: 'yyyy-mm-dd', 16: 'yyyy-mm-dd', 17: 'yyyy-mm-dd', 18: 'hh:mm', 19: 'hh:mm' },
  ...{ 20: 'hh:mm', 21: 'hh:mm', 22: 'yyyy-mm-dd hh:mm', 45: 'mm:ss', 46: 'hh:mm', 47: 'mm:ss' },
};
/** Limit of Excel. */
const formatLengthMax = 255;

/**
 * Returns the formatter of a number format: dates and times as in ISO 8601, leading zeros, and all other numbers
 * without a format.
 */
function createFormat(id: number, code: string | undefined): FormatNumber {
  const [positive = ''] = (code ?? builtInFormats[id] ?? '').slice(0, formatLengthMax).split(';');
  if (/^0{2,}$/.test(positive)) return (value) => toPlain(value).padStart(positive.length, '0');
  const tokens = positive.replaceAll(/"[^"]*"|\\.|\[[^[\]]*\]|_./g, '');
  if (!/[ymdhs]/i.test(tokens) || /general/i.test(tokens)) return toPlain;
  const [hasDate, hasTime] = [/[yd]/i.test(tokens), /[hs]/i.test(tokens)];
  return (value) => toDate(value, hasDate, hasTime);
}

/** Excel shows 15 digits. */
function toPlain(value: number): string {
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(15)));
}

const dayMs = 24 * 60 * 60 * 1000;
const daysMax = 2_958_466;

/** Day 1 is 1900-01-01, and Excel counts a 29 February 1900. */
function toDate(days: number, hasDate: boolean, hasTime: boolean): string {
  if (!(days >= 0 && days < daysMax)) return toPlain(days);
  const iso = new Date(Math.round((days - 25_569) * dayMs)).toISOString();
  const [date, time] = [iso.slice(0, 10), iso.slice(11, 16)];
  if (!hasTime) return date;
  return hasDate ? `${date} ${time}` : time;
}
