/**
 * How long an act holds the event loop at the least, in milliseconds of this thread's processor time: a machine that tests
 * is busy with other things, and the clock on the wall would count those too.
 */
export function heldMs(act: () => void, rounds = 3): number {
  const times = Array.from({ length: rounds }, () => {
    const before = process.threadCpuUsage();
    act();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}
