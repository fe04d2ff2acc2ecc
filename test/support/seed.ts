import fc from 'fast-check';

/** Set to repeat a failed run. Random tests print their seed when they fail. */
const given = process.env.TEST_SEED;

/** Returns the seed of the run, or a new one: a 32-bit integer. */
export function seedOfRun(): number {
  if (given === undefined) return Math.floor(Math.random() * 2 ** 32);
  if (!/^-?\d+$/.test(given)) throw new Error(`TEST_SEED is not an integer: ${given}`);
  return Number(given) | 0;
}

/** Sets the seed of fast-check, which otherwise chooses one and prints it when a property fails. */
export function seedProperties(): void {
  if (given !== undefined) fc.configureGlobal({ seed: seedOfRun() });
}
