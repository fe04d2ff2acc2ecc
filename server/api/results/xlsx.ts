import { strToU8, Zip, ZipDeflate } from 'fflate';
import type { BatchRow } from '../../../db/batches/batches.ts';
import type { Include } from '../include.ts';
import type { ResultFormat } from './stream.ts';
import { createTable } from './table.ts';

/**
 * A workbook with one sheet (ECMA-376), written in pieces. Every cell is text, so that it never becomes a formula, a
 * date or a rounded number.
 */
export function toXlsx(batch: Pick<BatchRow, 'type' | 'reference'>, include?: Include): ResultFormat {
  const { columns, toCells } = createTable(batch, include);
  return async function* (pages) {
    const book = createBook();
    yield book.write(sheetHead + toRow(columns));
    for await (const page of pages) {
      const rows = page.map(toCells).map((cells) => toRow(columns.map((name) => cells[name])));
      yield book.write(rows.join(''));
    }
    yield book.end(sheetEnd);
  };
}

/**
 * Creates the zip of a workbook. Its sheet is written last and in pieces; each call returns the bytes since the last
 * call.
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

function toRow(values: unknown[]): string {
  return `<row>${values.map(toCell).join('')}</row>`;
}

// Limit of spreadsheets.
const cellCharsMax = 32_767;

function toCell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '<c/>';
  const text = escapeXml(String(value).slice(0, cellCharsMax).toWellFormed());
  return `<c t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}

/**
 * Escapes characters that XML forbids in the form `_x000B_`, and the underscore of texts that already have this form.
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
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${mediaType}.worksheet+xml"/></Types>`,
  '_rels/.rels': relation('officeDocument', 'xl/workbook.xml'),
  'xl/workbook.xml':
    `<workbook xmlns="${main}" xmlns:r="${relations}">` +
    '<sheets><sheet name="Results" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': relation('worksheet', 'worksheets/sheet1.xml'),
};

function relation(type: string, target: string): string {
  return (
    `<Relationships xmlns="${packaged}/relationships">` +
    `<Relationship Id="rId1" Type="${relations}/${type}" Target="${target}"/></Relationships>`
  );
}

// The header row is frozen.
const sheetHead =
  `${xmlHead}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>';
const sheetEnd = '</sheetData></worksheet>';
