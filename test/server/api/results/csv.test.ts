import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { toCsv } from '../../../../server/api/results/csv.ts';
import type { ResultBody } from '../../../../server/api/results/stream.ts';
import { type Column, createResultColumns } from '../../../../server/api/results/table.ts';
import { character } from '../../../support/arbitraries.ts';
import { expectLinear } from '../../../support/growth.ts';

describe('results as CSV', () => {
  async function write<Row>(
    columns: Column<Row>[],
    rows: Row[],
    options: { locale?: string } = {},
  ): Promise<string> {
    async function* pages() {
      yield rows;
    }
    let csv = '';
    for await (const text of toCsv(columns, options)(pages())) csv += text;
    return csv;
  }

  async function toRows(
    body: ResultBody,
    reference: string | null = null,
  ): Promise<Record<string, string>[]> {
    const csv = await write(createResultColumns({ type: 'keyword', reference }), [body]);
    return parse(csv, { columns: true, relax_quotes: false });
  }

  it('neutralize formulas in every column', async () => {
    const [row] = await toRows({ keyword: '=1+1', tag: 'x;=cmd' }, '=1+1');
    expect(row).to.include({ keyword: "'=1+1", tag: "x;'=cmd", reference: "'=1+1" });
  });

  it('never begin a line of a cell like a formula', async () => {
    const sign = fc.constantFrom(...'=+-@\t\r\n ",;\'\uff1d\u00a0\u200b\u2028a');
    const text = fc.array(fc.oneof(sign, character), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(text, async (characters) => {
        const value = characters.join('');
        const [row] = await toRows({ keyword: 'x', tag: value });
        for (const line of row?.tag?.split(/[\r\n;\t\u2028\u2029]/) ?? []) {
          expect(line).to.not.match(/^[\s"\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u);
        }
        expect(row?.tag?.replaceAll("'", '')).to.equal(value.replaceAll("'", ''));
      }),
    );
  });

  it('quote semicolons and tabs, which separate cells in other languages', async () => {
    const rows = [{ keyword: 'x;y' }, { keyword: 'x\ty' }];
    const csv = await write(createResultColumns({ type: 'keyword', reference: null }), rows);
    expect(csv).to.contain('"x;y"').and.to.contain('"x\ty"');
  });

  it('do not change other values, including negative numbers', async () => {
    const [row] = await toRows({
      keyword: "a=b - c's",
      target_url: 'https://a.example/?q=-1',
      rank: -1,
      found: false,
    });
    expect(row).to.include({
      keyword: "a=b - c's",
      target_url: 'https://a.example/?q=-1',
      rank: '-1',
      found: 'false',
    });
  });

  it('have the separators of a language', async () => {
    const columns: Column<[string, number, boolean, Date]>[] = [
      { name: 'text', toCell: ([text]) => text },
      { name: 'number', toCell: ([, number]) => number },
      { name: 'flag', toCell: ([, , flag]) => flag },
      { name: 'at', toCell: ([, , , at]) => at },
    ];
    const row: [string, number, boolean, Date] = ['a,b;c', -4.25, true, new Date('2026-11-20T09:41:05Z')];
    const writeIn = (locale?: string) => write(columns, [row], { locale });
    expect(await writeIn()).to.equal('text,number,flag,at\n"a,b;c",-4.25,true,2026-11-20T09:41:05+00:00\n');
    expect(await writeIn('de')).to.equal('text;number;flag;at\n"a,b;c";-4,25;true;2026-11-20 09:41:05\n');
    expect(await writeIn('en-GB')).to.contain('"a,b;c",-4.25,true,2026-11-20 09:41:05');
  });

  it('neutralize formulas after commas if the cells are separated by semicolons', async () => {
    const rows = ['https://a.example/,=HYPERLINK(1)', 'a, -1'];
    const csv = await write([{ name: 'text', toCell: (text: string) => text }], rows, { locale: 'de' });
    expect(csv).to.equal(`text\nhttps://a.example/,'=HYPERLINK(1)\na,' -1\n`);
  });

  it('escape an entry of line breaks in linear time', async function () {
    this.retries(2);
    const breaks = (share: number) => '\n'.repeat(share * 100_000);
    await expectLinear((text) => toRows({ keyword: text, tag: text.replaceAll('\n', ' ') }), breaks);
  });
});
