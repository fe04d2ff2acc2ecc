import { strToU8, Zip, ZipDeflate } from 'fflate';
import { dayMs } from '../date-times.ts';
import type { Format } from './stream.ts';
import type { Cell, Column } from './table.ts';

/**
 * A workbook with one sheet (ECMA-376), written in pieces: a frozen header with filters, then the rows. Texts are never
 * formulas. Times are dates in UTC, because a spreadsheet has no time zones.
 */
export function toXlsx<Row>(columns: Column<Row>[]): Format<Row> {
  const letters = columns.map((_, place) => toLetters(place));
  return async function* (pages) {
    const book = createBook();
    let rows = 1;
    const names = columns.map(({ name }, place) => toTextXml(`${letters[place]}1`, name, headerStyle));
    yield book.write(`${createSheetHead(columns)}<row r="1">${names.join('')}</row>`);
    for await (const page of pages) {
      const texts = page.map((row) => {
        rows += 1;
        const cells = columns.map((column, place) => toXml(`${letters[place]}${rows}`, column.toCell(row)));
        return `<row r="${rows}">${cells.join('')}</row>`;
      });
      yield book.write(texts.join(''));
    }
    yield book.end(`</sheetData><autoFilter ref="A1:${letters.at(-1)}${rows}"/></worksheet>`);
  };
}

/** Returns the name of a column: A to Z, AA, AB and so on. */
function toLetters(place: number): string {
  const last = String.fromCharCode(65 + (place % 26));
  return place < 26 ? last : toLetters(Math.floor(place / 26) - 1) + last;
}

/**
 * Creates the zip of a workbook. The sheet is written last, in pieces. Each call of `write` and `end` returns the bytes
 * since the previous call.
 */
function createBook() {
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    ready.push(bytes);
  });
  const add = (name: string) => {
    const file = new ZipDeflate(name, { level: 6 });
    zip.add(file);
    return file;
  };
  for (const [name, text] of Object.entries(fixedParts)) add(name).push(strToU8(xmlHead + text), true);
  const sheet = add('xl/worksheets/sheet1.xml');
  const take = () => Buffer.concat(ready.splice(0));
  return {
    write(text: string): Buffer {
      sheet.push(strToU8(text));
      return take();
    },
    end(text: string): Buffer {
      sheet.push(strToU8(text), true);
      zip.end();
      return take();
    },
  };
}

/** Indexes of the formats in `styles.xml`. */
const [headerStyle, wholeStyle, timeStyle] = [1, 2, 3];

function toXml(ref: string, cell: Cell): string {
  if (cell === null || cell === '') return '';
  if (typeof cell === 'string') return toTextXml(ref, cell);
  if (typeof cell === 'boolean') return `<c r="${ref}" t="b"><v>${Number(cell)}</v></c>`;
  if (cell instanceof Date) return `<c r="${ref}" s="${timeStyle}"><v>${toSerial(cell)}</v></c>`;
  return `<c r="${ref}"${Number.isInteger(cell) ? ` s="${wholeStyle}"` : ''}><v>${cell}</v></c>`;
}

// Spreadsheets do not accept longer cells.
const cellCharsMax = 32_767;

function toTextXml(ref: string, text: string, style?: number): string {
  const styled = style === undefined ? '' : ` s="${style}"`;
  const xml = escapeXml(text.slice(0, cellCharsMax).toWellFormed());
  return `<c r="${ref}"${styled} t="inlineStr"><is><t xml:space="preserve">${xml}</t></is></c>`;
}

/** Returns a time as days since 30 December 1899, as spreadsheets count them. */
function toSerial(date: Date): number {
  return date.getTime() / dayMs + 25_569;
}

/**
 * Escapes characters that XML forbids, in the form `_x000B_`. Also escapes the underscore of texts that already have
 * this form.
 */
function escapeXml(text: string): string {
  return text
    .replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/(?![\t\n])\p{Cc}|[\ufffe\uffff]/gu, inHex)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function inHex(character: string): string {
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
}

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaged = 'http://schemas.openxmlformats.org/package/2006';
const mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const fixedParts = {
  '[Content_Types].xml':
    `<Types xmlns="${packaged}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${mediaType}.sheet.main+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${mediaType}.styles+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${mediaType}.worksheet+xml"/></Types>`,
  '_rels/.rels': toRelationships({ officeDocument: 'xl/workbook.xml' }),
  'xl/workbook.xml':
    `<workbook xmlns="${main}" xmlns:r="${relations}">` +
    '<sheets><sheet name="Results" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': toRelationships({
    worksheet: 'worksheets/sheet1.xml',
    styles: 'styles.xml',
  }),
  // The formats of cells: plain, header, whole number, time.
  'xl/styles.xml':
    `<styleSheet xmlns="${main}">` +
    '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>' +
    '<fonts count="2"><font/><font><b/></font></fonts>' +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
    '<cellXfs count="4"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="1" applyNumberFormat="1"/>' +
    '<xf numFmtId="164" applyNumberFormat="1"/></cellXfs>' +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
};

function toRelationships(targets: Record<string, string>): string {
  const each = Object.entries(targets).map(
    ([type, target], place) =>
      `<Relationship Id="rId${place + 1}" Type="${relations}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${packaged}/relationships">${each.join('')}</Relationships>`;
}

const columnWidthMin = 10;
const columnWidthMax = 60;

function createSheetHead(columns: Column<never>[]): string {
  const widths = columns.map(({ name, width = name.length + 3 }, place) => {
    const chars = Math.min(Math.max(width, columnWidthMin), columnWidthMax);
    return `<col min="${place + 1}" max="${place + 1}" width="${chars}" customWidth="1"/>`;
  });
  return (
    `${xmlHead}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${widths.join('')}</cols><sheetData>`
  );
}
