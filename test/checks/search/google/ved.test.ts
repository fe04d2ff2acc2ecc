import { expect } from 'chai';
import { bookPageType, parseVedType, videoType, webPageType } from '../../../../checks/search/google/ved.ts';

describe('parseVedType', () => {
  // Values published by the first people who analysed `ved`, and values of later years.
  const known: [ved: string, type: number | null][] = [
    ['0CFYQFjAG', webPageType],
    ['0CAsQFjAA', webPageType],
    ['2ahUKEwjNh43Omc2LAxWVdPUHHR27CngQFnoECAkQAQ', webPageType],
    ['2ahUKEwjqprfs7ZL0AhVeRzABHR0OBXAQtwJ6BQiXAhAD', videoType],
    [`2${Buffer.from([0x10, 0xe8, 0x01]).toString('base64url')}`, bookPageType],
  ];
  for (const [ved, type] of known)
    it(`reads ${type} from ${ved}`, () => expect(parseVedType(ved)).to.equal(type));

  for (const ved of ['', '2', 'ved_70', '1t:22,r:1', `2${'A'.repeat(300)}`, '2EA', '2//8', '2f39_f39_f39_']) {
    it(`returns null for "${ved.slice(0, 20)}"`, () => expect(parseVedType(ved)).to.equal(null));
  }
});
