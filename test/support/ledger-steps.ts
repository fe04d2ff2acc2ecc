import fc from 'fast-check';

/** One thing that happens to an account. `which` and `size` are read against what is there by then. */
export interface Step {
  kind: 'grant' | 'charge' | 'settle' | 'submit' | 'record' | 'cancel' | 'retry';
  which: number;
  size: number;
  /** Which positions an act is about, and which of those have an answer, bit by bit. */
  about: number;
  answered: number;
  /** The process dies before it commits. */
  isCrash: boolean;
}

const weighted = (kind: Step['kind'], weight: number) => ({ arbitrary: fc.constant(kind), weight });

export const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    weighted('grant', 3),
    weighted('charge', 2),
    weighted('settle', 3),
    weighted('submit', 4),
    weighted('record', 6),
    weighted('cancel', 2),
    weighted('retry', 2),
  ),
  which: fc.nat(20),
  size: fc.integer({ min: 1, max: 10 }),
  about: fc.nat(1023),
  answered: fc.nat(1023),
  isCrash: fc.nat(5).map((number) => number === 0),
});
