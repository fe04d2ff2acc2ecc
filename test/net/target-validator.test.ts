import { expect } from 'chai';
import fc from 'fast-check';
import { createAddressPolicy } from '../../net/address.ts';
import { createTargetValidator } from '../../net/target-validator.ts';
import { parseTarget } from '../../net/url.ts';
import { countParses } from '../support/parses.ts';
import { words } from '../support/words.ts';

const publicOnly = createAddressPolicy([]);
const policies = [publicOnly, createAddressPolicy(['10.0.0.0/8'])];

const starts = [
  'http://',
  'https://',
  'HTTP://',
  'http:/',
  'http:///',
  'http:\\\\',
  'https:',
  ' http://',
  '',
];
const hosts = [
  'a b.example',
  `${'a'.repeat(64)}.example`,
  ...words(`
    example.com EXAMPLE.com. localhost a.internal 10.0.0.1 0x7f.1 [::1] [2606:4700::1] [::1
    user:pass@example.com @example.com münchen.de xn-- exam%70le.com %6c%6fcalhost ..`),
];
const ports = ['', ':80', ':', ':25', ':8443', ':65536', ':1x'];
const rests = [
  '',
  '/',
  '/a?b=c#d',
  '?',
  '#',
  '\\x',
  '/ü',
  '/ a',
  '/a\tb',
  '/%',
  '/%zz',
  '/|<>"^`{}',
  '//x@y:z/',
];
const piece = (pieces: string[]) => fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary' }));
const address = fc.tuple(...[starts, hosts, ports, rests].map(piece)).map((parts) => parts.join(''));

describe('the validation of the targets of a list', () => {
  it('gives each target the same result as parseTarget', () => {
    fc.assert(
      fc.property(fc.array(address, { maxLength: 20 }), fc.constantFrom(...policies), (list, policy) => {
        const judge = createTargetValidator(policy);
        for (const one of [...list, ...list])
          expect(judge(one), JSON.stringify(one)).to.equal(parseTarget(one, policy).problem ?? null);
      }),
      { numRuns: 300 },
    );
    const judge = createTargetValidator(publicOnly);
    for (const length of [2047, 2048, 2049]) {
      for (const start of ['http://example.com/', 'http://']) {
        const long = start.padEnd(length, 'a');
        expect(judge(long), `${start}… ${length}`).to.equal(parseTarget(long, publicOnly).problem ?? null);
      }
    }
  });

  it('parses a repeated host once', () => {
    const judge = createTargetValidator(publicOnly);
    const urls = Array.from(
      { length: 300 },
      (_, nth) => `https://${nth % 3}.example.com/shoes/${nth}?q#${nth}`,
    );
    expect(countParses(() => urls.forEach((url) => void judge(url))).parses).to.equal(3);
  });
});
