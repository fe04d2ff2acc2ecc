import { expect } from 'chai';

/**
 * What a whole may cost beside eight eighths: about one is usual, and eight what a reader takes that looks
 * back each time.
 */
const costMax = 5;
/**
 * Many machines count processor time in ticks of 4 to 10 ms, so a difference of a few of them tells nothing.
 */
const ticksMs = 20;

/**
 * Holds a reader to work that grows with its input and no faster: the processor time of the whole input
 * against that of eight times an eighth of it, the best of as many rounds as it takes, at most five, so that a
 * slow or busy machine slows both.
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

/** How long an act holds the event loop, in milliseconds of this thread's processor time. */
async function heldMs(act: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await act();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
