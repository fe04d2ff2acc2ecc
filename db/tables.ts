import type { ColumnType, Generated } from 'kysely';
import type { BatchStatus } from '../schemas/batch.ts';
import type { ChangeKind } from '../schemas/change-kinds.ts';
import type {
  AnswerOf,
  CheckType,
  FailedInputOf,
  HistoryType,
  InputOf,
  OptionsOf,
} from '../schemas/check-types.ts';
import type { LedgerKind } from '../schemas/credits.ts';
import type { ItemError } from '../schemas/failures.ts';
import type { OverviewContents } from '../schemas/features.ts';
import type { FoundResult } from '../schemas/keyword.ts';
import type { Role } from '../schemas/members.ts';
import type {
  MonitorStatus,
  Notify,
  PausedReason,
  RemovalReason,
  RunKind,
  RunStatus,
  Schedule,
  SkipReason,
} from '../schemas/monitor-types.ts';
import type { GroupTally, RunTally } from '../schemas/run-tally.ts';
import type { Scope } from '../schemas/scopes.ts';
import type { DeliveryState } from '../schemas/webhook.ts';
import type { DB as GeneratedDB } from './schema.ts';

export interface ChunkInput<T extends CheckType = CheckType> {
  /** Id of the item that the input will have. */
  request_id: number;
  /** Position in the batch; null for a single check. */
  position: number | null;
  input: InputOf<T>;
}

/**
 * Number of attempts for an input, by result. A successor job continues the counts:
 * - `silences`: the target did not respond
 * - `refusals`: the host throttled
 * - `faults`: a fault of our own, or an outage of a search provider
 * - `doubts`: our network was in doubt
 * - `slotWaits`: the host had no free slot
 * - `deaths`: the worker crashed
 */
export interface AttemptCounts {
  silences?: number;
  refusals?: number;
  faults?: number;
  doubts?: number;
  slotWaits?: number;
  deaths?: number;
}

/** Result of a check: an answer or an error. `problem` is a sentence that says why an entry is invalid. */
export type ItemResult = ItemAnswer | { error: ItemError; problem?: string };

export interface ItemAnswer {
  outcome: AnswerOf;
  /** Counters of the batch's summary that the answer increments. */
  tally: string[];
  /** All results found, if the caller asked for them. */
  results?: FoundResult[];
  /** Contents of an AI Overview, if the caller asked for it and one was found. */
  overview?: OverviewContents;
}

/** The last notified state of the AI Overview and the featured snippet of a query, each with its own pending loss. */
export type BaselineParts = Partial<
  Record<'overview' | 'snippet', { facts: Record<string, unknown>; pendingRunId: string | null }>
>;

/**
 * State of a mail. `failed`: the mail was rejected or has no attempts left. `dropped`: its content or recipient no
 * longer exists.
 */
export type MailState = 'pending' | 'sent' | 'failed' | 'dropped';

/** JSON that is written as text and read as a value. */
type JsonOf<T> = ColumnType<T, string, string>;
type GeneratedJsonOf<T> = ColumnType<T, string | undefined, string>;

/** Precise types of text and JSON columns. */
interface PreciseColumns {
  apiTokens: { scope: Generated<Scope> };
  baselines: { facts: JsonOf<Record<string, unknown>>; parts: JsonOf<BaselineParts> | null };
  batches: {
    type: CheckType;
    status: Generated<BatchStatus>;
    options: GeneratedJsonOf<OptionsOf>;
    summary: GeneratedJsonOf<Record<string, number>>;
    waitingReason: ItemError | null;
  };
  changes: {
    kind: ChangeKind;
    before: JsonOf<Record<string, unknown>>;
    after: JsonOf<Record<string, unknown>>;
  };
  chunks: {
    type: CheckType;
    inputs: JsonOf<ChunkInput[]>;
    tries: GeneratedJsonOf<Record<string, AttemptCounts>>;
  };
  deliveries: { state: Generated<DeliveryState> };
  events: { body: JsonOf<object> };
  history: {
    type: HistoryType;
    state: 'success' | 'failed';
    error: ItemError | null;
    input: JsonOf<FailedInputOf<HistoryType>>;
  };
  items: {
    type: CheckType;
    state: 'success' | 'failed';
    input: JsonOf<InputOf | FailedInputOf>;
    outcome: ColumnType<AnswerOf | null, string | null, never>;
    error: ItemError | null;
  };
  ledgerEntries: { kind: LedgerKind };
  mails: { state: Generated<MailState>; ids: GeneratedJsonOf<Record<string, string | number>> };
  invitations: { role: Role };
  memberships: { role: Role };
  monitors: {
    type: CheckType;
    status: Generated<MonitorStatus>;
    pausedReason: PausedReason | null;
    schedule: JsonOf<Schedule>;
    notify: JsonOf<Notify>;
    options: GeneratedJsonOf<OptionsOf>;
    stopWhen: 'indexed' | null;
  };
  monitorRuns: { kind: RunKind; status: RunStatus; reason: SkipReason | null };
  resultPages: { results: JsonOf<FoundResult[]> | null; overview: JsonOf<OverviewContents> | null };
  runTallies: {
    tally: JsonOf<RunTally>;
    groups: ColumnType<GroupTally[] | null, string | null, string | null>;
    sources: ColumnType<Record<string, number> | null, string | null, string | null>;
  };
  subjects: { input: JsonOf<InputOf>; leftReason: RemovalReason | null };
}

type Precise<Columns, Types> = { [C in keyof Columns]: C extends keyof Types ? Types[C] : Columns[C] };

/** The generated tables, with precise types for text and JSON columns. */
export type DB = {
  [T in keyof GeneratedDB]: T extends keyof PreciseColumns
    ? Precise<GeneratedDB[T], PreciseColumns[T]>
    : GeneratedDB[T];
};
