import { expect } from 'chai';
import { ResponseHeaders } from '../../net/response-headers.ts';

describe('response headers', () => {
  it('are found in any case, with or without spaces after their names', () => {
    const headers = new ResponseHeaders('Content-Length \t,5,LINK,<a>,link,<b>,Linked,c'.split(','));
    expect(headers.get('content-length')).to.equal('5');
    expect(headers.getAll('link')).to.deep.equal(['<a>', '<b>']);
    expect(headers.get('link')).to.equal('<a>, <b>');
  });

  it('are null or an empty list if missing', () => {
    const headers = new ResponseHeaders(['', 'a', 'X-Note', '']);
    expect([headers.get('link'), headers.getAll('link'), headers.get('x-note')]).to.deep.equal([
      null,
      [],
      '',
    ]);
  });

  it('contain no control characters', () => {
    expect(new ResponseHeaders(['Location', '/a\0\x7f\tb\r\n']).get('location')).to.equal(
      '/a%00%7F\tb%0D%0A',
    );
  });
});
