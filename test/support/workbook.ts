import { crc32, deflateRawSync } from 'node:zlib';

export interface Sheet {
  name: string;
  /** XML of the rows, or their cells as inline texts and numbers. */
  rows: string | Array<Array<string | number>>;
  isHidden?: boolean;
  /** URL by cell, such as `A2`. */
  links?: Record<string, string>;
}

/** Creates a ZIP file of texts and bytes by file name. */
export function createZip(files: Record<string, string | Uint8Array>): Buffer<ArrayBuffer> {
  const [entries, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const data = Buffer.from(content as string);
    const packed = deflateRawSync(data, { level: 1 });
    const title = Buffer.from(name);
    // Version 2.0, names in UTF-8, deflated, on 1 January 1980.
    const about = [...u16(20, 0x800, 8, 0, 33), ...u32(crc32(data), packed.length, data.length)];
    const fields = Buffer.from([...about, ...u16(title.length, 0)]);
    const entry = Buffer.concat([Buffer.from('PK\x03\x04'), fields, title, packed]);
    const more = Buffer.from([...u16(0, 0, 0), ...u32(0, offset)]);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), fields, more, title);
    entries.push(entry);
    offset += entry.length;
  }
  const listed = Buffer.concat(directory);
  const count = entries.length;
  const end = [...u16(0, 0, count, count), ...u32(listed.length, offset), ...u16(0)];
  return Buffer.concat([...entries, listed, Buffer.from('PK\x05\x06'), Buffer.from(end)]);
}

const u16 = (...values: number[]) => values.flatMap((value) => [value & 255, value >> 8]);
const u32 = (...values: number[]) => values.flatMap((value) => u16(value & 0xffff, value >>> 16));

/** Creates a workbook as Excel does. `parts` are more files of it, such as `xl/sharedStrings.xml`. */
export function createWorkbook(sheets: Sheet[], parts: Record<string, string> = {}): Buffer<ArrayBuffer> {
  const files: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${sheets
      .map(
        ({ name, isHidden }, index) =>
          `<sheet name="${name}" sheetId="${index + 1}"${isHidden ? ' state="hidden"' : ''} r:id="rId${index + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(sheets.map((_, index) => `worksheets/sheet${index + 1}.xml`)),
  };
  sheets.forEach(({ rows, links = {} }, index) => {
    const path = `xl/worksheets/sheet${index + 1}.xml`;
    const hyperlinks = Object.keys(links).map((cell, at) => `<hyperlink ref="${cell}" r:id="rId${at + 1}"/>`);
    files[path] =
      `<worksheet xmlns:r="r"><sheetData>${typeof rows === 'string' ? rows : rows.map(toRow).join('')}</sheetData>` +
      `<hyperlinks>${hyperlinks.join('')}</hyperlinks></worksheet>`;
    files[`xl/worksheets/_rels/sheet${index + 1}.xml.rels`] = relations(Object.values(links));
  });
  return createZip({ ...files, ...parts });
}

function relations(targets: string[]): string {
  const each = targets.map((target, index) => `<Relationship Id="rId${index + 1}" Target="${target}"/>`);
  return `<Relationships>${each.join('')}</Relationships>`;
}

function toRow(cells: Array<string | number>, index: number): string {
  const all = cells.map((cell, column) => {
    const at = `${String.fromCharCode(65 + column)}${index + 1}`;
    if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`;
    return cell === '' ? '' : `<c r="${at}" t="inlineStr"><is><t>${cell}</t></is></c>`;
  });
  return `<row r="${index + 1}">${all.join('')}</row>`;
}
