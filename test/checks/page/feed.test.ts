import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { Tokenizer } from 'parse5';
import { Budget } from '../../../checks/page/budget.ts';
import { decodeHtml } from '../../../checks/page/charset.ts';
import { feed, sliceOf } from '../../../checks/page/feed.ts';
import { type Page, pageOf } from '../../../checks/page/page.ts';
import { PageReader } from '../../../checks/page/reader.ts';
import { ownRecordings } from '../../../judge/soft-404.ts';
import { worstPages } from '../../support/worst-pages.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

type Give = (slice: string, tokenizer: Tokenizer, reader: PageReader) => void;

/** A page given in slices of so many characters. */
function read(html: string, chars: number, give: Give): Page {
  const reader = new PageReader(new Budget(Number.POSITIVE_INFINITY));
  const tokenizer = new Tokenizer({}, reader);
  reader.tokenizer = tokenizer;
  for (let at = 0; at < html.length; ) {
    const slice = sliceOf(html, at, chars);
    give(slice, tokenizer, reader);
    at += slice.length;
  }
  tokenizer.write('', true);
  return pageOf(reader, false);
}

const byTokenizer: Give = (slice, tokenizer) => tokenizer.write(slice, false);

describe('what is text and nothing else', () => {
  const isSame = (html: string, chars: number): void => {
    expect(read(html, chars, feed)).to.deep.equal(read(html, chars, byTokenizer));
  };

  it('reads the same past the tokenizer, on every page of ours', () => {
    for (const { bytes } of ownRecordings(root)) isSame(decodeHtml(bytes(), null), 4096);
  });

  it('reads the same on pages made to be slow', () => {
    for (const html of Object.values(worstPages)) isSame(html.slice(0, 20_000), 4096);
  });

  it('reads the same however tags, references, scripts and line ends are mixed and cut', () => {
    const piece = fc.constantFrom(
      ...[
        '<p>',
        '</p>',
        '<a href="/x>y">',
        '</a>',
        '<',
        '>',
        '&amp;',
        '&am',
        '&',
        '\0',
        '\r',
        '\r\n',
        '\n',
        ' ',
      ],
      ...[
        '<!-- a > b -->',
        '<!--',
        '-->',
        '<script>',
        'if (a > b) {',
        '</script>',
        '<title>',
        '</title>',
        '<svg>',
      ],
      ...[
        '</svg>',
        '<h1>',
        '</h1>',
        '<noscript>',
        '</noscript>',
        '<textarea>',
        '</textarea>',
        '😀',
        '日本語のページ',
      ],
      ...[
        'Good shoes for every road, and for none. ',
        'a',
        '<br>',
        '<style>',
        '</style>',
        "<img alt='>' src=x>",
        '<![CDATA[',
      ],
    );
    const html = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
    fc.assert(fc.property(html, fc.integer({ min: 1, max: 100 }), isSame), { numRuns: 2000 });
  });

  it('is looked at by the tokenizer no more', () => {
    let given = 0;
    const reader = new PageReader(new Budget(Number.POSITIVE_INFINITY));
    const tokenizer = new Tokenizer({}, reader);
    const write = tokenizer.write.bind(tokenizer);
    tokenizer.write = (chunk, isLast, callback) => {
      given += chunk.length;
      write(chunk, isLast, callback);
    };
    reader.tokenizer = tokenizer;
    feed(`<p>${'Good shoes for every road. '.repeat(20)}</p>`, tokenizer, reader);
    expect(given).to.equal('<p></p>'.length);
  });
});
