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

export interface Engine<T extends CheckType> {
  /**
   * Makes one check while the caller waits. `deadlineMs` is a time on the clock of `performance.now()`. `cost` is
   * correct even if the check throws. Throws any error that prevented an outcome, such as an aborted signal.
   */
  check(
    request: CheckRequest<T>,
    context: CheckContext & { deadlineMs: number; cost?: Cost },
  ): Promise<Outcome<AnswerOf<T>>>;
  /** Prepares the checks of one chunk. They share connections and pages. */
  startChunk(options: OptionsOf<T>, context: CheckContext): ChunkChecks<T>;
}

export interface ChunkChecks<T extends CheckType = CheckType> {
  prepare(input: InputOf<T>): PreparedCheck<T>;
  close(): void;
}

/** The check of one input. It may be tried several times. */
export interface PreparedCheck<T extends CheckType = CheckType> {
  /** Waits for a check slot. Returns null if the signal was aborted first. */
  acquireSlot(signal: AbortSignal): Promise<CheckSlot | null>;
  /** Makes one attempt. Adds to `cost` during the attempt. */
  attempt(slot: CheckSlot, cost?: Cost): Promise<Outcome<AnswerOf<T>>>;
  /**
   * Pauses checks at the host of the input for the seconds that the host asked for. If null, each pause is longer than
   * the previous pause.
   */
  pauseHost?(afterSeconds: number | null): void;
}

export type EngineTable = { [T in CheckType]: Engine<T> };

export function createChunkChecks<T extends CheckType>(
  engines: EngineTable,
  { type, options }: { type: T; options: OptionsOf<T> },
  context: CheckContext,
): ChunkChecks {
  const engine: Engine<T> = engines[type];
  // The cast is safe, because the inputs come from a chunk of this type.
  return engine.startChunk(options, context) as unknown as ChunkChecks;
}
