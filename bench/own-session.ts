import type { Environment } from '../config/config.ts';
import { type ProcessOptions, startProcess, type TestProcess } from '../test/support/processes.ts';

/**
 * What makes a command run in a session of its own, as an init system does. Linux shares cores out between sessions
 * (autogroup), and each backend of Postgres has one: in ours, web, its callers and those who measure it would together
 * get no more than a single backend.
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
