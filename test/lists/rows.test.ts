import { expect } from 'chai';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { readRows } from '../../lists/rows.ts';

async function readAll(text: string, delimiter: string | null, pieceLength = text.length) {
  const rows: Array<[line: number, ...cells: string[]]> = [];
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += pieceLength) pieces.push(text.slice(at, at + pieceLength));
  for await (const { line, cells } of readRows(pieces, delimiter)) rows.push([line, ...cells]);
  return rows;
}

const problem = (text: string, delimiter: string | null) =>
  readAll(text, delimiter, 16_384).then(
    () => null,
    (error: Error) => error.message,
  );

describe('the rows of a list', () => {
  it('are the same for pieces of any length', async () => {
    const table =
      'name,url\r\n"Shoes, ""red""\r\nand blue",https://example.com/\r\n\r\nbags, https://example.com/b';
    const rows = [
      [1, 'name', 'url'],
      [3, 'Shoes, "red"\nand blue', 'https://example.com/'],
      [5, 'bags', 'https://example.com/b'],
    ];
    for (const length of [1, 2, 5, 1000]) expect(await readAll(table, ',', length)).to.deep.equal(rows);
    const lines = 'a\r\nb\rc\n\nd';
    for (const length of [1, 2, 3, 1000]) {
      const all = await readAll(lines, null, length);
      expect(all.filter(([, cell]) => cell !== '')).to.deep.equal([
        [1, 'a'],
        [2, 'b'],
        [3, 'c'],
        [5, 'd'],
      ]);
    }
  });

  it('are those that were written, whatever their cells contain and whatever their widths', async () => {
    const cell = fc
      .string({ unit: fc.constantFrom('a', 'é', ' ', '"', ';', '\n', '=') })
      .map((text) => text.trim());
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }));
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 9 }), async (rows, length) => {
        const text = stringify(rows, { delimiter: ';' });
        const read = (await readAll(text, ';', length)).map(([, ...cells]) => cells);
        expect(read).to.deep.equal(rows);
      }),
    );
  });

  it('with a quote behind or within a word keep it', async () => {
    const rows = await readAll('5" nail;"red" shoes;"a"" b"\n', ';');
    expect(rows).to.deep.equal([[1, '5" nail', '"red" shoes', 'a" b']]);
  });

  it('with several quoted words in a cell keep all quotes, for pieces of any length', async () => {
    const text = '"a" "b";"c"  d;"""e""";"";" f"  ;""""" g"\n';
    for (const length of [1, 2, 3, 5, 100])
      expect(await readAll(text, ';', length), String(length)).to.deep.equal([
        [1, '"a" "b"', '"c"  d', '"e"', '', 'f', '"" g'],
      ]);
  });

  it('end before an unreadable row, whose line is named', async () => {
    expect(await problem('name,url\nbags,https://example.com/\n"Shoes,https://example.com/\n', ',')).to.equal(
      'Line 3: a quotation mark is not closed. Close it, or export the table again.',
    );
    const seen: number[] = [];
    const rows = readRows(['name,url\nbags,b\n"Shoes,c\n'], ',');
    await (async () => {
      for await (const { line } of rows) seen.push(line);
    })().catch(() => {});
    expect(seen).to.deep.equal([1, 2]);
  });

  it('have a maximum length, so that a text without a line end is not kept in memory', async () => {
    const long = 'Line 2 is longer than 65,536 characters. Check that the list has line breaks.';
    expect(await problem(`a\n${'b'.repeat(4_000_000)}`, null)).to.equal(long);
    expect(await problem(`a,b\n${'b,'.repeat(2_000_000)}`, ',')).to.equal(long);
    expect(await problem(`a,b\n${','.repeat(501)}\n`, ',')).to.equal(
      'Line 2 has more than 500 columns. Remove columns.',
    );
    for (const empty of ['\n', ';\n', '\r'])
      expect(await problem(empty.repeat(600_000), ';')).to.equal(
        'The list has more than 500,000 lines. Split it.',
      );
    expect(await problem(`a,b\n"${'c\n'.repeat(100_000)}"\n`, ',')).to.equal(
      'Line 2: a quotation mark is not closed. Close it, or export the table again.',
    );
  });
});
