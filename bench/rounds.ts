import { createInterface } from 'node:readline/promises';

/**
 * Does something for each line of standard input and prints `ready <milliseconds>` each time; ends with the
 * input.
 */
export async function onEachLine(act: () => Promise<void>): Promise<void> {
  for await (const _line of createInterface({ input: process.stdin })) {
    const startedMs = performance.now();
    await act();
    process.stdout.write(`ready ${performance.now() - startedMs}\n`);
  }
}
