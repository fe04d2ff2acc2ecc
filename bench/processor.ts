import { readFile } from 'node:fs/promises';

/** Of Linux, in which it counts the time of a processor. */
export const ticksPerSecond = 100;

/** User and system time of a process so far, as Linux counts it. */
export async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return ((user ?? 0) + (system ?? 0)) / ticksPerSecond;
}
