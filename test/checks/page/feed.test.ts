import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { Tokenizer } from 'parse5';
import { Budget } from '../../../checks/page/budget.ts';
import { decodeHtml } from '../../../checks/page/charset.ts';
import { feed, sliceOf } from '../../../checks/page/feed.ts';
import { type Page, pageOf } from '../../../checks/page/page.ts';
import { PageReader } from '../../../checks/page/reader.ts';
import type { Tag } from '../../../checks/page/tags.ts';
import { ownRecordings, sharedRecordings } from '../../../judge/soft-404.ts';
import { worstPages } from '../../support/worst-pages.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

type Give = (slice: string, tokenizer: Tokenizer, reader: PageReader) => void;

/** A page given in slices of so many characters. */
function read(html: string, chars: number, give: Give): Page {
  const reader = new PageReader(new Budget(Number.POSITIVE_INFINITY));
  readBy(reader, html, chars, give);
  return pageOf(reader, false);
}

function readBy(reader: PageReader, html: string, chars: number, give: Give): void {
  const tokenizer = new Tokenizer({}, reader);
  reader.tokenizer = tokenizer;
  for (let at = 0; at < html.length; ) {
    const slice = sliceOf(html, at, chars);
    give(slice, tokenizer, reader);
    at += slice.length;
  }
  tokenizer.write('', true);
}

/** What a reader that does nothing is told: text joined, for it may come in any pieces, and tags as they are. */
function tokensOf(html: string, chars: number, give: Give): unknown[] {
  const told: unknown[] = [];
  let text = '';
  const tell = (what: 'start' | 'end', { tagName, attrs, selfClosing }: Tag) => {
    told.push(text, { what, tagName, selfClosing, attrs: what === 'start' ? attrs : [] });
    text = '';
  };
  const reader = new PageReader(new Budget(Number.POSITIVE_INFINITY));
  const start = reader.onStartTag.bind(reader);
  const end = reader.onEndTag.bind(reader);
  reader.onStartTag = (tag) => {
    tell('start', tag);
    start(tag);
  };
  reader.onEndTag = (tag) => {
    tell('end', tag);
    end(tag);
  };
  reader.onCharacter = ({ chars }) => {
    text += chars;
  };
  readBy(reader, html, chars, give);
  return [...told, text];
}

const byTokenizer: Give = (slice, tokenizer) => tokenizer.write(slice, false);

describe('text that is nothing else, and tags that are plain', () => {
  const isSame = (html: string, chars: number): void => {
    expect(read(html, chars, feed)).to.deep.equal(read(html, chars, byTokenizer));
  };

  it('read the same past the tokenizer, on every page of ours', () => {
    const recordings = [...ownRecordings(root), ...sharedRecordings(join(root, '../shared/fixtures'), root)];
    for (const { bytes } of recordings) isSame(decodeHtml(bytes(), null), 4096);
  });

  it('read the same on pages made to be slow', () => {
    for (const html of Object.values(worstPages)) isSame(html.slice(0, 20_000), 4096);
  });

  it('read the same however tags, references, scripts and line ends are mixed and cut', () => {
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

  it('read the same tag by tag, whatever an attribute is made of', () => {
    const part = fc.constantFrom(
      ...[
        'class',
        'Class',
        'hidden',
        'href',
        'data-x:y',
        'id',
        '=',
        '="a b"',
        "='a>b'",
        '=a',
        '=a/',
        '=/x?y=z',
      ],
      ...[
        ' ',
        '\n',
        '\t',
        '\r',
        '\f',
        '/',
        '"',
        "'",
        '<',
        '&lt;',
        '&',
        'é',
        '\0',
        '=""',
        '"x"',
        '="A"',
        '`',
        '@on',
      ],
    );
    const name = fc.constantFrom(
      'p',
      'P',
      'a',
      'my-box',
      'br',
      'h1',
      'title',
      'script',
      'plaintext',
      'svg',
      '1',
      '!',
      '',
    );
    const tag = fc
      .tuple(
        fc.constantFrom('<', '</'),
        name,
        fc.array(part, { maxLength: 6 }),
        fc.constantFrom('>', '/>', ' >', ''),
      )
      .map(([open, called, parts, close]) => `${open}${called}${parts.join('')}${close}`);
    const html = fc.array(tag, { maxLength: 5 }).map((tags) => `x${tags.join('Good ')}Good`);
    const areSame = (text: string, chars: number): void => {
      const [ours, theirs] = [feed, byTokenizer].map((give) => tokensOf(text, chars, give));
      expect(ours, JSON.stringify(text)).to.deep.equal(theirs);
    };
    fc.assert(fc.property(html, fc.integer({ min: 1, max: 200 }), areSame), {
      numRuns: 5000,
      // A carriage return at the end of one slice, and a line feed at the beginning of a later one.
      examples: [['x<1\rclass\n>Good', 1]],
    });
  });

  it('are looked at by the tokenizer no more', () => {
    let given = 0;
    const reader = new PageReader(new Budget(Number.POSITIVE_INFINITY));
    const tokenizer = new Tokenizer({}, reader);
    const write = tokenizer.write.bind(tokenizer);
    tokenizer.write = (chunk, isLast, callback) => {
      given += chunk.length;
      write(chunk, isLast, callback);
    };
    reader.tokenizer = tokenizer;
    const box = `<div class="card" id=one hidden><br />${'Good shoes for every road. '.repeat(20)}</div>`;
    feed(`x<p>${box.repeat(3)}<a href="/?a&amp;b">`, tokenizer, reader);
    expect(given).to.equal('<a href="/?a&amp;b">'.length);
  });

  it('come to it in few pieces where only it can read them, for each costs a call', () => {
    let calls = 0;
    const reader = new PageReader(new Budget(Number.POSITIVE_INFINITY));
    const tokenizer = new Tokenizer({}, reader);
    const write = tokenizer.write.bind(tokenizer);
    tokenizer.write = (chunk, isLast, callback) => {
      calls += 1;
      write(chunk, isLast, callback);
    };
    reader.tokenizer = tokenizer;
    feed(`<plaintext>${'<p>'.repeat(1_000)}`, tokenizer, reader);
    expect(calls).to.be.below(5);
  });
});
