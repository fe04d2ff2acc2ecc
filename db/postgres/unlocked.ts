import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../process/log.ts';
import { OperatorError } from '../../process/operator-error.ts';
import { isContention } from './trouble.ts';

/** How a change of the schema waits for those who hold what it changes. */
export interface Patience {
  /**
   * How long it stands in line for a lock: whoever comes after it waits with it. All that one transaction waits
   * for is to be less than a second, after which Postgres ends somebody of those who wait in a circle, and that
   * is not us.
   */
  lockMs: number;
  /** How often it comes back, and after what pause, in which those who waited go through. */
  triesMax: number;
  pauseMs: number;
}

/** A minute and a half at most. No migration waits for more than four tables that others use. */
export const usualPatience: Patience = { lockMs: 200, triesMax: 60, pauseMs: 1300 };

/**
 * Acts again, from the beginning each time, as long as others hold what is to be changed. Errors: an OperatorError
 * when they do so to the end; any other as it is thrown.
 */
export async function untilUnlocked<T>(
  act: () => Promise<T>,
  what: string,
  { lockMs, triesMax, pauseMs }: Patience,
  log: Log,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await act();
    } catch (error) {
      if (!isContention(error)) throw error;
      if (tries === triesMax) throw stillLocked(what, triesMax, lockMs, error);
      log.warn(`${what} waits for others to let go of a table`, { tries });
      await sleep(pauseMs);
    }
  }
}

function stillLocked(what: string, tries: number, lockMs: number, cause: unknown): OperatorError {
  return new OperatorError(
    `${what} was not made: in ${tries} tries of ${lockMs} ms others did not let go of a table (pg_stat_activity names ` +
      `long transactions). What is up to date stays so; run npm run migrate again.`,
    { cause },
  );
}
