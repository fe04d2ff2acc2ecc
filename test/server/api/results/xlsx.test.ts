import { expect } from 'chai';
import { strFromU8, unzipSync } from 'fflate';
import type { ResultBody } from '../../../../server/api/results/stream.ts';
import { toXlsx } from '../../../../server/api/results/xlsx.ts';

describe('results as a workbook', () => {
  /** Returns the written pieces, one for each page of results. */
  async function written(pages: ResultBody[][]): Promise<Uint8Array[]> {
    const pieces: Uint8Array[] = [];
    const source = async function* () {
      yield* pages;
    };
    for await (const piece of toXlsx({ type: 'http', reference: 'crawl' })(source())) {
      pieces.push(piece as Uint8Array);
    }
    return pieces;
  }

  async function readSheet(pages: ResultBody[][]): Promise<string> {
    const parts = unzipSync(Buffer.concat(await written(pages)));
    expect(Object.keys(parts)).to.have.members([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/workbook.xml',
      'xl/_rels/workbook.xml.rels',
      'xl/worksheets/sheet1.xml',
    ]);
    return strFromU8(parts['xl/worksheets/sheet1.xml'] as Uint8Array);
  }

  const page = (url: string, title: string | null): ResultBody => ({
    url,
    title,
    status: 404,
    state: 'success',
  });

  it('are text in every cell, for every page title', async () => {
    const sheet = await readSheet([
      [page('=HYPERLINK("http://x.example")', '007'), page('b', '</t>&\u0000_x0041_')],
    ]);
    expect(sheet.match(/<row>/g)).to.have.length(3);
    expect(sheet).not.to.match(/<f>|<v>/);
    expect(new Set(sheet.match(/<c[^>]*>/g))).to.have.keys('<c/>', '<c t="inlineStr">');
    expect(sheet)
      .to.contain('>=HYPERLINK("http://x.example")<')
      .and.to.contain('>007<')
      .and.to.contain('>404<')
      .and.to.contain('>crawl<')
      .and.to.contain('>&lt;/t&gt;&amp;_x0000__x005F_x0041_<');
  });

  it('contain no cell that a spreadsheet rejects', async () => {
    const sheet = await readSheet([[page('a', `${'x'.repeat(32_766)}😀`)]]);
    expect(sheet).to.contain(`${'x'.repeat(32_766)}\ufffd<`);
  });

  it('are written page by page', async () => {
    const pages = Array.from({ length: 40 }, (_, n) =>
      Array.from({ length: 50 }, (_, row) =>
        page(`https://example.com/${n * 50 + row}`, `${Math.sin(n * 50 + row)}`),
      ),
    );
    const pieces = await written(pages);
    const sizes = pieces.map(({ length }) => length);
    const all = sizes.reduce((sum, size) => sum + size);
    expect(pieces).to.have.length(42);
    expect(Math.max(...sizes)).to.be.below(all / 4);
  });
});
