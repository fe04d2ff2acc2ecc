import { expect } from 'chai';
import { decodeHtml } from '../../../checks/page/charset.ts';

const cyrillic = Uint8Array.from([0xcd, 0xe5, 0xf2]);

describe('decodeHtml', () => {
  it('reads UTF-8 when nothing says otherwise', () => {
    expect(decodeHtml(bytes('<p>déjà'), null)).to.equal('<p>déjà');
    expect(decodeHtml(bytes('<p>déjà'), 'text/html')).to.equal('<p>déjà');
  });

  it('believes the byte order mark before the header', () => {
    expect(decodeHtml(Uint8Array.from([0xef, 0xbb, 0xbf, 0x61]), 'text/html; charset=windows-1251')).to.equal(
      'a',
    );
    expect(decodeHtml(Uint8Array.from([0xff, 0xfe, 0x61, 0]), null)).to.equal('a');
    expect(decodeHtml(Uint8Array.from([0xfe, 0xff, 0, 0x61]), null)).to.equal('a');
  });

  it('believes the header before the document', () => {
    const html = joined(bytes('<meta charset="utf-8">'), cyrillic);
    expect(decodeHtml(html, 'text/html; charset="Windows-1251"')).to.equal('<meta charset="utf-8">Нет');
  });

  for (const declaration of [
    '<meta charset=windows-1251>',
    "<META CharSet = 'cp1251'>",
    '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
    '<?xml version="1.0" encoding="windows-1251"?>',
  ]) {
    it(`finds ${declaration}`, () => {
      expect(decodeHtml(joined(bytes(declaration), cyrillic), 'text/html')).to.equal(`${declaration}Нет`);
    });
  }

  it('looks for a declaration in the first 1,024 bytes, and not in comments', () => {
    const late = joined(bytes(`${' '.repeat(1024)}<meta charset=windows-1251>`), cyrillic);
    expect(decodeHtml(late, null)).to.match(/\uFFFD/u);
    expect(decodeHtml(joined(bytes('<!--<meta charset=windows-1251>-->'), cyrillic), null)).to.match(
      /\uFFFD/u,
    );
  });

  it('reads a document that claims UTF-16 in single bytes as UTF-8', () => {
    expect(decodeHtml(bytes('<meta charset="utf-16le">é'), null)).to.equal('<meta charset="utf-16le">é');
  });

  it('passes over labels and headers it cannot read', () => {
    for (const header of [
      'text/html; charset=klingon',
      'text/html; charset=',
      ';;;=',
      '',
      'text/html; charset="',
    ]) {
      expect(decodeHtml(bytes('<meta charset="utf-8">é'), header)).to.equal('<meta charset="utf-8">é');
    }
    expect(decodeHtml(bytes('<meta charset="x-none">é'), null)).to.equal('<meta charset="x-none">é');
  });

  it('reads the charsets of Asia', () => {
    expect(decodeHtml(Uint8Array.from([0x83, 0x79]), 'text/html; charset=Shift_JIS')).to.equal('ペ');
    expect(decodeHtml(Uint8Array.from([0xd2, 0xb3]), 'text/html; charset=gb2312')).to.equal('页');
    expect(decodeHtml(Uint8Array.from([0xad, 0xb6]), 'text/html; charset=big5')).to.equal('頁');
    expect(decodeHtml(Uint8Array.from([0xc6, 0xe4]), 'text/html; charset=euc-kr')).to.equal('페');
  });
});

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function joined(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
