import type { AnswerOf, CheckType, InputOf, OptionsOf } from '../schemas/check-types.ts';
import type { Errand } from './http/series.ts';
import type { CheckSlot } from './http/slots.ts';
import type { Cost, Outcome } from './outcome.ts';

/** What is asked of one check. */
export interface Ask<T extends CheckType> {
  input: InputOf<T>;
  options: OptionsOf<T>;
}

/** A check that somebody waits for, until a moment on `performance.now()`'s clock. */
export interface UrgentErrand extends Errand {
  deadlineMs: number;
  /** Counts what the check costs while it does, so that it is known of one that is given up, too. */
  cost?: Cost;
}

/** How checks of one type are made. */
export interface Engine<T extends CheckType> {
  /** One while somebody waits. Errors: whatever kept it from an outcome, when the signal was aborted too. */
  check(ask: Ask<T>, errand: UrgentErrand): Promise<Outcome<AnswerOf<T>>>;
  /** Many of one account, with what they share. */
  series(options: OptionsOf<T>, errand: Errand): Series<T>;
}

/** Checks of one chunk. */
export interface Series<T extends CheckType = CheckType> {
  /** Waits for a check slot; null when `mayNotStart` was aborted first. */
  enter(input: InputOf<T>, mayNotStart: AbortSignal): Promise<CheckSlot | null>;
  /** One check, in a slot that the caller has entered. `cost` counts what it costs while it does. */
  check(input: InputOf<T>, slot: CheckSlot, cost?: Cost): Promise<Outcome<AnswerOf<T>>>;
  /** The host of an input asked for peace, for so many seconds if it said so. */
  leaveAlone(input: InputOf<T>, afterSeconds: number | null): void;
  /** Ends what the checks shared. */
  close(): void;
}

/** An engine for each type of check. */
export type EngineTable = { [T in CheckType]: Engine<T> };

/** The series that a type's engine makes, for whoever holds a chunk of any type. */
export function seriesOf<T extends CheckType>(
  engines: EngineTable,
  { type, options }: { type: T; options: OptionsOf<T> },
  errand: Errand,
): Series {
  const engine: Engine<T> = engines[type];
  // The inputs that come to it are of the chunk the type was read from.
  return engine.series(options, errand) as unknown as Series;
}
