import { cpus, loadavg, totalmem } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

const lookMs = 2000;

/** What the figures were measured on. */
export function machine(): string {
  const [first] = cpus();
  const gibibytes = Math.round(totalmem() / 1024 ** 3);
  return `${cpus().length} cores (${first?.model.trim()}), ${gibibytes} GiB, Node ${process.version}, Postgres 18 with fsync`;
}

/** What others do with it, asked before the bench does anything. */
export async function othersNow(): Promise<string> {
  const before = spentMs();
  await pause(lookMs);
  const after = spentMs();
  const idleShare = (after.idle - before.idle) / (after.all - before.all);
  return `before it began the cores were busy for ${Math.round(100 * (1 - idleShare))} % of ${lookMs} ms, load ${load()}`;
}

/** How many wanted a core, on average of the last minute; the bench with all its processes included. */
export function load(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}

function spentMs(): { idle: number; all: number } {
  const times = cpus().map((core) => core.times);
  const idle = times.reduce((sum, core) => sum + core.idle, 0);
  const all = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
  return { idle, all };
}
