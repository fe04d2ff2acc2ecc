import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { toCsv } from '../../../../server/api/results/csv.ts';
import type { ResultBody } from '../../../../server/api/results/stream.ts';
import { type Column, createResultColumns } from '../../../../server/api/results/table.ts';
import { character } from '../../../support/arbitraries.ts';
import { expectLinear } from '../../../support/growth.ts';

describe('results as CSV', () => {
  async function toRows(
    body: ResultBody,
    reference: string | null = null,
  ): Promise<Record<string, string>[]> {
    async function* pages() {
      yield [body];
    }
    let csv = '';
    for await (const text of toCsv(createResultColumns({ type: 'keyword', reference }))(pages())) csv += text;
    return parse(csv, { columns: true, relax_quotes: false });
  }

  const formulas = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    ' =1',
    '\t=1',
    '\r=1',
    '\n=1',
    '\u00a0\u200b=1',
    '\ufeff=1',
    '\uff1d1',
  ];
  for (const formula of formulas) {
    it(`neutralize the formula ${JSON.stringify(formula)}`, async () => {
      const [row] = await toRows({ keyword: formula, tag: `a\n${formula}` }, formula);
      expect(row?.keyword).to.match(/^\s*'/).and.include(formula.trim());
      expect(row?.tag).to.match(/^a\n\s*'/);
      expect(row?.reference).to.equal(row?.keyword);
    });
  }

  it('never begin a line of a cell like a formula', async () => {
    const sign = fc.constantFrom(...'=+-@\t\r\n ",;\'\uff1d\u00a0\u200b\u2028a');
    const text = fc.array(fc.oneof(sign, character), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(text, async (characters) => {
        const value = characters.join('');
        const [row] = await toRows({ keyword: 'x', tag: value });
        for (const line of row?.tag?.split(/[\r\n;\t\u2028\u2029]/) ?? []) {
          expect(line).to.not.match(/^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u);
        }
        expect(row?.tag?.replaceAll("'", '')).to.equal(value.replaceAll("'", ''));
      }),
    );
  });

  it('neutralize formulas after semicolons and tabs', async () => {
    const [row] = await toRows({ keyword: 'x;=cmd', tag: 'a;b; +1' });
    expect(row).to.include({ keyword: "x;'=cmd", tag: "a;b;' +1" });
    const [tabs] = await toRows({ keyword: 'x\t=cmd', tag: 'a\tb\t +1' });
    expect(tabs).to.include({ keyword: "x\t'=cmd", tag: "a\tb\t' +1" });
    async function* pages() {
      yield [{ keyword: 'x;y' }, { keyword: 'x\ty' }];
    }
    let csv = '';
    for await (const text of toCsv(createResultColumns({ type: 'keyword', reference: null }))(pages()))
      csv += text;
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
    async function write(locale?: string): Promise<string> {
      async function* pages(): AsyncGenerator<[string, number, boolean, Date][]> {
        yield [['a,b;c', -4.25, true, new Date('2026-11-20T09:41:05Z')]];
      }
      let csv = '';
      for await (const text of toCsv(columns, { locale })(pages())) csv += text;
      return csv;
    }
    expect(await write()).to.equal('text,number,flag,at\n"a,b;c",-4.25,true,2026-11-20T09:41:05+00:00\n');
    expect(await write('de')).to.equal('text;number;flag;at\n"a,b;c";-4,25;true;2026-11-20 09:41:05\n');
    expect(await write('en-GB')).to.contain('"a,b;c",-4.25,true,2026-11-20 09:41:05');
  });

  it('neutralize formulas after commas if the cells are separated by semicolons', async () => {
    async function* pages(): AsyncGenerator<string[]> {
      yield ['https://a.example/,=HYPERLINK(1)', 'a, -1'];
    }
    let csv = '';
    for await (const text of toCsv<string>([{ name: 'text', toCell: (text) => text }], { locale: 'de' })(
      pages(),
    ))
      csv += text;
    expect(csv).to.equal(`text\nhttps://a.example/,'=HYPERLINK(1)\na,' -1\n`);
  });

  it('escape an entry of line breaks in linear time', async function () {
    this.retries(2);
    const breaks = (share: number) => '\n'.repeat(share * 100_000);
    await expectLinear((text) => toRows({ keyword: text, tag: text.replaceAll('\n', ' ') }), breaks);
  });
});
