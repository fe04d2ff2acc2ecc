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
   * Makes one check while the caller waits, until `deadlineMs` on `performance.now()`'s clock. `cost` is also up to
   * date when the check throws. Errors: anything that prevented an outcome, such as an aborted signal.
   */
  check(
    request: CheckRequest<T>,
    context: CheckContext & { deadlineMs: number; cost?: Cost },
  ): Promise<Outcome<AnswerOf<T>>>;
  /** Prepares the checks of one chunk, which share connections and pages. */
  startChunk(options: OptionsOf<T>, context: CheckContext): ChunkChecks<T>;
}

/** The checks of one chunk. */
export interface ChunkChecks<T extends CheckType = CheckType> {
  prepare(input: InputOf<T>): PreparedCheck<T>;
  /** Releases what the checks shared. */
  close(): void;
}

/** The check of one input, which may be tried several times. */
export interface PreparedCheck<T extends CheckType = CheckType> {
  /** Waits for a check slot; null when the signal was aborted first. */
  acquireSlot(signal: AbortSignal): Promise<CheckSlot | null>;
  /** Makes one attempt. `cost` grows while it runs. */
  attempt(slot: CheckSlot, cost?: Cost): Promise<Outcome<AnswerOf<T>>>;
  /**
   * Pauses checks at the host of the input for the seconds that the host asked for. If null, each pause is longer than
   * the one before.
   */
  pauseHost?(afterSeconds: number | null): void;
}

export type EngineTable = { [T in CheckType]: Engine<T> };

/** Prepares the checks of a chunk of any type. */
export function createChunkChecks<T extends CheckType>(
  engines: EngineTable,
  { type, options }: { type: T; options: OptionsOf<T> },
  context: CheckContext,
): ChunkChecks {
  const engine: Engine<T> = engines[type];
  // The cast is safe, because the inputs come from the chunk whose type was used.
  return engine.startChunk(options, context) as unknown as ChunkChecks;
}
