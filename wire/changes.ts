import type { ChangeRow } from '../db/monitors/changes.ts';
import type { RankQuery } from '../schemas/keyword.ts';
import type { MonitorChange, MonitorSubject } from '../schemas/monitor-history.ts';
import { timestamp } from './bodies.ts';

export function changeBody(row: ChangeRow): MonitorChange {
  return {
    change_id: row.changeId,
    monitor_id: row.monitorId,
    run_id: row.runId,
    subject_id: row.subjectId,
    subject: row.input && subjectBody(row.input),
    kind: row.kind,
    before: row.before,
    after: row.after,
    request_id: row.requestId,
    at: timestamp(row.at),
  };
}

/** Returns a subject of a monitor: a URL, or the fields of a query. */
export function subjectBody(input: object): MonitorSubject {
  if (!('keyword' in input)) return (input as { url: string }).url;
  const { keyword, target_url, country, language, location, device, match, tag } = input as RankQuery;
  return { keyword, target_url, country, language, ...(location && { location }), device, match, tag };
}
