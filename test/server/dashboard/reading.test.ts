import { expect } from 'chai';
import { createAddressPolicy } from '../../../net/address.ts';
import { describe as describeBox, readBox } from '../../../server/dashboard/reading.ts';
import { expectLinear } from '../../support/growth.ts';

const policy = createAddressPolicy([]);
const read = (text: string) => describeBox(readBox(text), policy);

describe('the box of the first screen', () => {
  it('counts addresses, duplicates and what does not fit, with its line and a suggestion', () => {
    const reading = read(
      '\nhttps://example.com/a\nhttps://example.com/a \nexample.com/b\nhttps://10.0.0.1/\nhttps://example.com/c',
    );
    expect(reading).to.include({ kind: 'urls', total: 5, duplicates: 1, invalidCount: 2, cost: 2 });
    expect(reading.invalid).to.deep.equal([
      {
        line: 4,
        text: 'example.com/b',
        problem: 'Not a complete address. Did you mean https://example.com/b?',
      },
      {
        line: 5,
        text: 'https://10.0.0.1/',
        problem: 'This address is private or reserved and is never contacted.',
      },
    ]);
  });

  it('takes several addresses in one line, and commas within one', () => {
    const { entries } = readBox('https://example.com/a,b https://example.com/c, https://example.com/d');
    expect(entries.map(({ text }) => text)).to.deep.equal([
      'https://example.com/a,b',
      'https://example.com/c',
      'https://example.com/d',
    ]);
  });

  it('finds the column of a table, whatever separates it', () => {
    for (const table of [
      'name,url\n"Shoes, red",https://example.com/shoes\n,https://example.com/bags\n',
      '\ufeffURL;clicks\r\nhttps://example.com/shoes;7\r\n\r\nhttps://example.com/bags;5',
      'clicks\tAddress\n7\thttps://example.com/shoes\n5\thttps://example.com/bags',
    ]) {
      const { kind, entries } = readBox(table);
      expect([kind, ...entries.map(({ text }) => text)]).to.deep.equal([
        'urls',
        'https://example.com/shoes',
        'https://example.com/bags',
      ]);
    }
  });

  it('knows keywords, alone or with a site and a country of their own', () => {
    expect(read('running shoes\nnode.js\nrunning shoes')).to.include({
      kind: 'keywords',
      total: 3,
      duplicates: 1,
      cost: 2,
    });
    const { entries } = readBox('keyword,url,country\nshoes,example.com,GB\n');
    expect(entries[0]).to.deep.include({ text: 'shoes', line: 2 });
    expect(entries[0]?.columns).to.include({ url: 'example.com', country: 'GB' });
  });

  it('judges what is there twice once, so that many lines may say little', () => {
    const many = Array.from({ length: 2005 }, (_, number) => `https://example.com/${number % 5}`).join('\n');
    expect(read(many)).to.include({ total: 2005, duplicates: 2000, cost: 5, isTooMany: false });
  });

  it('names the line of a quote that is not closed', () => {
    expect(read('name,url\n"Shoes,https://example.com/\n')).to.include({
      kind: 'nothing',
      problem: 'Line 2: a quote is not closed.',
    });
  });

  it('reads 10,000 lines and no more', () => {
    const line = 'a\n';
    expect(read(line.repeat(10_000).trim())).to.include({ total: 10_000, problem: null });
    expect(read(line.repeat(4_000_000)).problem).to.equal(tooMany);
    const columns = 'This table has too many columns. Take some out.';
    expect(read(`url${','.repeat(8_000_000)}`).problem).to.equal(columns);
    const row = `${Array.from({ length: 98 }, () => 'x').join()},https://example.com/\n`;
    const header = `${Array.from({ length: 98 }, (_, at) => `c${at}`).join()},url\n`;
    expect(read(header + row.repeat(10_000)).problem).to.equal(columns);
    expect(read(header + row.repeat(1000))).to.include({ kind: 'urls', total: 1000, problem: null });
  });

  const tooMany = 'There are more than 10,000 lines. Take some out: at most 2,000 fit in one batch.';
  const gap = (share: number) => ' '.repeat(share * 4_000_000);
  const longest: Array<[what: string, text: (share: number) => string, problem: string | null]> = [
    ['lines', (share) => 'a\n'.repeat(share * 4_000_000), tooMany],
    ['addresses in a row', (share) => 'https://a.co '.repeat(share * 600_000), tooMany],
    ['lines of a table', (share) => `url\n${'a\n'.repeat(share * 4_000_000)}`, tooMany],
    ['one line with a gap', (share) => `a${gap(share)}b${'.bb#'.repeat(share * 500_000)} x`, null],
  ];
  for (const [what, text, problem] of longest) {
    it(`reads ${what} in time that grows with their length`, async function () {
      this.retries(2);
      expect(read(text(1)).problem).to.equal(problem);
      await expectLinear(read, text);
    });
  }

  it('says so when there is nothing, or more than a batch takes', () => {
    expect(read(' \n ')).to.include({ kind: 'nothing', total: 0, cost: 0 });
    const many = Array.from({ length: 2001 }, (_, number) => `https://example.com/${number}`).join('\n');
    expect(read(many)).to.include({ isTooMany: true, cost: 2001 });
  });
});
