/** The costliest inputs of a reader, complete at a `share` of 1. */
export type Worst = Record<string, (share: number) => string>;

const mebibyte = 1024 * 1024;
const fill = (part: string, count: number) => part.repeat(Math.ceil(count));
const names = (count: number) => Array.from({ length: count }, (_, index) => `a${index.toString(36)}`);

const tags = 12_900;
const chars = mebibyte - 100;
const classes = Array.from({ length: 25 }, (_, n) => `c${n}`).join(' ');

/** Pages of Google. For each shape, the costliest page within the limits, and the first page beyond them. */
export const worstGooglePages: Worst = {
  '50,000 unclosed tags': (share) => fill('<div>', share * 50_000),
  '100,000 unclosed comments': (share) => fill('<!--', share * 100_000),
  '100,000 unclosed comments after many closed ones': (share) =>
    fill('<!---->', 13_001) + fill('<!--', share * 100_000),
  'unclosed comments that appear where other comments are removed': (share) =>
    fill('<!<!---->--', share * 12_900),
  'unclosed comments that appear where CDATA is removed': (share) => fill('<!<![CDATA[--', share * 30_000),
  'CDATA that appears where CDATA is removed': (share) => fill('<<![CDATA[![CDATA[', share * 30_000),
  '3 MiB of scripts': (share) => fill('<script></script>', (share * 3 * mebibyte) / 18),
  '3 MiB of "<"': (share) => fill('<', share * 3 * mebibyte),
  'elements side by side': (share) => fill('<b></b>', (share * tags) / 2),
  'titles side by side': (share) =>
    fill('<a href="http://a.example/" class="a b c"><h3 class="r">t</h3></a>', (share * tags) / 4),
  'end tags without start, as deep as allowed': (share) =>
    fill('<div>', 240) + fill('</p>', share * (tags - 300)),
  'lists in lists': (share) => fill('<ul>', 240) + fill('<li>a</li>', (share * (tags - 300)) / 2),
  'notices in notices': (share) =>
    fill('<div id="taw">', 240) + fill('<a href="/search?q=a">x</a>', (share * (tags - 300)) / 2),
  'results in results': (share) =>
    fill('<div class="g">', 240) +
    fill('<h3><a href="http://a.example/">x</a></h3>', share * (tags / 4 - 100)),
  'one tag, full of attributes': (share) => `<a ${fill('id=x ', (share * chars) / 5)}>`,
  'one tag, full of classes': (share) => `<a class="${fill('ab ', (share * chars) / 3)}">`,
  'tags full of classes': (share) => fill(`<i class="${classes}"></i>`, (share * chars) / 110),
  'tags full of attributes': (share) =>
    fill(`<a ${fill('x=y ', 60)}href="http://a.example/"></a>`, (share * chars) / 290),
};

/** JSON of providers. */
export const worstJson: Worst = {
  brackets: (share) => fill('[', share * 8 * mebibyte),
  'empty objects': (share) => `[${fill('{},', (share * 8 * mebibyte) / 3)}{}]`,
  'different names': (share) => `{${names(share * 59_000).map((name) => `"${name}":1`)}}`,
  escapes: (share) => `"${fill('\\"', share * 4 * mebibyte - 1)}"`,
  backslashes: (share) => `"${fill('\\', share * 8 * mebibyte)}"`,
  'an open string': (share) => `"${fill('x', share * 8 * mebibyte)}`,
};
