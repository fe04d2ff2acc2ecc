import { expect } from 'chai';
import { bookPage, typeOfVed, webPage, withVideo } from '../../../../checks/search/google/ved.ts';

describe('the type of a link in ved', () => {
  // As published by its first analysts, and in the forms of later years.
  const known: [ved: string, type: number | null][] = [
    ['0CFYQFjAG', webPage],
    ['0CAsQFjAA', webPage],
    ['2ahUKEwjNh43Omc2LAxWVdPUHHR27CngQFnoECAkQAQ', webPage],
    ['2ahUKEwjqprfs7ZL0AhVeRzABHR0OBXAQtwJ6BQiXAhAD', withVideo],
    [`2${Buffer.from([0x10, 0xe8, 0x01]).toString('base64url')}`, bookPage],
  ];
  for (const [ved, type] of known) it(`${ved} is ${type}`, () => expect(typeOfVed(ved)).to.equal(type));

  for (const ved of ['', '2', 'ved_70', '1t:22,r:1', `2${'A'.repeat(300)}`, '2EA', '2//8', '2f39_f39_f39_']) {
    it(`is unknown in "${ved.slice(0, 20)}"`, () => expect(typeOfVed(ved)).to.equal(null));
  }
});
