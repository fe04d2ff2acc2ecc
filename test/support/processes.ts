import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../config/config.ts';

/** A process of Sonde. */
export interface TestProcess {
  pid: number;
  /** Text that `isReady` captured from its first output. */
  said: string;
  /** Sends a line to its standard input. Returns what `isReady` captures of the output then. */
  ask(line: string): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  /** Sends SIGTERM, and waits for the end. */
  stop(): Promise<void>;
  /** Resolves when the process has ended, to its exit code or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface ProcessOptions {
  /** A command to run Node under, such as `unshare -n`. */
  wrapper?: string[];
  /** True if the process prints nothing before `ask`. */
  isAsked?: boolean;
  /** True if `ask` is used after the process is ready. */
  hasInput?: boolean;
  /** File for all output, which is dropped otherwise. */
  logFile?: string;
  /** Called with the child at once, before it is ready. */
  onSpawn?(child: ChildProcess): void;
}

/** Returns the environment of a process. Of our own environment, it has only the variables for a fast start. */
export function environmentOf(env: Environment): Environment {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE, ...env };
}

/** Starts an entry point with arguments, and waits until its output matches `isReady`. */
export async function startProcess(
  entry: string[],
  env: Environment,
  isReady: RegExp,
  { wrapper = [], isAsked = false, hasInput = isAsked, logFile, onSpawn }: ProcessOptions = {},
): Promise<TestProcess> {
  const [command = process.execPath, ...args] = [...wrapper, process.execPath, ...entry];
  const child = spawn(command, args, {
    cwd: root,
    env: environmentOf(env),
    stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', logFile ? 'pipe' : 'inherit'],
  });
  onSpawn?.(child);
  if (logFile) logTo(logFile, child);
  const ended = once(child, 'exit').then(([code, signal]) => signal ?? code);
  const said = isAsked ? '' : await captured(child, isReady);
  return {
    pid: child.pid ?? 0,
    said,
    ask: (line) => {
      const answer = captured(child, isReady);
      child.stdin?.write(`${line}\n`);
      return answer;
    },
    kill: (signal) => void child.kill(signal),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
    ended,
  };
}

/** Returns the first group of the match, or all output without a group. */
function captured(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const { stdout } = child;
    let output = '';
    const read = (part: Buffer) => {
      output += String(part);
      const match = pattern.exec(output);
      if (!match) return;
      stdout?.off('data', read);
      stdout?.resume();
      child.off('exit', fail);
      resolve(match.slice(1).find((group) => group !== undefined) ?? output);
    };
    const fail = (code: number | null) =>
      reject(new Error(`ended with ${code} before it was ready: ${output}`));
    stdout?.on('data', read);
    child.once('exit', fail);
  });
}

function logTo(file: string, { stdout, stderr }: ChildProcess): void {
  const log = createWriteStream(file);
  for (const stream of [stdout, stderr]) stream?.on('data', (part) => log.write(part));
}

/** Starts the worker of the Procfile. */
export function startWorkerProcess(env: Environment): Promise<TestProcess> {
  return startProcess(['worker/main.ts'], { ...env, LOG_FORMAT: 'json' }, /taking jobs/);
}

/** Starts a process that kills itself at a fail point. */
export function startFaulty(
  kind: 'web' | 'worker',
  point: string,
  nth: number,
  env: Environment,
): Promise<TestProcess> {
  return startProcess(
    ['test/support/faulty.ts', kind, point, String(nth)],
    { ...env, LOG_LEVEL: 'error' },
    /ready (\d*)\n/,
  );
}
