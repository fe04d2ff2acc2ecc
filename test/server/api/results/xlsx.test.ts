import { expect } from 'chai';
import { strFromU8, unzipSync } from 'fflate';
import readWorkbook from 'read-excel-file/node';
import type { ResultBody } from '../../../../server/api/results/stream.ts';
import { type Column, createResultColumns } from '../../../../server/api/results/table.ts';
import { toXlsx } from '../../../../server/api/results/xlsx.ts';

describe('an export as a workbook', () => {
  /** Returns the written pieces: the head, one for each page of rows, and the end. */
  async function write<Row>(columns: Column<Row>[], pages: Row[][]): Promise<Uint8Array[]> {
    const pieces: Uint8Array[] = [];
    const source = async function* () {
      yield* pages;
    };
    for await (const piece of toXlsx(columns)(source())) pieces.push(piece as Uint8Array);
    return pieces;
  }

  const httpColumns = createResultColumns({ type: 'http', reference: 'crawl' });
  const page = (url: string, title: string | null): ResultBody => ({
    url,
    title,
    status: 404,
    state: 'success',
  });

  it('has numbers, booleans and dates as such, and a column per competitor', async () => {
    const competitors = ['rival.example', 'other.example'];
    const columns = createResultColumns({ type: 'keyword', reference: null }, { competitors });
    const body = (rank: number | null, ranks: Array<number | null>): ResultBody => ({
      ...{ keyword: '=shoes', state: 'success', found: rank !== null, rank, request_id: 9007199254740991 },
      ...{ start_page: 1, end_page: 10, pages_searched: rank === null ? 10 : 1 },
      competitors: ranks.map((one, place) => ({ url: competitors[place], rank: one })),
      checked_at: '2026-11-20T09:41:05+00:00',
    });
    const pages = [[body(7, [3, null])], [body(null, [null])]];
    const [sheet] = await readWorkbook(Buffer.concat(await write(columns, pages)));
    const [names, ...rows] = sheet?.data ?? [];
    const cells = rows.map((row) => Object.fromEntries(names?.map((name, n) => [name, row[n]]) ?? []));
    expect(cells[0]).to.deep.include({
      ...{ keyword: '=shoes', found: true, rank: 7, request_id: '9007199254740991' },
      ...{ 'rival.example': 3, 'other.example': 'not_searched' },
    });
    // A workbook has times as fractions of days.
    const at = cells[0]?.checked_at as Date;
    expect(at.getTime()).to.be.closeTo(Date.parse('2026-11-20T09:41:05Z'), 1);
    expect(cells[1]).to.deep.include({
      ...{ found: false, rank: null, 'rival.example': 'not_ranked', 'other.example': null },
    });
  });

  it('never contains a formula, for any page title', async () => {
    const sheet = await readSheet([
      [page('=HYPERLINK("http://x.example")', '007'), page('b', '</t>&\u0000_x0041_')],
    ]);
    expect(sheet.match(/<row /g)).to.have.length(3);
    expect(sheet).not.to.match(/<f>/);
    expect(sheet)
      .to.contain('>=HYPERLINK("http://x.example")<')
      .and.to.contain('>007<')
      .and.to.contain('<v>404</v>')
      .and.to.contain('>crawl<')
      .and.to.contain('>&lt;/t&gt;&amp;_x0000__x005F_x0041_<');
  });

  it('has a frozen header with filters, and widths that fit the columns', async () => {
    const sheet = await readSheet([[page('a', 'b')]]);
    expect(sheet)
      .to.contain('state="frozen"')
      .and.to.match(/<autoFilter ref="A1:[A-Z]+2"\/>/);
    expect(sheet).to.contain('<col min="1" max="1" width="50" customWidth="1"/>');
    const many = Array.from({ length: 60 }, (_, n) => ({ name: `c${n}`, toCell: () => n }));
    const [wide] = await readWorkbook(Buffer.concat(await write(many, [[{}]])));
    expect(wide?.data).to.deep.equal([many.map(({ name }) => name), many.map((_, n) => n)]);
  });

  async function readSheet(pages: ResultBody[][]): Promise<string> {
    const parts = unzipSync(Buffer.concat(await write(httpColumns, pages)));
    return strFromU8(parts['xl/worksheets/sheet1.xml'] as Uint8Array);
  }

  it('contains no cell that a spreadsheet rejects', async () => {
    const sheet = await readSheet([[page('a', `${'x'.repeat(32_766)}😀`)]]);
    expect(sheet).to.contain(`${'x'.repeat(32_766)}\ufffd<`);
  });

  it('is written page by page', async () => {
    const pages = Array.from({ length: 40 }, (_, n) =>
      Array.from({ length: 50 }, (_, row) =>
        page(`https://example.com/${n * 50 + row}`, `${Math.sin(n * 50 + row)}`),
      ),
    );
    const pieces = await write(httpColumns, pages);
    const sizes = pieces.map(({ length }) => length);
    const all = sizes.reduce((sum, size) => sum + size);
    expect(pieces).to.have.length(42);
    expect(Math.max(...sizes)).to.be.below(all / 4);
  });
});
