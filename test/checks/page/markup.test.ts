import { expect } from 'chai';
import fc from 'fast-check';
import { MarkupReader } from '../../../checks/page/markup.ts';
import { tokenizerPieces } from '../../support/worst-pages.ts';

type Token = string | [start: string, attributes?: Record<string, string>];

/** Parses HTML in parts of `chars` characters. Adjacent texts are joined; an end tag begins with a slash. */
function parseTokens(html: string, chars = html.length, { isForeign = false } = {}): Token[] {
  const tokens: Token[] = [];
  let text = '';
  const add = (...more: Token[]) => {
    if (text !== '') tokens.push(text);
    tokens.push(...more);
    text = '';
  };
  const markup = new MarkupReader(html, {
    isForeign,
    onStartTag: ({ tagName, attributes, selfClosing }) => {
      const name = selfClosing ? `${tagName}/` : tagName;
      add(attributes.size > 0 ? [name, Object.fromEntries(attributes)] : [name]);
    },
    onEndTag: (tagName) => add([`/${tagName}`]),
    onText: (more) => {
      text += more;
    },
  });
  while (!markup.isAtEnd) markup.read(Math.max(1, chars));
  markup.end();
  add();
  return tokens;
}

const expected: Record<string, Token[]> = {
  '<P>a</P >b': [['p'], 'a', ['/p'], 'b'],
  'a < b <3 </3> </>c': ['a < b <3  c'],
  '<br/><br />': [['br/'], ['br/']],
  '&amp;&lt;&#65;&#x42;&notit;&notin;&unknown; &': ['&<AB¬it;∉&unknown; &'],
  '<a href="/?a=1&amp;b&copy=2">': [['a', { href: '/?a=1&b&copy=2' }]],
  '<a HREF=/x/y id>': [['a', { href: '/x/y', id: '' }]],
  "<a class = 'a>b' class=c title=d>": [['a', { class: 'a>b' }]],
  'a\0b<p>\0c': ['ab', ['p'], 'c'],
  // Comments, declared and implicit.
  'a<!-- <p> -- > -->b': ['ab'],
  'a<!-->b<!--->c<!-- --!>d': ['abcd'],
  'a<!>b<!x>c<?php ?>d</ e>f<!doctype html>g': ['abcdfg'],
  'a<![CDATA[<p>b</p>]]>c': ['ab', ['/p'], ']]>c'],
  'a<![CDATA[': ['a'],
  // Elements without markup.
  '<title><p>&lt;</p></titlex></TITLE >a': [['title'], '<p><</p></titlex>', ['/title'], 'a'],
  '<title/>a</title>': [['title/'], 'a', ['/title']],
  '<textarea><p>&amp;</textarea>a': [['textarea'], '<p>&', ['/textarea'], 'a'],
  '<noscript><p></noscript>': [['noscript'], ['p'], ['/noscript']],
  '<style><!--</style>--></style>': [['style'], '<!--', ['/style'], '-->', ['/style']],
  '<plaintext><p></plaintext>': [['plaintext'], '<p></plaintext>'],
  // Scripts (HTML standard, 13.2.5.4 and 13.2.5.17 to 13.2.5.31).
  '<script>a<b&amp;</scriptx></SCRIPT/>c': [['script'], 'a<b&amp;</scriptx>', ['/script'], 'c'],
  '<script src="/a"/>b</script>': [['script/', { src: '/a' }], 'b', ['/script']],
  '<script><!--</script>a-->': [['script'], '<!--', ['/script'], 'a-->'],
  '<script><!--<script></script>a</script>b': [['script'], '<!--<script></script>a', ['/script'], 'b'],
  '<script><!--<scripty></script>a': [['script'], '<!--<scripty>', ['/script'], 'a'],
  '<script><!--<script>--></script>a': [['script'], '<!--<script>-->', ['/script'], 'a'],
  '<script><!--><script></script>a': [['script'], '<!--><script>', ['/script'], 'a'],
  '<script><script></script>a': [['script'], '<script>', ['/script'], 'a'],
  '<script><!--<script></script>': [['script'], '<!--<script></script>'],
  // Unfinished at the end.
  'a<p': ['a'],
  'a<div/': ['a'],
  'a<p class="b': ['a'],
  'a<!-- b': ['a'],
  'a</': ['a</'],
  'a&am': ['a&am'],
  'a&amp': ['a&'],
  '<title>a</titl': [['title'], 'a</titl'],
  '<p></p ': [['p'], ['/p']],
};

describe('the markup reader', () => {
  for (const [html, tokens] of Object.entries(expected)) {
    it(`reads ${html.replaceAll('\0', 'NUL')}`, () => {
      expect(parseTokens(html)).to.deep.equal(tokens);
      for (const chars of [1, 2, 7])
        expect(parseTokens(html, chars), `${chars} at a time`).to.deep.equal(tokens);
    });
  }

  it('parses markup where <svg> or <math> has a title or script', () => {
    const html = '<title><g></title><script><!--</script>a';
    expect(parseTokens(html, html.length, { isForeign: true })).to.deep.equal([
      ['title'],
      ['g'],
      ['/title'],
      ['script'],
    ]);
  });

  it('returns the same for parts of any length', () => {
    const html = fc
      .array(fc.constantFrom(...tokenizerPieces), { maxLength: 30 })
      .map((pieces) => pieces.join(''));
    const isSame = (text: string, chars: number) => {
      expect(parseTokens(text, chars)).to.deep.equal(parseTokens(text));
    };
    fc.assert(fc.property(html, fc.integer({ min: 1, max: 50 }), isSame), { numRuns: 3000 });
  });

  it('counts all attributes, and keeps the needed ones', () => {
    const counts: [number, string[]][] = [];
    const markup = new MarkupReader('<p title=a ID=b data-x class id=c>', {
      isForeign: false,
      onStartTag: ({ attributeCount, attributes }) => counts.push([attributeCount, [...attributes.keys()]]),
      onEndTag: () => {},
      onText: () => {},
    });
    markup.read(100);
    expect(counts).to.deep.equal([[5, ['id', 'class']]]);
  });
});
