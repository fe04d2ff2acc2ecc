import Type from 'typebox';
import { Nullable, ObjectSchema, StringEnum } from './common.ts';
import { Monitor } from './monitor.ts';
import { MonitorChange } from './monitor-history.ts';
import { MonitorRun } from './monitor-run.ts';
import { ChangeCounts } from './monitor-series.ts';

const { type, status } = Monitor.properties;
const test = Type.Optional(Type.Literal(true, { description: 'Sample of POST /webhooks/test' }));
const head = {
  monitor_id: Type.String(),
  name: Type.String(),
  type,
  reference: Nullable(Type.String()),
  test,
};
const RunPayload = ObjectSchema('MonitorRunPayload', {
  event: StringEnum(['monitor.changed', 'monitor.run_completed']),
  ...head,
  run: MonitorRun,
  counts: ChangeCounts,
  changes_url: Type.String({ description: 'URL of the list of these changes' }),
  changes: Nullable(
    Type.Array(MonitorChange, { maxItems: 100 }),
    'Null if there are more than 100 changes or more than 64 KiB. Then read the changes from `changes_url`',
  ),
});

const createPayload = (event: string, $id: string, fields: Type.TProperties) =>
  Type.Object({ event: Type.Literal(event), ...fields }, { $id });

/** Payloads sent to the `notify.webhook_url` of a monitor, by event. */
export const monitorEvents = {
  'monitor.changed': RunPayload,
  'monitor.run_completed': RunPayload,
  'monitor.run_skipped': createPayload('monitor.run_skipped', 'MonitorRunSkippedPayload', {
    ...head,
    run: MonitorRun,
    monitor_status: status,
  }),
  'monitor.completed': createPayload('monitor.completed', 'MonitorCompletedPayload', {
    ...head,
    run: MonitorRun,
  }),
  'monitor.resumed': createPayload('monitor.resumed', 'MonitorResumedPayload', head),
} as const;
export type MonitorEvent = keyof typeof monitorEvents;
