import { expect } from 'chai';

/**
 * Maximum ratio of the cost of the whole input to eight times the cost of an eighth. Linear work has 1, quadratic work
 * has 8.
 */
const costMax = 5;
/** Many machines count CPU time in ticks of 4 to 10 ms, so a few ticks mean nothing. */
const ticksMs = 20;

/**
 * Checks that a reader's work grows linearly: compares the CPU time for the whole input with eight times an eighth of
 * it. Takes the best of up to five rounds, since other work slows some of them.
 */
export async function expectLinear(
  read: (text: string) => unknown,
  input: (share: number) => string,
): Promise<void> {
  const [whole, eighth] = [input(1), input(1 / 8)];
  const wholeMs: number[] = [];
  const eighthsMs: number[] = [];
  for (let round = 0; round < 5; round++) {
    eighthsMs.push(
      await heldMs(async () => {
        for (let part = 0; part < 8; part++) await read(eighth);
      }),
    );
    wholeMs.push(await heldMs(() => read(whole)));
    if (Math.min(...wholeMs) < ticksMs + costMax * Math.min(...eighthsMs)) return;
  }
  expect(Math.min(...wholeMs)).to.be.below(ticksMs + costMax * Math.min(...eighthsMs));
}

/** Returns the CPU time of this thread during `act`, in milliseconds. */
async function heldMs(act: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await act();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
