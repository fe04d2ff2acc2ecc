import { expect } from 'chai';
import { sandbox } from '../../../../checks/search/providers/sandbox.ts';
import { createDocumentThreads } from '../../../../checks/sitemap/document-thread.ts';
import { createAddressPolicy } from '../../../../net/address.ts';
import { readIntake } from '../../../../server/dashboard/intake/intake.ts';
import { summariseList } from '../../../../server/dashboard/intake/list-summary.ts';
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
const read = async (text: string) => summariseList(context, await readText(text));

describe('the summary of the list in the form', () => {
  after(() => documents.close());

  it('counts URLs, duplicates and invalid entries, with line and suggestion', async () => {
    expect(await read(' \n ')).to.include({ kind: 'nothing', total: 0, cost: 0 });
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
          'We do not contact this URL: its host is private, or its port is blocked. The operator can allow private IP addresses in TARGET_ALLOW_CIDRS.',
      },
    ]);
  });

  it('reads 100,000 lines at most', async () => {
    expect(await read('a\n'.repeat(100_000).trim())).to.include({ total: 100_000, problem: null });
    expect((await read('a\n'.repeat(100_001))).problem).to.equal(
      'The list is too long. The limit is 100,000 entries. Split it.',
    );
  });

  // Another thread reads the list; test/lists/read-file.test.ts measures that.
  it('takes linear time on this thread', () =>
    expectLinear(read, (share) =>
      Array.from({ length: share * 16_000 }, (_, number) => `https://a.example/${number}`).join('\n'),
    ));

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
});
