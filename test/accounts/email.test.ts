import { expect } from 'chai';
import { parseEmail } from '../../accounts/email.ts';
import { isMailAddress } from '../../mail/plain-name.ts';
import { expectLinear } from '../support/growth.ts';

describe('an email address', () => {
  const spellings = ['b@mail.ex\u00e4mple.com', 'b@MAIL.xn--exmple-cua.com', 'b@mail.EX\u00c4MPLE.com.'];
  for (const spelling of spellings) {
    it(`has one spelling: ${spelling}`, () => {
      expect(parseEmail(spelling)).to.equal('b@mail.xn--exmple-cua.com');
    });
  }

  it('keeps upper and lower case before the @', () => {
    expect(parseEmail('Ada.L@Example.com')).to.equal('Ada.L@example.com');
  });

  const none = [
    'b',
    'b@example',
    'b@example.',
    'b@@example.com',
    'a,b@example.com',
    `${'b'.repeat(250)}@example.com`,
  ];
  for (const text of [
    ...none,
    'b@a\u3002com',
    'b@a\uff0ecom.x',
    'b@a.b\uff61com',
    'b@a b.com',
    'b@\u0000.com',
  ]) {
    it(`is invalid: ${JSON.stringify(text.slice(-20))}`, () => {
      expect(parseEmail(text)).to.equal(null);
    });
  }

  for (const read of [parseEmail, isMailAddress]) {
    it(`is parsed in linear time: ${read.name}`, () =>
      expectLinear(read, (share) => `a@${'.'.repeat(40_000 * share)},`));
  }
});
