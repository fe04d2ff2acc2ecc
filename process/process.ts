import { deadlines } from '../config/deadlines.ts';
import { isDatabaseTrouble } from '../db/postgres/trouble.ts';
import type { Log } from './log.ts';
import { OperatorError } from './operator-error.ts';

/** Something that was started and can be stopped; stopping it twice is one stop. */
export interface Running {
  stop(): Promise<void>;
}

/**
 * Stops one thing after the other, and is done after `deadlines.endMs` whatever hangs, such as a database that does not
 * answer: what has not ended then is named in the log and left to the end of the process. What throws holds up nothing.
 */
export async function stopInTime(
  log: Log,
  steps: ReadonlyArray<[what: string, stop: () => Promise<unknown>]>,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeIsUp = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), deadlines.endMs);
  });
  for (const [what, stop] of steps) {
    const stopped = stop().catch((error) => log.warn('Stopping met trouble', { what, error }));
    if ((await Promise.race([stopped, timeIsUp])) === 'late')
      log.warn('Stopping waits no longer for what hangs', { what });
  }
  clearTimeout(timer);
}

/** Runs an entry; what the operator can put right ends the process with its one line instead of a stack. */
export async function exitOnConfigError(start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    const line = lineFor(error);
    if (line === null) throw error;
    process.stderr.write(`${line}\n`);
    // At once: what was started before, such as a pool, would keep the process alive.
    process.exit(1);
  }
}

function lineFor(error: unknown): string | null {
  if (error instanceof OperatorError) return error.message;
  if (!(error instanceof Error)) return null;
  const code = String((error as { code?: unknown }).code ?? '');
  // Wrong password, no such role, no such database.
  const isRefused = /^(28|3D)/.test(code);
  if (!isRefused && !isDatabaseTrouble(error)) return null;
  return `The database of DATABASE_URL cannot be used: ${error.message || code}`;
}

/**
 * Stops in good order at SIGTERM, at SIGINT and when its terminal is closed, then exits 0. A host may signal
 * more than once; that changes nothing. What nobody caught ends the process, since its state is unknown:
 * whoever started it starts it again.
 */
export function stopOnSignals(running: Running, log: Log): void {
  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info(`Stopping at ${signal}`);
    setTimeout(() => {
      log.error('Stopping took too long');
      process.exit(1);
    }, deadlines.stopMs).unref();
    await running.stop();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop(signal));
  process.on('uncaughtException', (error) => {
    log.error('Nobody caught this', { error });
    process.exit(1);
  });
}
