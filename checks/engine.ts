import type { AnswerOf, CheckType, InputOf, OptionsOf } from '../schemas/check-types.ts';
import type { CheckSlot } from './http/slots.ts';
import type { Cost, Outcome } from './outcome.ts';

export interface CheckRequest<T extends CheckType> {
  input: InputOf<T>;
  options: OptionsOf<T>;
}

export interface CheckContext {
  accountId: number;
  /** Aborted when checks in flight should end. */
  signal: AbortSignal;
}

/** Makes the checks of one type. */
export interface Engine<T extends CheckType> {
  /**
   * Makes one check while the caller waits, until `deadlineMs` on `performance.now()`'s clock. `cost` is up to date
   * when the check throws, too. Errors: anything that prevented an outcome, such as an aborted signal.
   */
  check(
    request: CheckRequest<T>,
    context: CheckContext & { deadlineMs: number; cost?: Cost },
  ): Promise<Outcome<AnswerOf<T>>>;
  /** Makes the checks of one chunk, with what they share. */
  series(options: OptionsOf<T>, context: CheckContext): Series<T>;
}

/** The checks of one chunk. */
export interface Series<T extends CheckType = CheckType> {
  prepare(input: InputOf<T>): PreparedCheck<T>;
  /** Ends what the checks shared. */
  close(): void;
}

/** The check of one input, which may be tried several times. */
export interface PreparedCheck<T extends CheckType = CheckType> {
  /** Waits for a check slot; null when `mayNotStart` was aborted first. */
  enter(mayNotStart: AbortSignal): Promise<CheckSlot | null>;
  /** Adds to `cost` while it goes on. */
  try(slot: CheckSlot, cost?: Cost): Promise<Outcome<AnswerOf<T>>>;
  /** Starts no check at the host of the input for as long as it asked, or for longer each time. */
  pauseHost?(afterSeconds: number | null): void;
}

export type EngineTable = { [T in CheckType]: Engine<T> };

/** Returns the series of a chunk of any type. */
export function seriesOf<T extends CheckType>(
  engines: EngineTable,
  { type, options }: { type: T; options: OptionsOf<T> },
  context: CheckContext,
): Series {
  const engine: Engine<T> = engines[type];
  // Its inputs are those of the chunk that the type was read from.
  return engine.series(options, context) as unknown as Series;
}
