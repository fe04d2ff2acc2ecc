import { expect } from 'chai';
import { descendantElements, parsePage } from '../../../../checks/search/google/page.ts';
import { expectFailure } from '../../../support/provider.ts';

const parse = (html: string) => parsePage(html, 'brightdata');
const mebibyte = 1024 * 1024;
const picture = `data:image/png;base64,${'iVBORw0KGgo+/='.repeat(mebibyte / 4)}`;

describe('a parsed page', () => {
  it('omits the content of data: URLs', () => {
    const html = `<img src="${picture}" alt="red"><p style="background:url(&quot;${picture}&quot;)">shoes</p>`;
    const page = parse(html);
    expect(page.text).to.equal('shoes');
    expect(page.toString().length).to.be.below(200);
    expect(page.querySelector('img')?.getAttribute('alt')).to.equal('red');
  });

  it('keeps words that look like a data: URL', () => {
    expect(parse('<h3>Big data:now (data:x) and data: later</h3>').text).to.match(
      /data:now.*and data: later/,
    );
  });

  it('omits scripts, styles and comments of any size', () => {
    const html = `<script>${'<b>'.repeat(50_000)}</script><!-- <b> --><style>b {}</style><i>red</i>`;
    expect(descendantElements(parse(html)).map(({ rawTagName }) => rawTagName)).to.deep.equal(['i']);
  });

  const beyond: [what: string, html: string][] = [
    ['more than 1 MiB of markup', `<p>${'red '.repeat(mebibyte / 4)}</p>`],
    ['more than 3 MiB', `<script>${'x'.repeat(3 * mebibyte)}</script>`],
    ['more than 13000 tags', '<br>'.repeat(13_001)],
    ['more than 13000 comments, scripts and styles', `${'<!---->'.repeat(13_001)}<b>red</b>`],
    ['the start of a comment around another comment', '<!<!-- -->-- red'],
    ['the start of a comment around the start of CDATA', '<!<![CDATA[-- red'],
    ['the start of CDATA around another one', '<<![CDATA[![CDATA[ red'],
    ['tags more than 250 deep', '<div>'.repeat(251)],
    ['more than 1000 unclosed tags', `<div>${'<i>'.repeat(200)}</div>`.repeat(6)],
  ];
  for (const [what, html] of beyond) {
    it(`is rejected for ${what} before it is parsed`, () => expectFailure('unreadable', () => parse(html)));
  }
});
