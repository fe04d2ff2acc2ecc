/**
 * A page as a maker builds it: what it begins with, then pieces, each repeated until it fills so many
 * characters.
 */
export type PageRecipe = { head: string; parts: readonly (readonly [piece: string, chars: number])[] };

/** The HTML of a recipe. */
export function makePage({ head, parts }: PageRecipe): string {
  return head + parts.map(([piece, chars]) => filled(piece, chars)).join('');
}

/** A piece over and over, as long as a page is read. */
export function filled(piece: string, chars = 256 * 1024): string {
  return piece.repeat(Math.ceil(chars / piece.length)).slice(0, chars);
}

const names = Array.from({ length: 40_000 }, (_, index) => `a${index.toString(36)}`).join(' ');
const prose = `<p>${'word '.repeat(400)}</p>`;

/** Where a search for worse pages begins, and the worst that it has found. */
export const recipes: readonly PageRecipe[] = [
  {
    head: `<title>404 not found</title><h1>404 not found</h1><p>${'no '.repeat(4_000)}</p>${prose}`,
    parts: [['<h2>a', 250_000]],
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

/** Pages that cost more than others of their length, by what they are made of. */
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
