import type { ColumnType, Generated } from 'kysely';
import type { BatchStatus } from '../schemas/batch.ts';
import type { ChangeKind } from '../schemas/change-kinds.ts';
import type {
  AnswerOf,
  AskedOf,
  CheckType,
  HistoryType,
  InputOf,
  OptionsOf,
} from '../schemas/check-types.ts';
import type { LedgerKind } from '../schemas/credits.ts';
import type { ItemError } from '../schemas/failures.ts';
import type { FoundResult } from '../schemas/keyword.ts';
import type { Role } from '../schemas/members.ts';
import type {
  LeftReason,
  MonitorStatus,
  Notify,
  PausedReason,
  RunKind,
  RunStatus,
  Schedule,
  SkipReason,
} from '../schemas/monitor-words.ts';
import type { GroupTally, RunTally } from '../schemas/run-tally.ts';
import type { Scope } from '../schemas/scopes.ts';
import type { DB as GeneratedDB } from './schema.ts';

/** An input of a chunk: its place in the batch, the id its outcome will have, and what was asked. */
export interface ChunkInput<T extends CheckType = CheckType> {
  request_id: number;
  position: number | null;
  input: InputOf<T>;
}

/** Counts of what was tried for an input before the rest of its chunk went into a new job. */
export interface ItemTries {
  silences?: number;
  refusals?: number;
  faults?: number;
  putBacks?: number;
  putOffs?: number;
  deaths?: number;
}

/**
 * What came of a check: an answer with the summary's counters that it adds one to, or why there is none. `problem`: why
 * an entry did not fit, as a sentence.
 */
export type ItemResult = ItemAnswer | { error: ItemError; problem?: string };

export interface ItemAnswer {
  outcome: AnswerOf;
  tally: string[];
  /** What was found on the way, where the caller asked for it. */
  results?: FoundResult[];
}

/** Failed: refused for good, or given up; dropped: there was nothing to tell any more, or nobody to tell it to. */
export type MailState = 'pending' | 'sent' | 'failed' | 'dropped';

/** JSON that is written as text and read as a value. */
type JsonOf<T> = ColumnType<T, string, string>;
type GeneratedJsonOf<T> = ColumnType<T, string | undefined, string>;

type Narrowed<T, Columns extends { [C in keyof Columns]: C extends keyof T ? unknown : never }> = Omit<
  T,
  keyof Columns
> &
  Columns;

/** The generated tables, with the words and shapes that the database only knows as text and jsonb. */
export interface DB
  extends Omit<
    GeneratedDB,
    | 'apiTokens'
    | 'baselines'
    | 'batches'
    | 'changes'
    | 'chunks'
    | 'deliveries'
    | 'events'
    | 'history'
    | 'items'
    | 'ledgerEntries'
    | 'mails'
    | 'invitations'
    | 'memberships'
    | 'monitorRuns'
    | 'monitors'
    | 'resultPages'
    | 'runTallies'
    | 'subjects'
  > {
  apiTokens: Narrowed<GeneratedDB['apiTokens'], { scope: Generated<Scope> }>;
  baselines: Narrowed<GeneratedDB['baselines'], { facts: JsonOf<Record<string, unknown>> }>;
  batches: Narrowed<
    GeneratedDB['batches'],
    {
      type: CheckType;
      status: Generated<BatchStatus>;
      options: GeneratedJsonOf<OptionsOf>;
      summary: GeneratedJsonOf<Record<string, number>>;
      waitingReason: ItemError | null;
    }
  >;
  changes: Narrowed<
    GeneratedDB['changes'],
    { kind: ChangeKind; before: JsonOf<Record<string, unknown>>; after: JsonOf<Record<string, unknown>> }
  >;
  chunks: Narrowed<
    GeneratedDB['chunks'],
    { type: CheckType; inputs: JsonOf<ChunkInput[]>; tries: GeneratedJsonOf<Record<string, ItemTries>> }
  >;
  deliveries: Narrowed<GeneratedDB['deliveries'], { state: Generated<'pending' | 'delivered' | 'failed'> }>;
  events: Narrowed<GeneratedDB['events'], { body: JsonOf<object> }>;
  history: Narrowed<
    GeneratedDB['history'],
    {
      type: HistoryType;
      state: 'success' | 'failed';
      error: ItemError | null;
      input: JsonOf<AskedOf<HistoryType>>;
    }
  >;
  items: Narrowed<
    GeneratedDB['items'],
    {
      type: CheckType;
      state: 'success' | 'failed';
      input: JsonOf<InputOf | AskedOf>;
      outcome: ColumnType<AnswerOf | null, string | null, never>;
      error: ItemError | null;
    }
  >;
  ledgerEntries: Narrowed<GeneratedDB['ledgerEntries'], { kind: LedgerKind }>;
  mails: Narrowed<
    GeneratedDB['mails'],
    { state: Generated<MailState>; ids: GeneratedJsonOf<Record<string, string | number>> }
  >;
  invitations: Narrowed<GeneratedDB['invitations'], { role: Role }>;
  memberships: Narrowed<GeneratedDB['memberships'], { role: Role }>;
  monitors: Narrowed<
    GeneratedDB['monitors'],
    {
      type: CheckType;
      status: Generated<MonitorStatus>;
      pausedReason: PausedReason | null;
      schedule: JsonOf<Schedule>;
      notify: JsonOf<Notify>;
      options: GeneratedJsonOf<OptionsOf>;
      stopWhen: 'indexed' | null;
    }
  >;
  monitorRuns: Narrowed<
    GeneratedDB['monitorRuns'],
    { kind: RunKind; status: RunStatus; reason: SkipReason | null }
  >;
  resultPages: Narrowed<GeneratedDB['resultPages'], { results: JsonOf<FoundResult[]> }>;
  runTallies: Narrowed<
    GeneratedDB['runTallies'],
    { tally: JsonOf<RunTally>; groups: ColumnType<GroupTally[] | null, string | null, string | null> }
  >;
  subjects: Narrowed<GeneratedDB['subjects'], { input: JsonOf<InputOf>; leftReason: LeftReason | null }>;
}
