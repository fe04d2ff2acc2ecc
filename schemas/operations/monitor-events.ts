import { type MonitorEvent, monitorEvents } from '../monitor-event.ts';
import { monitor, run } from './monitor-examples.ts';
import { change } from './monitor-history.ts';
import type { WebhookEvent } from './operation.ts';

const { monitor_id, name, type, reference } = monitor;
const head = { monitor_id, name, type, reference };
const changesUrl = `https://sonde.example.com/api/v1/monitors/${monitor_id}/changes?run_id=${run.run_id}`;
const skipped = {
  ...run,
  ...{ status: 'skipped', reason: 'insufficient_credits', batch_id: null, batch_ids: [], started_at: null },
  ...{ checked: 0, credits_charged: 0 },
};
const changed = { ...run, changes: 1 };

const events: Record<MonitorEvent, { id: string; summary: string; more: object }> = {
  'monitor.changed': {
    id: 'monitorChanged',
    summary: 'A run of a monitor found changes',
    more: { run: changed, counts: { status_changed: 1 }, changes_url: changesUrl, changes: [change] },
  },
  'monitor.run_completed': {
    id: 'monitorRunCompleted',
    summary: 'A run found no changes, and `notify.when` is `always`',
    more: { run, counts: {}, changes_url: changesUrl, changes: [] },
  },
  'monitor.run_skipped': {
    id: 'monitorRunSkipped',
    summary: 'A run was skipped',
    more: { run: skipped, monitor_status: 'active' },
  },
  'monitor.completed': {
    id: 'monitorCompleted',
    summary: 'A monitor has no URLs left to check',
    more: { run },
  },
  'monitor.resumed': {
    id: 'monitorResumed',
    summary: 'A monitor that was paused for low credits resumes',
    more: {},
  },
};

export const monitorWebhookEvents: WebhookEvent[] = Object.entries(events).map(
  ([event, { id, summary, more }]) => ({
    id,
    summary,
    sentTo: 'in `notify` of the monitor',
    schema: monitorEvents[event as MonitorEvent],
    example: { event, ...head, ...more },
  }),
);
