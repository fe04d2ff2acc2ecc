import type { Environment } from '../config/config.ts';
import { type ProcessOptions, startProcess, type TestProcess } from '../test/support/processes.ts';
import type { Crowd } from './crowd.ts';

/**
 * Makes a command run in a session of its own, as an init system does. Linux shares cores between sessions (autogroup),
 * and each backend of Postgres has one: in ours, web, its callers and the measurement would together get no more than a
 * single backend.
 */
export const ownSession: string[] = process.platform === 'linux' ? ['setsid'] : [];

/** Starts a process of ours in a session of its own, which ends when this one does at the latest. */
export async function startInOwnSession(
  entry: string[],
  env: Environment,
  isReady: RegExp,
  options: ProcessOptions = {},
): Promise<TestProcess> {
  const started = await startProcess(entry, env, isReady, { ...options, wrapper: ownSession });
  const kill = () => started.kill('SIGKILL');
  process.once('exit', kill);
  void started.ended.then(() => process.off('exit', kill));
  return started;
}

/** Makes `stop` run once, at its own call or when the bench is interrupted, which then waits for it. */
export function evenInterrupted(stop: () => Promise<void>): () => Promise<void> {
  let stopping: Promise<void> | null = null;
  const once = () => {
    stopping ??= stop().finally(() => process.off('SIGINT', interrupted).off('SIGTERM', interrupted));
    return stopping;
  };
  const interrupted = () => void once().finally(() => process.exit(130));
  process.on('SIGINT', interrupted).on('SIGTERM', interrupted);
  return once;
}

export interface Outside {
  port: number;
  /** Answers what hangs, and from then on what would hang. */
  release(): Promise<void>;
  hold(): Promise<void>;
  stop(): Promise<void>;
}

const said = /ready ([^\n]*)\n/;

/** Starts the targets and the provider of `outside.ts`. */
export async function startOutside({ slowMs = 0, searchMs = 0 } = {}): Promise<Outside> {
  const entry = ['bench/outside.ts', String(slowMs), String(searchMs)];
  const process = await startInOwnSession(entry, {}, said, { hasInput: true });
  return {
    port: Number(process.said),
    release: async () => void (await process.ask('release')),
    hold: async () => void (await process.ask('hold')),
    stop: () => process.stop(),
  };
}

/** Starts a crowd in a process of its own. */
export async function startCrowd(crowd: Crowd): Promise<TestProcess> {
  const process = await startInOwnSession(['bench/crowd.ts'], {}, said, { isAsked: true });
  await process.ask(JSON.stringify(crowd));
  return process;
}

/** Ends a crowd once its requests in flight are answered. Returns how often each status came. */
export async function disperse(crowd: TestProcess): Promise<Record<string, number>> {
  const statuses = JSON.parse(await crowd.ask('stop'));
  await crowd.ended;
  return statuses;
}
