import * as changes from '../db/monitors/changes.ts';
import type { MonitorRow } from '../db/monitors/monitors.ts';
import * as runTallies from '../db/monitors/run-tallies.ts';
import type { Db } from '../db/postgres/connect.ts';
import type { ChangeKind } from '../schemas/change-kinds.ts';
import type { MonitorChange } from '../schemas/monitor-history.ts';
import type { SeriesEntry } from '../schemas/monitor-series.ts';
import { changeBody } from '../wire/changes.ts';
import { seriesBody } from '../wire/series.ts';

/** How a monitor stands, for a line in a list. */
export interface Glance {
  /** What its last run counted, as the API shows it; null before its first has ended. */
  latest: SeriesEntry | null;
  /** What was told of it since a moment, the most first. */
  changes: Array<{ kind: ChangeKind; changes: number }>;
}

/** How some monitors of an account stand, and what each has told since a moment: two reads, however many they are. */
export async function glance(
  db: Db,
  accountId: number,
  monitors: Array<Pick<MonitorRow, 'monitorId' | 'type'>>,
  since: Date,
): Promise<Map<string, Glance>> {
  const monitorIds = monitors.map(({ monitorId }) => monitorId);
  const [latest, counted] = await Promise.all([
    runTallies.latestOf(db, accountId, monitorIds),
    changes.countByKind(db, accountId, { from: since, monitorIds }),
  ]);
  const told = Map.groupBy(counted, ({ monitorId }) => monitorId);
  return new Map(
    monitors.map(({ monitorId, type }) => {
      const tally = latest.get(monitorId);
      const kinds = (told.get(monitorId) ?? []).map(({ kind, changes: number }) => ({
        kind,
        changes: number,
      }));
      return [
        monitorId,
        { latest: tally ? seriesBody(type, { ...tally, groups: null }, {}) : null, changes: kinds },
      ];
    }),
  );
}

/** What was told since a moment over all monitors of an account, newest first, as the API shows it. */
export async function feed(
  db: Db,
  accountId: number,
  { since, limit }: { since: Date; limit: number },
): Promise<MonitorChange[]> {
  const rows = await changes.list(db, accountId, { from: since, limit });
  return rows.map(changeBody);
}
