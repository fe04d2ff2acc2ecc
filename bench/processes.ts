import type { Environment } from '../config/config.ts';
import { type ProcessOptions, startProcess, type TestProcess } from '../test/support/processes.ts';
import type { Crowd } from './crowd.ts';

/**
 * Command prefix that starts a new session, like an init system. Linux shares the CPU between sessions (autogroup), and
 * each Postgres backend has its own session. In one session, web, its clients and the bench together would get only as
 * much CPU time as one backend.
 */
export const ownSession: string[] = process.platform === 'linux' ? ['setsid'] : [];

/** Starts a process in its own session and kills it when the bench exits. */
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

/** Returns a function that calls `stop` once. An interrupt (SIGINT or SIGTERM) calls it too, before the bench exits. */
export function stopOnInterrupt(stop: () => Promise<void>): () => Promise<void> {
  let stopping: Promise<void> | null = null;
  const once = () => {
    stopping ??= stop().finally(() => process.off('SIGINT', interrupted).off('SIGTERM', interrupted));
    return stopping;
  };
  const interrupted = () => void once().finally(() => process.exit(130));
  process.on('SIGINT', interrupted).on('SIGTERM', interrupted);
  return once;
}

export interface OutsideServers {
  port: number;
  /** Responds to hanging requests, and to new requests without delay until `hold` is called. */
  release(): Promise<void>;
  hold(): Promise<void>;
  stop(): Promise<void>;
}

const readyLine = /ready ([^\n]*)\n/;

/** Starts the targets and the provider of `outside.ts`. */
export async function startOutsideServers({ slowMs = 0, searchMs = 0 } = {}): Promise<OutsideServers> {
  const entry = ['bench/outside.ts', String(slowMs), String(searchMs)];
  const process = await startInOwnSession(entry, {}, readyLine, { hasInput: true });
  return {
    port: Number(process.said),
    release: async () => void (await process.ask('release')),
    hold: async () => void (await process.ask('hold')),
    stop: () => process.stop(),
  };
}

/** Starts a crowd in a separate process. */
export async function startCrowd(crowd: Crowd): Promise<TestProcess> {
  const process = await startInOwnSession(['bench/crowd.ts'], {}, readyLine, { isAsked: true });
  await process.ask(JSON.stringify(crowd));
  return process;
}

/** Stops a crowd after its last responses. Returns the number of responses by status. */
export async function stopCrowd(crowd: TestProcess): Promise<Record<string, number>> {
  const statuses = JSON.parse(await crowd.ask('stop'));
  await crowd.ended;
  return statuses;
}
