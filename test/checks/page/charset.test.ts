import { expect } from 'chai';
import { decodeHtml, isBinary, isUndecodable } from '../../../checks/page/charset.ts';
import { encode } from '../../support/encode.ts';

const cyrillic = Uint8Array.from([0xcd, 0xe5, 0xf2]);

describe('decodeHtml', () => {
  it('decodes as UTF-8 by default', () => {
    expect(decodeHtml(bytes('<p>déjà'), null)).to.equal('<p>déjà');
    expect(decodeHtml(bytes('<p>déjà'), 'text/html')).to.equal('<p>déjà');
  });

  it('prefers the byte order mark to the header', () => {
    expect(decodeHtml(Uint8Array.from([0xef, 0xbb, 0xbf, 0x61]), 'text/html; charset=windows-1251')).to.equal(
      'a',
    );
    expect(decodeHtml(Uint8Array.from([0xff, 0xfe, 0x61, 0]), null)).to.equal('a');
    expect(decodeHtml(Uint8Array.from([0xfe, 0xff, 0, 0x61]), null)).to.equal('a');
  });

  it('prefers the header to the document', () => {
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

  for (const [where, start] of Object.entries({
    'behind a long comment': `<!--${'x'.repeat(3000)}-->`,
    'behind a long style': `<head><style>${'a{b:c}'.repeat(3000)}</style>`,
    'behind scripts that write one': `<head><script>${'a();'.repeat(3000)}"<meta charset=koi8-r>"</script>`,
    'behind links and other metas': `<head>${'<link rel=a><meta name=b content=c>'.repeat(300)}`,
    'behind a title': `<head><title>${'x'.repeat(3000)}</title>`,
    'behind noscript': `<head><noscript><style>${'x'.repeat(3000)}</style></noscript>`,
    'behind 300 scripts and styles': `<head>${'<script>a();</script><style>b{}</style>'.repeat(150)}`,
    'behind a script of 512 KiB': `<head><script>${'a();'.repeat(128 * 1024)}</script>`,
    'behind 200 KiB of links': `<head>${'<link rel=a>'.repeat(200 * 85)}`,
    'behind an image in noscript': `<head><noscript><img src=a></noscript>${' '.repeat(2048)}`,
    'behind templates in a template': `<head><template><p><template></template><p></template>${' '.repeat(2048)}`,
    'behind an unknown label': `<head><meta charset=klingon>`,
    'early in the body': '<body>',
  })) {
    it(`finds a declaration ${where}`, () => {
      const html = `${start}<meta charset=windows-1251>`;
      expect(decodeHtml(joined(bytes(html), cyrillic), null)).to.equal(`${html}Нет`);
    });
  }

  for (const [where, start] of Object.entries({
    'in a comment': '<!--<meta charset=koi8-r>-->',
    'in a script': '<script>"<meta charset=koi8-r>"</script>',
    'in a title': '<title><meta charset=koi8-r></title>',
    'in the body, behind the first 1,024 bytes': `<body>${' '.repeat(2048)}<meta charset=koi8-r>`,
    'in noscript': '<noscript><meta charset=koi8-r></noscript>',
    'in a template': '<template><template></template><meta charset=koi8-r></template>',
    'in the body, in the same KiB as the end of a long head': `<head>${'<link rel=a>'.repeat(200)}<p><meta charset=koi8-r>`,
    'behind the head': `<head></head>${' '.repeat(2048)}<meta charset=koi8-r>`,
    'of another meta tag': '<meta name=description content="text/html; charset=koi8-r">',
  })) {
    it(`ignores a declaration ${where}`, () => {
      const text = encode('К сожалению, запрошенная страница не существует.', 'windows-1251');
      expect(decodeHtml(joined(bytes(start), text), null)).to.include('К сожалению');
    });
  }

  it('does not search for a declaration after 256 KiB of tags', () => {
    const html = `<head>${'<link rel=a>'.repeat(256 * 86)}<meta charset=windows-1251>`;
    expect(decodeHtml(joined(bytes(html), cyrillic), null)).not.to.include('Нет');
  });

  it('reads a document that claims UTF-16 in single bytes as UTF-8', () => {
    expect(decodeHtml(bytes('<meta charset="utf-16le">é'), null)).to.equal('<meta charset="utf-16le">é');
  });

  it('ignores unknown labels and headers', () => {
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

  it('decodes the charsets of Asia', () => {
    expect(decodeHtml(Uint8Array.from([0x83, 0x79]), 'text/html; charset=Shift_JIS')).to.equal('ペ');
    expect(decodeHtml(Uint8Array.from([0xd2, 0xb3]), 'text/html; charset=gb2312')).to.equal('页');
    expect(decodeHtml(Uint8Array.from([0xad, 0xb6]), 'text/html; charset=big5')).to.equal('頁');
    expect(decodeHtml(Uint8Array.from([0xc6, 0xe4]), 'text/html; charset=euc-kr')).to.equal('페');
  });
});

describe('decodeHtml without a declared charset', () => {
  for (const [charset, text] of [
    ['windows-1251', 'Страница не найдена. К сожалению, запрошенная страница не существует.'],
    ['koi8-r', 'Страница не найдена. К сожалению, запрошенная страница не существует.'],
    ['windows-1252', 'Seite nicht gefunden. Überprüfen Sie bitte die Adresse, die Sie gewählt haben.'],
    ['iso-8859-2', 'Strona nie została znaleziona. Przepraszamy, żądana strona nie istnieje.'],
    ['windows-1256', 'الصفحة غير موجودة. عذرا، الصفحة التي طلبتها غير موجودة.'],
    ['iso-8859-8', 'הדף לא נמצא. מצטערים, הדף שביקשת אינו קיים.'],
    ['shift_jis', 'ページが見つかりません。お探しのページは存在しないか、移動した可能性があります。'],
    ['euc-jp', 'ページが見つかりません。お探しのページは存在しないか、移動した可能性があります。'],
    ['gb18030', '页面不存在。对不起，您访问的页面不存在或已被删除。'],
    ['big5', '找不到網頁。很抱歉，您要找的網頁不存在或已被刪除。'],
    ['euc-kr', '페이지를 찾을 수 없습니다. 요청하신 페이지가 존재하지 않습니다.'],
  ] as const) {
    it(`detects ${charset} by the text`, () => {
      const html = `<!doctype html><html><head>${'<script>start();</script>'.repeat(40)}</head><body class=page><p>${text}</p></body></html>`;
      expect(decodeHtml(encode(html, charset), 'text/html')).to.equal(html);
    });
  }

  it('decodes as UTF-8 despite a few broken bytes, or a cut inside a letter', () => {
    const html = bytes('<p>Überprüfen Sie bitte die Adresse.');
    expect(decodeHtml(joined(html, Uint8Array.from([0xff])), null)).to.equal(
      '<p>Überprüfen Sie bitte die Adresse.\ufffd',
    );
    expect(decodeHtml(joined(html, Uint8Array.from([0xc3])), null)).to.match(/^<p>Über.*\ufffd$/u);
  });

  it('leaves U+FFFD if the text is too short to decide', () => {
    expect(decodeHtml(joined(bytes('<p>caf'), Uint8Array.from([0xe9])), null)).to.equal('<p>caf\ufffd');
  });

  it('does not guess if the header declares a charset, and guesses for a text of 1 MiB', () => {
    const text = encode('Страница не найдена. ', 'windows-1251');
    expect(isUndecodable(decodeHtml(text, 'text/html; charset=utf-8'))).to.equal(true);
    const long = Buffer.concat(Array.from({ length: 50_000 }, () => text)).subarray(0, 1024 * 1024);
    expect(decodeHtml(long, null)).to.match(/^Страница не найдена/u);
  });
});

describe('isBinary', () => {
  for (const [what, start] of Object.entries({
    'a picture': [
      0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1,
    ],
    'an archive': [0x50, 0x4b, 3, 4, 0x14, 0, 8, 0, 8, 0, 0, 0, 0x21, 0],
    'a compressed body without a header': [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3],
    'a font': [0, 1, 0, 0, 0, 0x12, 1, 0, 0, 4, 0, 0x20],
    'a PDF': Buffer.from('%PDF-1.7\n1 0 obj <</Title (Page not found)>> endobj'),
    'UTF-16 without a byte order mark': [...Buffer.from('<p>Not found</p>', 'utf-16le')],
  })) {
    it(`detects ${what}`, () => {
      expect(isBinary(decodeHtml(Uint8Array.from(start), 'text/html'))).to.equal(true);
    });
  }

  for (const [what, text] of Object.entries({
    'empty text': '',
    'white space': ' \t\r\n\f',
    'an escape sequence': '\u001b[31mred\u001b[0m',
    'a null character here and there': `${'word '.repeat(300)}\0\0\0`,
    'a page padded with null characters': `<p>word</p>${'\0'.repeat(4096)}`,
    'text of any script': 'Страница ページ الصفحة 😀 \ufffd\u202e',
  })) {
    it(`ignores ${what}`, () => expect(isBinary(text)).to.equal(false));
  }
});

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function joined(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
