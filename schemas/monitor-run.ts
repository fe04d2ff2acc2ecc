import Type from 'typebox';
import { ListOf } from './list.ts';
import { MonitorId } from './monitor.ts';
import { runKinds, runStatuses, type SkipReason, skipReasons } from './monitor-words.ts';
import { BatchId, Nullable, Timestamp, Warnings, Word } from './text.ts';

export const RunId = Type.String({ format: 'uuid', examples: ['4f2a8b6c-1d3e-4f50-9a7b-6c5d4e3f2a10'] });
const Count = Type.Integer({ minimum: 0 });

/** A run. `checked` and `failed` are counted when it has finished; until then both are 0. */
export const MonitorRun = Type.Object(
  {
    run_id: RunId,
    monitor_id: MonitorId,
    kind: Word(runKinds),
    confirms: Nullable(RunId, 'The run whose losses a confirmation checks again'),
    due_at: Nullable(Timestamp, 'Null for one that was started by hand'),
    late: Type.Boolean({ description: 'It started ten minutes or more after it was due' }),
    status: Word(runStatuses, { description: '`preparing` while a sitemap is read' }),
    reason: Nullable(Word(Object.keys(skipReasons) as SkipReason[]), 'Null unless it was skipped'),
    batch_id: Nullable(BatchId, 'The first of `batch_ids`'),
    batch_ids: Type.Array(BatchId),
    subjects: { ...Count, description: 'How many were to be checked' },
    checked: { ...Count, description: 'How many got an answer' },
    failed: { ...Count, description: 'How many got none, and were refunded' },
    changes: Count,
    credits_charged: { ...Count, description: 'What was charged when it started' },
    left_out: { ...Count, description: 'Addresses of the sitemap beyond `subjects_max`' },
    sitemap_doubtful: Type.Boolean({
      description: 'The sitemap was not believed, and the last list was used',
    }),
    created_at: Timestamp,
    started_at: Nullable(Timestamp),
    finished_at: Nullable(Timestamp),
  },
  { $id: 'MonitorRun' },
);
export type MonitorRun = Type.Static<typeof MonitorRun>;

export const RunAnswer = Type.Object(
  { success: Type.Literal(true), run: MonitorRun, warnings: Type.Optional(Warnings) },
  { $id: 'RunAnswer' },
);

export const RunList = ListOf(MonitorRun, 'RunList');
