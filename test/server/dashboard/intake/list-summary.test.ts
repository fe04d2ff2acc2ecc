import { expect } from 'chai';
import { sandbox } from '../../../../checks/search/providers/sandbox.ts';
import { createDocumentThreads } from '../../../../checks/sitemap/document-thread.ts';
import { createAddressPolicy } from '../../../../net/address.ts';
import { readIntake } from '../../../../server/dashboard/intake/intake.ts';
import { summariseList as describeBox } from '../../../../server/dashboard/intake/list-summary.ts';
import { expectLinear } from '../../../support/growth.ts';
import { searchWith } from '../../../support/serps.ts';

const context = {
  policy: createAddressPolicy([]),
  search: searchWith([sandbox.create({}, 1000)]),
  config: { providers: { fullPagesMax: 3 } },
};

const caller = { accountId: 1, signal: new AbortController().signal };
const documents = createDocumentThreads();
const readText = (text: string) => readIntake({ documents }, { text, file: null }, undefined, caller);
const read = async (text: string) => describeBox(context, await readText(text));

describe('the summary of the list in the form', () => {
  after(() => documents.close());

  it('counts URLs, duplicates and invalid entries, with line and suggestion', async () => {
    const reading = await read(
      '\nhttps://example.com/a\nhttps://example.com/a \nhttp//example.com/b\nhttps://10.0.0.1/\nhttps://example.com/c',
    );
    expect(reading).to.include({ kind: 'urls', total: 5, duplicates: 1, invalidCount: 2, cost: 2 });
    expect(reading.invalid).to.deep.equal([
      {
        line: 4,
        text: 'http//example.com/b',
        problem: 'Not a complete URL. It must begin with https:// or http://.',
      },
      {
        line: 5,
        text: 'https://10.0.0.1/',
        problem:
          'This URL has a private or reserved IP address. It is checked only if the operator allows it in TARGET_ALLOW_CIDRS.',
      },
    ]);
  });

  it('splits several URLs on one line, and keeps commas within one', async () => {
    const { list } = await readText('https://example.com/a,b https://example.com/c, https://example.com/d');
    expect(list?.entries.map(({ text }) => text)).to.deep.equal([
      'https://example.com/a,b',
      'https://example.com/c',
      'https://example.com/d',
    ]);
  });

  it('finds the column of a table with any separator', async () => {
    for (const table of [
      'name,url\n"Shoes, red",https://example.com/shoes\n,https://example.com/bags\n',
      '\ufeffURL;clicks\r\nhttps://example.com/shoes;7\r\n\r\nhttps://example.com/bags;5',
      'clicks\tAddress\n7\thttps://example.com/shoes\n5\thttps://example.com/bags',
    ]) {
      const { list } = await readText(table);
      expect([list?.kind, ...(list?.entries ?? []).map(({ text }) => text)]).to.deep.equal([
        'urls',
        'https://example.com/shoes',
        'https://example.com/bags',
      ]);
    }
  });

  it('detects keywords, alone or with their own site and country', async () => {
    expect(await read('running shoes\nnode.js\nrunning shoes')).to.include({
      kind: 'keywords',
      total: 3,
      duplicates: 1,
      cost: 2,
    });
    const [entry] = (await readText('keyword,url,country\nshoes,example.com,GB\n')).list?.entries ?? [];
    expect(entry).to.deep.include({ text: 'shoes', line: 2 });
    expect(entry?.rank).to.include({ url: 'example.com', country: 'GB' });
  });

  it('reads a repeated line once, so that it stays short for many lines', async () => {
    const many = Array.from({ length: 2005 }, (_, number) => `https://example.com/${number % 5}`).join('\n');
    expect(await read(many)).to.include({ total: 2005, duplicates: 2000, cost: 5, batches: 1 });
  });

  it('names the line of an unclosed quote', async () => {
    expect(await read('name,url\n"Shoes,https://example.com/\n')).to.include({
      kind: 'nothing',
      problem: 'Line 2: a quotation mark is not closed. Close it, or export the table again.',
    });
  });

  it('reads 100,000 lines at most', async () => {
    expect(await read('a\n'.repeat(100_000).trim())).to.include({ total: 100_000, problem: null });
    expect((await read('a\n'.repeat(100_001))).problem).to.equal(tooMany);
    expect((await read(`url${','.repeat(100_000)}`)).problem).to.equal(tooLong);
  });

  const tooMany = 'The list is too long. The limit is 100,000 entries. Split it.';
  const tooLong = 'Line 1 is longer than 65,536 characters. Check that the list has line breaks.';
  const gap = (share: number) => ' '.repeat(share * 1_000_000);
  const longest: Array<[what: string, text: (share: number) => string, problem: string | null]> = [
    // An eighth must be below the limit of entries, or the reader would stop as early in it as in the whole.
    ['lines', (share) => 'a\n'.repeat(share * 120_000), tooMany],
    ['addresses in a row', (share) => 'https://a.co '.repeat(share * 150_000), tooLong],
    ['lines of a table', (share) => `url\n${'a\n'.repeat(share * 120_000)}`, tooMany],
    ['marks over a letter', (share) => `a${'\u0315\u0300'.repeat(share * 30_000)}\n`, null],
    ['one line with a gap', (share) => `a${gap(share)}b${'.bb#'.repeat(share * 125_000)} x`, tooLong],
  ];
  for (const [what, text, problem] of longest) {
    it(`reads ${what} in linear time`, async function () {
      this.retries(2);
      expect((await read(text(1))).problem).to.equal(problem);
      await expectLinear(read, text);
    });
  }

  it('lets other requests run while it reads a table of 99 columns', async () => {
    const row = (...cells: string[]) => [...cells, ...Array(99 - cells.length).fill('cell')].join(',');
    const table = `${row('url', 'title')}\n${`${row('https://a.example/', 'A')}\n`.repeat(5_000)}`;
    let turns = 0;
    let isRead = false;
    const reading = read(table).finally(() => {
      isRead = true;
    });
    for (; !isRead; turns++) await new Promise((resolve) => setImmediate(resolve));
    expect(await reading).to.include({ kind: 'urls', total: 5_000, duplicates: 4_999 });
    expect(turns).to.be.above(table.length / 100_000);
  });

  it('says when the list is empty, or too long for a batch', async () => {
    expect(await read(' \n ')).to.include({ kind: 'nothing', total: 0, cost: 0 });
    const many = Array.from({ length: 2001 }, (_, number) => `https://example.com/${number}`).join('\n');
    expect(await read(many)).to.include({ batches: 2, cost: 2001 });
  });
});
