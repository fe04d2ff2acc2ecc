import { expect } from 'chai';
import { prose } from '../../../server/docs/pages.ts';

describe('prose', () => {
  it('marks code, what is bold and what is emphasised, and leaves stars of code and of sums', () => {
    const text = 'The chips *Not checked* and **Dead**, `a*b*c`, 2 * 3 * 4, <b> & more';
    expect(prose(text)).to.equal(
      'The chips <em>Not checked</em> and <strong>Dead</strong>, <code>a*b*c</code>, 2 * 3 * 4, &lt;b> &amp; more',
    );
  });
});
