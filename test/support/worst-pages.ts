import type { Random } from './random.ts';

/** A recipe for a page: its head, then pieces, each repeated up to a number of characters. */
export type PageRecipe = { head: string; parts: readonly (readonly [piece: string, chars: number])[] };

/** Valid and broken pieces of HTML that change the state of a tokenizer. */
export const tokenizerPieces: readonly string[] = [
  `<p>¦</p>¦<h1>a¦</h1>¦<div hidden>¦</div>¦<br>¦<br/>¦<main>¦<nav>¦</nav>¦<a href="/x>y">a</a>`,
  `<a href=/>¦<b class='a b'>¦<i a=1 a=2 class=x class=y>¦<p class="¦<p a=b/>¦<¦>¦</¦</ x>¦</1>¦="`,
  `"¦'¦=¦<!¦<!d¦<!doctype html>¦<?x¦\t\n ¦\r\n¦<!--¦-->¦--!>¦<!-->¦<!--->¦<![CDATA[¦]]>`,
  `<!-- a > b -->¦<script>¦</script>¦<script src=a>¦<script/>¦<!--<script>¦</scriptx>¦<SCRIPT>`,
  `if (a < b)¦<style>¦</style>¦<title>¦</title>¦<textarea>¦</textarea>¦<xmp>¦</xmp>¦<iframe>`,
  `</iframe>¦<noembed>¦</noembed>¦<noframes>¦</noframes>¦<noscript>¦</noscript>¦<svg>¦</svg>¦<svg/>`,
  `<math>¦</math>¦<template>¦</template>¦<select>¦</select>¦&amp;¦&am¦&¦&notit;¦&notin;¦&#x41¦&#0;`,
  `&#128;¦&CounterClockwiseContourIntegra¦&#¦a¦404¦not found ¦Good shoes for every road. ¦é¦ﷺ¦日本語`,
  `الصفحة ¦ไม่พบหน้า¦😀¦\u202e¦\ud800¦\udc00¦\0¦\u0301¦\u200d¦\ufffd¦\u001e`,
].flatMap((line) => line.split('¦'));

const phrasePieces: readonly string[] = [
  `no ¦page ¦url page not found ¦页面不存在¦страница не найдена ¦ページ¦n'¦sid ¦. ¦word word `,
  `<meta name=a content=b>¦<link rel=canonical href=/a>¦<article>¦<li><a href="/">Home</a>¦<td>`,
  `<input type=password>¦<form action=/a>¦<b id=x-404>¦<p class="d-none a">¦1<i>a</i>¦Aa¦<h2>a</h2>`,
].flatMap((line) => line.split('¦'));

/** Attributes whose values are parsed, each without its end. */
export const attributeStarts: readonly string[] = [
  `<meta charset="¦<meta http-equiv="Content-Type" content="charset=`,
  `<meta http-equiv="refresh" content="0; url¦<meta http-equiv="¦<meta name="robots" content="`,
  `<meta property="og:title" content="¦<link rel="¦<link rel="canonical" href="¦<base href="`,
  `<html lang="¦<a href="¦<div class="hid ¦<div style="¦<div id="nav ¦<p role="¦<input type="`,
  `<form action="¦<script src="`,
].flatMap((line) => line.split('¦'));

/** A page with one attribute of `chars` characters. */
export function attributeRecipe(start: string, filler: string, chars: number): PageRecipe {
  const end = '">';
  return {
    head: start,
    parts: [
      [filler, chars],
      [end, end.length],
    ],
  };
}

/** Fillers for the values of these attributes. */
export const attributeFillers: readonly string[] = [
  ...[' ', '\n', 'a', '.', ':', ';', ',', '=', "'", '/', '-', '0'],
  ...['a ', 'url', 'charset', 'charset=', 'd-sm-', 'https://', '\u3000', '\u0315\u0300'],
];

/** Changes a recipe in one place. Repeated pieces give thousands of attributes, and long names. */
export function changeRecipe({ head, parts }: PageRecipe, random: Random): PageRecipe {
  const any = () => random.pick(random.chance(0.6) ? tokenizerPieces : phrasePieces);
  const at = random.integer(0, Math.max(0, parts.length - 1));
  const [piece, chars] = parts[at] ?? [any(), 1_000];
  const anyChars = () => Math.ceil(random.next() ** 3 * 1024 * 1024);
  const part: PageRecipe['parts'][number] = random.pick([
    () => [any() + piece, chars] as const,
    () => [piece + any(), chars] as const,
    () => [any(), anyChars()] as const,
    () => [any() + any() + any(), chars] as const,
    () => [piece.slice(random.integer(0, piece.length - 1)) || any(), chars] as const,
    () => [piece, Math.ceil(chars * (random.next() + 0.3) * 2)] as const,
  ])();
  if (random.chance(0.1)) return { head: random.chance(0.5) ? head + any() : any(), parts };
  if (random.chance(0.1))
    return attributeRecipe(random.pick(attributeStarts), random.pick(attributeFillers), anyChars());
  if (random.chance(0.05)) return { head: '', parts };
  if (random.chance(0.3)) return { head, parts: parts.toSpliced(at, 0, [part[0], anyChars()]) };
  if (random.chance(0.15) && parts.length > 1) return { head, parts: parts.toSpliced(at, 1) };
  return { head, parts: parts.length === 0 ? [part] : parts.with(at, part) };
}

/** Returns the HTML of a recipe. */
export function makePage({ head, parts }: PageRecipe): string {
  return head + parts.map(([piece, chars]) => filled(piece, chars)).join('');
}

/** Repeats a piece up to `chars` characters. Default: what is read of a page. */
export function filled(piece: string, chars = 256 * 1024): string {
  return piece.repeat(Math.ceil(chars / piece.length)).slice(0, chars);
}

const names = Array.from({ length: 40_000 }, (_, index) => `a${index.toString(36)}`).join(' ');
const prose = `<p>${'word '.repeat(400)}</p>`;

/** The first recipes of a search for worse pages, and the worst recipes that it has found. */
export const recipes: readonly PageRecipe[] = [
  {
    head: '<title>404 not found</title><h1>404 not found</h1><p>',
    parts: [
      ['no ', 12_000],
      ['</p><p>', 7],
      ['word ', 2_000],
      ['</p>', 4],
      ['<h2>a', 250_000],
    ],
  },
  { head: '', parts: [['<h1>a', 260_000]] },
  {
    head: '<title>404</title>',
    parts: [
      ['\ufdfa', 4_000],
      ['&', 256_000],
    ],
  },
];

/** Pages that cost more than others of their length. */
export const worstPages: Readonly<Record<string, string>> = {
  ...Object.fromEntries(recipes.map((recipe, index) => [`recipe ${index + 1}`, makePage(recipe)])),
  'long prose and no headline': prose + filled('<p>a '),
  'unclosed elements': filled('<div>'),
  'unclosed headings': filled('<h1>a'),
  'unclosed paragraphs': filled('<p>no '),
  'unclosed links': filled('<a href=/>a'),
  'unclosed comments': filled('<!--'),
  'unclosed hidden elements': filled('<div hidden>'),
  'tiny elements': filled('<i>a</i>1'),
  'broken lines': filled('a<br>'),
  attributes: `<a ${names}`,
  'a long class': `<b class="${filled('a b ')}">`,
  'many classes': Array.from({ length: 8_000 }, (_, index) => `<b class="not-found-post-${index}">`).join(''),
  'a refresh without an end': filled(`<meta http-equiv=refresh content="${'url'.repeat(600)}">`),
  entities: filled('&amp;'),
  'broken entities': filled('&notit;'),
  ampersands: filled('&'),
  'angle brackets': filled('<'),
  'end tags': filled('</a>'),
  'a huge title': `<title>${filled('no ')}`,
  'titles in drawings': filled('<svg><title>'),
  'scripts in scripts': `<script>${filled('<!--<script')}`,
  'a million characters of scripts': filled('<script>a()</script>', 1024 * 1024),
  'a million characters of one script': `<script>${filled('a();', 1024 * 1024)}`,
  'a script in a comment': `<script><!--<script>${filled('a();', 1024 * 1024)}`,
  'a million characters of script ends': `<script>${filled('</scriptx', 1024 * 1024)}`,
  'scripts and headings': makePage({
    head: '<title>404</title>',
    parts: [
      ['<script>a();b();c();</script>', 700 * 1024],
      ['<h1>a', 256 * 1024],
    ],
  }),
  'nearly closed text areas': `<textarea>${filled('</textare')}`,
  'plain text': `<plaintext>${filled('<p>')}`,
  'swelling letters': filled('\ufdfa'),
  'null characters': filled('\0a'),
  'white space': filled(' a\n'),
  'one sentence of phrases': filled('url page not found '),
  'phrases without spaces': filled('页面不存在'),
  'a title and headings of phrases': `<title>404 not found</title>${`<h2>${filled('url page not found ', 290)}</h2>`.repeat(20)}${filled('no page ')}`,
};
