import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { hashKey, isKey, randomKey } from '../../../db/accounts/random-key.ts';

describe('the key of a link or a cookie', () => {
  it('is different each time, and valid', () => {
    const keys = Array.from({ length: 100 }, randomKey);
    expect(new Set(keys)).to.have.lengthOf(100);
    expect(keys.every(isKey)).to.equal(true);
  });

  it('is invalid if it is shorter, longer or has other letters', () => {
    const key = randomKey();
    for (const text of [
      undefined,
      null,
      43,
      '',
      key.slice(1),
      `${key}A`,
      `${key.slice(1)}=`,
      `${key}\n`,
      [key],
    ])
      expect(isKey(text), String(text)).to.equal(false);
  });

  it('is stored as its SHA-256, so that old links stay valid', () => {
    const key = randomKey();
    expect(hashKey(key)).to.deep.equal(createHash('sha256').update(key).digest());
  });
});
