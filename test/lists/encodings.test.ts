import { expect } from 'chai';
import { readFile } from '../../lists/read-file.ts';

const read = (bytes: Uint8Array, encoding?: string) => readFile(bytes, { kind: 'keywords', encoding });

/** Encodes a text by a code page of single bytes. */
function encode(text: string, codePage: string): Buffer {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const table = new Map(
    bytes.map((byte) => [new TextDecoder(codePage).decode(Uint8Array.of(byte)), byte] as const),
  );
  return Buffer.from([...text].map((letter) => table.get(letter) ?? expect.fail(letter)));
}

describe('the encoding of a file', () => {
  const text = 'Keyword;Städte\r\ngröße;Köln\r\n';

  for (const [what, bytes] of Object.entries({
    'UTF-8': Buffer.from(text),
    'UTF-8 with a mark': Buffer.from(`\ufeff${text}`),
    'UTF-16 with a mark, as Excel’s “Unicode text”': Buffer.from(`\ufeff${text}`, 'utf16le'),
    'UTF-16 without a mark': Buffer.from(text, 'utf16le'),
    'UTF-16 the other way round': Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
    'Windows-1252, as Excel’s “CSV”': encode(text, 'windows-1252'),
  })) {
    it(`is detected: ${what}`, async () => {
      const list = await readFile(bytes, { kind: 'keywords' });
      expect(list.entries.map((entry) => entry.text)).to.deep.equal(['größe']);
    });
  }

  it('is UTF-8 across the parts in which a long file is read', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `größe ☃ ${index}`);
    const { encoding, entries } = await read(Buffer.from(lines.join('\n')));
    expect([encoding, entries.map((entry) => entry.text)]).to.deep.equal(['utf-8', lines]);
  });

  it('is Windows-1252 for short lists in the languages of Western Europe', async () => {
    for (const list of [
      ...['größe', 'köln hotels\nbüro', 'ÄRZTE KÖLN', 'niño zapatos\ncorazón', 'são paulo\npão de açúcar'],
      ...[
        'smörgåsbord',
        'ærø færge\nøl',
        'crème brûlée\nœuf cocotte',
        'città più belle',
        '100 €\n50 m²\n“zitat” – l’été',
      ],
    ]) {
      const { encoding, entries } = await read(encode(list, 'windows-1252'));
      expect([encoding, entries.map((entry) => entry.text).join('\n')]).to.deep.equal(['windows-1252', list]);
    }
  });

  it('is not asked for if no column has URLs to check', async () => {
    const bytes = encode('Запрос;Число\nкупить дом;10\n', 'windows-1251');
    const fault = await readFile(bytes, { kind: 'urls' }).catch((error) => error);
    expect(fault.message).to.match(/^No column of this table contains URLs/);
    const urls = await readFile(encode('Адрес;Имя\nhttps://a.example/;дом\n', 'windows-1251'), {
      kind: 'urls',
      columns: { address: 'Адрес' },
    });
    expect(urls.question?.about).to.equal('encoding');
  });

  it('is what chardet is sure of in longer lists', async () => {
    const japanese = '935f8c9f82cc8ee88f870a8c5e8eae8c9f8db882cc94ef97700a';
    const korean = 'bcadbfef20c8a3c5da20c3dfc3b50abec6c0cc20bfeeb5bfc8ad20b0edb8a3b4c220b9e6b9fd0a';
    expect((await read(Buffer.from(japanese, 'hex'))).encoding).to.equal('shift_jis');
    const { encoding, entries } = await read(Buffer.from(korean, 'hex'));
    expect([encoding, entries[0]?.text]).to.deep.equal(['euc-kr', '서울 호텔 추천']);
  });

  it('is asked for in all other cases, with the likeliest reading first, and the answer is used', async () => {
    const lists: Record<string, string> = {
      'windows-1250': 'mieszkanie łódź\nżółte buty',
      'windows-1251': 'купить дом\nаренда квартиры',
      'windows-1253': 'παπούτσια για παιδιά\nφθηνά εισιτήρια',
      macintosh: 'Größe für Mädchen\nKöln',
    };
    for (const [name, list] of Object.entries(lists)) {
      const bytes = encode(list, name);
      const { question, entries } = await read(bytes);
      const readings = question?.about === 'encoding' ? question.encodings : [];
      expect([readings[0]?.name, readings[0]?.example]).to.deep.equal([name, list.split('\n')[0]]);
      expect([entries, new Set(readings.map(({ example }) => example)).size]).to.deep.equal([
        [],
        readings.length,
      ]);
      expect((await read(bytes, name)).entries.map((entry) => entry.text).join('\n')).to.equal(list);
    }
    const fault = await read(Buffer.from('a'), 'klingon').catch((error: Error) => error.message);
    const dos = await read(Buffer.from('hängematte\nzelt\n'.replace('ä', '\x84'), 'latin1')).catch(String);
    expect(dos).to.equal(
      'ListError: The encoding of this file is unknown. Save it as CSV UTF-8 or .xlsx, and choose it again.',
    );
    expect(fault).to.equal('“klingon” is not an encoding. Use one such as utf-8 or windows-1250.');
  });
});
