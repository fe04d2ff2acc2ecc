import { readdir, readFile } from 'node:fs/promises';

/** Linux reports CPU time in ticks. */
const ticksPerSecond = 100;

/** Returns the user and system CPU time of a process so far; NaN if it has ended. */
export async function processorSeconds(pid: number): Promise<number> {
  return ((await readStat(pid))?.own ?? Number.NaN) / ticksPerSecond;
}

/** Returns the CPU time of all processes of a backend's Postgres server, including ended processes. */
export async function serverSeconds(backendPid: number): Promise<number> {
  const parent = (await readStat(backendPid))?.parent;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = await Promise.all(pids.map(async (pid) => ({ pid, ...(await readStat(pid)) })));
  const ticks = all.map(({ pid, parent: itsParent, own = 0, ended = 0 }) =>
    pid === parent ? own + ended : itsParent === parent ? own : 0,
  );
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond;
}

/** Reads /proc/[pid]/stat (man proc): parent, own ticks, ticks of ended children. Null if the process has ended. */
async function readStat(pid: number): Promise<{ parent: number; own: number; ended: number } | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const sum = (from: number) => (fields[from] ?? 0) + (fields[from + 1] ?? 0);
  return { parent: fields[1] ?? 0, own: sum(11), ended: sum(13) };
}
