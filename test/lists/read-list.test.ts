import { expect } from 'chai';
import { decoded } from '../../lists/decode.ts';
import { type List, type ListChoice, readList } from '../../lists/read-list.ts';
import { realLists } from './exports.ts';

const read = (text: string, choice?: ListChoice) => readList([text], choice);
const texts = ({ entries }: List) => entries.map(({ text }) => text);
const unused = ({ columns }: List) => columns.filter(({ field }) => field === null).map(({ name }) => name);

describe('a list as people have it', () => {
  for (const { name, bytes, as, kind, entries, unused: left } of realLists) {
    it(`${name}: ends as what a person means`, async () => {
      const list = await readList(decoded([bytes]), { addsScheme: true, ...(as ? { kind: as } : {}) });
      expect(list).to.include({ kind, question: null });
      expect(list.entries.map(({ line, text, rank }) => [line, text, rank])).to.deep.equal(
        entries.map(([line, text, rank = {}]) => [line, text, rank]),
      );
      expect(unused(list)).to.deep.equal(left);
    });
  }
});

describe('a list that may be meant in two ways', () => {
  it('asks whether a comma ends the address where no header says it', async () => {
    const text = 'https://a.example/p/1,200,OK\nhttps://a.example/p/2,404,Not Found\n';
    expect((await read(text)).question).to.deep.equal({
      about: 'whole',
      cell: 'https://a.example/p/1',
      line: 'https://a.example/p/1,200,OK',
    });
    const table = await read(text, { isWhole: false });
    expect(texts(table)).to.deep.equal(['https://a.example/p/1', 'https://a.example/p/2']);
    expect([table.question, ...unused(table)]).to.deep.equal([null, 'column 2', 'column 3']);
    const lines = await read(text, { isWhole: true });
    expect(texts(lines)).to.deep.equal([
      'https://a.example/p/1,200,OK',
      'https://a.example/p/2,404,Not Found',
    ]);
    expect(lines.question).to.equal(null);
  });

  it('asks which column is meant where several hold addresses', async () => {
    const backlinks =
      'Referring page title,Referring page URL,Target URL,Anchor\nA blog,https://blog.example/,https://shop.example/,shoes\n';
    const { question } = await read(backlinks);
    expect(question).to.deep.include({ about: 'column', field: 'address' });
    expect(question?.about === 'column' && question.columns.map(({ name }) => name)).to.deep.equal([
      'Referring page URL',
      'Target URL',
    ]);
    const chosen = await read(backlinks, { columns: { address: 2 } });
    expect([chosen.question, ...texts(chosen)]).to.deep.equal([null, 'https://shop.example/']);
  });

  it('asks which words are the keywords, and takes a column for nothing where somebody says so', async () => {
    const text = 'running shoes;www.example.com;de\nbags;www.example.com;de\n';
    expect((await read(text, { kind: 'keywords' })).question).to.deep.include({
      about: 'column',
      field: 'keyword',
    });
    const list = await read(text, { kind: 'keywords', columns: { keyword: 0, url: -1 } });
    expect(list.entries.map(({ text: keyword, rank }) => [keyword, rank])).to.deep.equal([
      ['running shoes', {}],
      ['bags', {}],
    ]);
    expect(unused(list)).to.deep.equal(['column 2', 'column 3']);
  });
});

describe('a list', () => {
  it('is lines where separators are part of what is said', async () => {
    expect(texts(await read('shoes, red\nbags, blue'))).to.deep.equal(['shoes, red', 'bags, blue']);
    const addresses = await read('https://example.com/a,b https://example.com/c, https://example.com/d');
    expect(texts(addresses)).to.deep.equal([
      'https://example.com/a,b',
      'https://example.com/c',
      'https://example.com/d',
    ]);
    expect(addresses.question).to.equal(null);
  });

  it('strips quotes, brackets and commas around addresses, and quotes around keywords', async () => {
    const addresses = '"https://a.example/1",\n\'https://a.example/2\',\n<https://a.example/3>';
    expect(texts(await read(addresses))).to.deep.equal(
      [1, 2, 3].map((number) => `https://a.example/${number}`),
    );
    expect(texts(await read('"running shoes"\n"bags",'))).to.deep.equal(['running shoes', 'bags']);
  });

  it('strips what stands before the points of a list, and a comma after them', async () => {
    for (const [first, second] of ['• ', '- ', '* ']
      .map((mark) => [mark, mark])
      .concat([
        ['1. ', '2. '],
        ['1) ', '2) '],
      ])) {
      expect(texts(await read(`${first}red shoes\n\n${second}bags,\n`)), first).to.deep.equal([
        'red shoes',
        'bags',
      ]);
      const addresses = await read(`${first}https://a.example/1\n${second}b.example/2`);
      expect([addresses.kind, ...texts(addresses)], first).to.deep.equal([
        'urls',
        'https://a.example/1',
        'b.example/2',
      ]);
    }
    expect(texts(await read('shoes\nshoes,\n,'))).to.deep.equal(['shoes', 'shoes']);
  });

  it('leaves a number that belongs to the keyword', async () => {
    expect(texts(await read('1. fc köln\n3. liga'))).to.deep.equal(['1. fc köln', '3. liga']);
    expect(texts(await read('1. fc köln'))).to.deep.equal(['1. fc köln']);
    expect(texts(await read('-5 degrees\n*args'))).to.deep.equal(['-5 degrees', '*args']);
  });

  it('keeps what is not understood in its row, so that the row is refused and no other', async () => {
    const { entries } = await read(
      'keyword,url,device,brd_mobile,pages\nshoes,a.example,tablet,,\nbags,a.example,,maybe,many\nhats,a.example,mobile,,\n',
    );
    expect(entries.map(({ rank }) => rank)).to.deep.equal([
      { url: 'a.example', device: 'tablet' },
      { url: 'a.example', brd_mobile: 'maybe', end_page: 'many' },
      { url: 'a.example', device: 'mobile' },
    ]);
  });

  it('believes neither of two columns that say different things', async () => {
    const { entries } = await read('keyword,country,language,pages,end_page\nshoes,DE,de-CH,3,5\n');
    expect(entries[0]?.rank).to.deep.equal({ country: 'DE', language: 'de-CH', end_page: '5' });
  });

  it('counts what it leaves out, and what looks like something else', async () => {
    const lines = 'https://a.example/\n# not this\nb.example\nc.example/d';
    expect(await read(lines)).to.include({ comments: 1, withoutScheme: 2 });
    expect(await read('url,name\nhttps://a.example/,a\n,b\n')).to.include({ blank: 1 });
    expect(await read('https://a.example/\nwww.b.example\nnode.js', { kind: 'keywords' })).to.include({
      addressLike: 2,
    });
  });

  it('has a bound', async () => {
    const fault = await read('a\n'.repeat(11), { entriesMax: 10 }).catch((error: Error) => error.message);
    expect(fault).to.equal('There are more than 10 lines. Take some out: 10 are taken at once.');
  });
});
