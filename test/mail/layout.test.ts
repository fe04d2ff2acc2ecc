import { expect } from 'chai';
import { asHtml } from '../../mail/layout.ts';

const baseUrl = 'https://sonde.example';

describe('the layout of mails', () => {
  it('makes links of our own addresses in paragraphs, and of no others', () => {
    const ours = [`${baseUrl}/forgot`, `${baseUrl}/a?b=1&c=2`, baseUrl];
    const others = ['https://other.example/', `${baseUrl}.other.example/`, `${baseUrl}@other.example/`];
    const followed = [...ours, ...others].flatMap((address) => {
      const said = `See ${address}, or ask <i>.`;
      const letter = {
        to: 'ada@example.com',
        subject: 'S',
        parts: [{ text: said }, { small: `${address}.` }],
      };
      const html = asHtml(letter, { baseUrl, unsubscribeUrl: null });
      expect(html).to.contain('or ask &lt;i&gt;.');
      return [...html.matchAll(/class="l"[^>]* href="([^"]*)"/g)].map(([, href]) => href);
    });
    const twice = ours.flatMap((address) => [address, address]);
    expect(followed).to.deep.equal(twice.map((address) => address.replace('&', '&amp;')));
  });
});
