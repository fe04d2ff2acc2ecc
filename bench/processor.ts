import { readdir, readFile } from 'node:fs/promises';

/** Of Linux, in which it counts the time of a processor. */
const ticksPerSecond = 100;

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

/** Of the server that a backend belongs to: all its processes, those that have ended among them. */
export async function serverSeconds(backendPid: number): Promise<number> {
  const parent = (await fieldsOf(backendPid))?.parent;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = await Promise.all(pids.map(async (pid) => ({ pid, ...(await fieldsOf(pid)) })));
  const ticks = all.map(({ pid, parent: of, own = 0, ended = 0 }) =>
    pid === parent ? own + ended : of === parent ? own : 0,
  );
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond;
}

/** Of /proc/[pid]/stat (man proc): the parent, ticks of its own and of children that have ended. Null: it is gone. */
async function fieldsOf(pid: number): Promise<{ parent: number; own: number; ended: number } | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const sum = (from: number) => (fields[from] ?? 0) + (fields[from + 1] ?? 0);
  return { parent: fields[1] ?? 0, own: sum(11), ended: sum(13) };
}
