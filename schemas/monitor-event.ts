import Type from 'typebox';
import { Monitor } from './monitor.ts';
import { MonitorChange } from './monitor-history.ts';
import { MonitorRun } from './monitor-run.ts';
import { ChangeCounts } from './monitor-series.ts';
import { Nullable, Word } from './text.ts';

const { type, status } = Monitor.properties;
const head = { monitor_id: Type.String(), name: Type.String(), type, reference: Nullable(Type.String()) };
const run = MonitorRun;
const told = Type.Object(
  {
    event: Word(['monitor.changed', 'monitor.run_completed']),
    ...head,
    run,
    counts: ChangeCounts,
    changes_url: Type.String({ description: 'Where these changes are listed' }),
    changes: Nullable(
      Type.Array(MonitorChange, { maxItems: 100 }),
      'Null where there are more than 100, or more than 64 KiB of them: read them at `changes_url`',
    ),
  },
  { $id: 'MonitorRunPayload' },
);

const payloadOf = (event: string, $id: string, fields: Type.TProperties) =>
  Type.Object({ event: Type.Literal(event), ...fields }, { $id });

/** What the `notify.webhook_url` of a monitor is sent, by event. */
export const monitorEvents = {
  'monitor.changed': told,
  'monitor.run_completed': told,
  'monitor.run_skipped': payloadOf('monitor.run_skipped', 'MonitorRunSkippedPayload', {
    ...head,
    run,
    monitor_status: status,
  }),
  'monitor.completed': payloadOf('monitor.completed', 'MonitorCompletedPayload', { ...head, run }),
  'monitor.resumed': payloadOf('monitor.resumed', 'MonitorResumedPayload', head),
} as const;
export type MonitorEvent = keyof typeof monitorEvents;
