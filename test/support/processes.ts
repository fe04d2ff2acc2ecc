import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../config.ts';

/** A process of ours under test, started for real. */
export interface TestProcess {
  pid: number;
  /** What it printed when it was ready. */
  ready: string;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when it has ended: its exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Starts an entry of ours with arguments, and waits until its output matches `isReady`. */
export async function startProcess(entry: string[], env: Environment, isReady: RegExp): Promise<TestProcess> {
  const child = spawn(process.execPath, entry, {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => signal ?? code);
  const ready = await readyLine(child, isReady);
  return { pid: child.pid ?? 0, ready, kill: (signal) => void child.kill(signal), ended };
}

function readyLine(child: ChildProcess, isReady: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (part) => {
      output += String(part);
      if (isReady.test(output)) resolve(output);
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code} before it was ready: ${output}`)));
  });
}

/** The worker of the Procfile. */
export function startWorkerProcess(env: Environment): Promise<TestProcess> {
  return startProcess(['worker/main.ts'], { ...env, LOG_FORMAT: 'json' }, /taking jobs/);
}

/** A worker or web process that kills itself at a fail point. */
export function startFaulty(
  kind: 'web' | 'worker',
  point: string,
  nth: number,
  env: Environment,
): Promise<TestProcess> {
  return startProcess(
    ['test/support/faulty.ts', kind, point, String(nth)],
    { ...env, LOG_LEVEL: 'error' },
    /ready/,
  );
}
