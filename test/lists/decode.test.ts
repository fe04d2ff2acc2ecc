import { expect } from 'chai';
import { decoded } from '../../lists/decode.ts';

const read = async (bytes: Uint8Array, pieceBytes = bytes.length) => {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) pieces.push(bytes.subarray(at, at + pieceBytes));
  let text = '';
  for await (const piece of decoded(pieces)) text += piece;
  return text.replace(/^\ufeff/, '');
};

describe('the text of a file', () => {
  const text = 'Adresse;Städte\r\nhttps://example.com/größe;Köln\r\n';
  const utf16 = Buffer.from(text, 'utf16le');

  for (const [what, bytes] of [
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 with a mark, as Excel’s “Unicode text”', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 without a mark', utf16],
    ['UTF-16 the other way round', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['Windows-1252, as Excel’s “CSV”', Buffer.from(text, 'latin1')],
  ] as const) {
    it(`is decoded from ${what}, with pieces of any length`, async () => {
      expect(await read(bytes)).to.equal(text);
      for (const pieceBytes of [1, 3, 7, 50]) expect(await read(bytes, pieceBytes)).to.equal(text);
    });
  }

  it('is empty for an empty file', async () => {
    expect(await read(Buffer.alloc(0))).to.equal('');
  });
});
