import Type from 'typebox';
import { BatchId, Nullable, ObjectSchema, StringEnum, Timestamp, Warnings } from './common.ts';
import { ListSchema } from './list.ts';
import { MonitorId } from './monitor.ts';
import { runKinds, runStatuses, type SkipReason, skipReasons } from './monitor-types.ts';

export const RunId = Type.String({ format: 'uuid', examples: ['4f2a8b6c-1d3e-4f50-9a7b-6c5d4e3f2a10'] });
const Count = Type.Integer({ minimum: 0 });

/** A run of a monitor. `checked` and `failed` are 0 until the run has finished. */
export const MonitorRun = ObjectSchema('MonitorRun', {
  run_id: RunId,
  monitor_id: MonitorId,
  kind: StringEnum(runKinds),
  confirms: Nullable(RunId, 'The earlier run whose losses this run checks again'),
  due_at: Nullable(Timestamp, 'Null if the run was started manually'),
  late: Type.Boolean({ description: 'True if the run started 10 minutes or more after `due_at`' }),
  status: StringEnum(runStatuses, { description: '`preparing` while a sitemap is read' }),
  reason: Nullable(StringEnum(Object.keys(skipReasons) as SkipReason[]), 'Null if the run was not skipped'),
  batch_id: Nullable(BatchId, 'The first of `batch_ids`'),
  batch_ids: Type.Array(BatchId),
  subjects: { ...Count, description: 'Subjects to check' },
  checked: { ...Count, description: 'Subjects with an answer' },
  failed: { ...Count, description: 'Subjects without an answer, refunded' },
  changes: Count,
  credits_charged: { ...Count, description: 'Credits charged at the start' },
  left_out: {
    ...Count,
    description: 'URLs of the sitemap that are not checked because of `subjects_max`',
  },
  sitemap_doubtful: Type.Boolean({
    description:
      'True if the sitemap could not be read, was empty, or lost more than half of its URLs. The previous list was used',
  }),
  created_at: Timestamp,
  started_at: Nullable(Timestamp),
  finished_at: Nullable(Timestamp),
});
export type MonitorRun = Type.Static<typeof MonitorRun>;

export const RunResponse = ObjectSchema('RunResponse', {
  success: Type.Literal(true),
  run: MonitorRun,
  warnings: Type.Optional(Warnings),
});

export const RunList = ListSchema(MonitorRun, 'RunList');
