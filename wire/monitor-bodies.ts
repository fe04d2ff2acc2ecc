import type { AnnotationRow } from '../db/monitors/annotations.ts';
import type { RunRow } from '../db/monitors/monitor-runs.ts';
import type { MonitorRow } from '../db/monitors/monitors.ts';
import type { Annotation } from '../schemas/annotation.ts';
import type { Monitor } from '../schemas/monitor.ts';
import type { MonitorRun } from '../schemas/monitor-run.ts';
import { timestamp } from './bodies.ts';

/** Values computed from a monitor's schedule. */
interface ScheduleForecast {
  /** Time of day of the runs, as `HH:MM`. */
  at: string;
  /** Number of runs in the next 30 days. */
  runsPerMonth: number;
}

export function monitorBody(row: MonitorRow, { at, runsPerMonth }: ScheduleForecast): Monitor {
  const { every, on, timezone } = row.schedule;
  return {
    monitor_id: row.monitorId,
    name: row.name,
    type: row.type,
    sitemap_url: row.sitemapUrl,
    schedule: { every, at, on, timezone },
    stop_when: row.stopWhen,
    notify: row.notify,
    rank_threshold: row.rankThreshold,
    confirm_losses: row.confirmLosses,
    subjects_max: row.subjectsMax,
    reference: row.reference,
    status: row.status,
    paused_reason: row.pausedReason,
    subjects: row.subjects,
    next_run_at: row.nextRunAt && timestamp(row.nextRunAt),
    last_run_at: row.lastRunAt && timestamp(row.lastRunAt),
    credits_per_run: row.subjects + row.overviews,
    credits_per_month: (row.subjects + row.overviews) * runsPerMonth,
    created_at: timestamp(row.createdAt),
  };
}

export function runBody(row: RunRow): MonitorRun {
  return {
    run_id: row.runId,
    monitor_id: row.monitorId,
    kind: row.kind,
    confirms: row.confirms,
    due_at: row.dueAt && timestamp(row.dueAt),
    late: row.late,
    status: row.status,
    reason: row.reason,
    batch_id: row.batchId,
    batch_ids: row.batchIds,
    subjects: row.subjects,
    checked: row.checked,
    failed: row.failed,
    changes: row.changes,
    credits_charged: row.creditsCharged,
    left_out: row.leftOut,
    sitemap_doubtful: row.sitemapDoubtful,
    created_at: timestamp(row.createdAt),
    started_at: row.startedAt && timestamp(row.startedAt),
    finished_at: row.finishedAt && timestamp(row.finishedAt),
  };
}

export function annotationBody({ annotationId, at, text, createdAt }: AnnotationRow): Annotation {
  return { annotation_id: annotationId, at: timestamp(at), text, created_at: timestamp(createdAt) };
}
