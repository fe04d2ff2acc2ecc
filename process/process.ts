import { deadlines } from '../config/deadlines.ts';
import { isDatabaseUnavailable } from '../db/postgres/errors.ts';
import type { Log } from './log.ts';
import { OperatorError } from './operator-error.ts';

export interface Stoppable {
  /** Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Shuts a process down gracefully: stops its parts one after the other. After an error in one part, the next parts are
 * still stopped. After `deadlines.endMs`, waits no longer and logs the parts that have not stopped.
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
    const stopped = stop().catch((error) =>
      log.warn('A part of the process failed to stop', { what, error }),
    );
    if ((await Promise.race([stopped, timeIsUp])) === 'late')
      log.warn('A part of the process did not stop in time', { what });
  }
  clearTimeout(timer);
}

/** Runs an entry point. If the operator can fix an error, prints one line instead of a stack and exits. */
export async function exitOnOperatorError(start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    const line = toOperatorMessage(error);
    if (line === null) throw error;
    process.stderr.write(`${line}\n`);
    // An open connection pool would keep the process alive.
    process.exit(1);
  }
}

function toOperatorMessage(error: unknown): string | null {
  if (error instanceof OperatorError) return error.message;
  if (!(error instanceof Error)) return null;
  const code = String((error as { code?: unknown }).code ?? '');
  // Wrong password, unknown role, unknown database.
  const isRefused = /^(28|3D)/.test(code);
  if (!isRefused && !isDatabaseUnavailable(error)) return null;
  return `Cannot connect to the database at DATABASE_URL: ${error.message || code}`;
}

/**
 * Shuts down gracefully and exits with 0 at SIGTERM, at SIGINT and when the terminal is closed. Repeated signals are
 * ignored. After an uncaught exception, the state of the process is unknown. The process then exits with 1, and the
 * host must restart it.
 */
export function stopOnSignals(running: Stoppable, log: Log): void {
  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info(`Received ${signal}, stopping`);
    setTimeout(() => {
      log.error('Stopping took too long');
      process.exit(1);
    }, deadlines.stopMs).unref();
    await running.stop();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop(signal));
  process.on('uncaughtException', (error) => {
    log.error('Uncaught exception', { error });
    process.exit(1);
  });
}
