import type { MonitorRow } from '../db/monitors/monitors.ts';
import * as points from '../db/monitors/points.ts';
import type { SubjectRow } from '../db/monitors/subjects.ts';
import type { Db } from '../db/postgres/connect.ts';
import type { SubjectHistory } from '../wire/subjects.ts';

/**
 * Returns the histories of subjects of one monitor, in the order of `rows`. Earlier points are 1, 7 and 30 days older
 * than the last answer of the subject.
 */
export async function findHistories(
  db: Db,
  monitor: Pick<MonitorRow, 'accountId' | 'monitorId' | 'type'>,
  rows: SubjectRow[],
  time: { from: Date; to: Date },
): Promise<SubjectHistory[]> {
  const { accountId } = monitor;
  const ids = rows.map(({ subjectId }) => subjectId);
  const [latest, earlier, stretches] = await Promise.all([
    points.findLast(db, accountId, ids),
    monitor.type === 'keyword' ? points.findEarlier(db, monitor, ids) : [],
    points.listDuring(db, accountId, ids, time),
  ]);
  const then = Map.groupBy(earlier, ({ subjectId }) => subjectId);
  const during = Map.groupBy(stretches, ({ subjectId }) => subjectId);
  return ids.map((id) => ({
    latest: latest.get(id) ?? null,
    earlier: then.get(id) ?? [],
    points: during.get(id) ?? [],
  }));
}
