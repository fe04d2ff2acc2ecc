import { expect } from 'chai';
import { toStorableJson } from '../../../db/postgres/text.ts';

describe('storable JSON', () => {
  it('is plain JSON when Postgres can hold it', () => {
    const value = { url: 'https://example.com/\u00e9?a=\\u0000', list: [1, null, '😀'] };
    expect(JSON.parse(toStorableJson(value))).to.deep.equal(value);
  });

  it('has no U+0000 and no half of a surrogate pair', () => {
    const value = { ranked_url: 'https://example.com/\0', list: ['\ud800x'] };
    expect(JSON.parse(toStorableJson(value))).to.deep.equal({
      ranked_url: 'https://example.com/\ufffd',
      list: ['\ufffdx'],
    });
  });
});
