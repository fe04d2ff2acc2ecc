import fc from 'fast-check';

/** Set by who repeats a run that failed; whatever is random prints its seed when it fails. */
const given = process.env.TEST_SEED;

/** The seed of the run, or another each time. A whole number of 32 bits. */
export function seedOfRun(): number {
  if (given === undefined) return Math.floor(Math.random() * 2 ** 32);
  if (!/^-?\d+$/.test(given)) throw new Error(`TEST_SEED is ${given}, which is no whole number`);
  return Number(given) | 0;
}

/**
 * Properties begin with the seed of the run; without one they choose their own, and name it when they fail.
 */
export function seedProperties(): void {
  if (given !== undefined) fc.configureGlobal({ seed: seedOfRun() });
}
