import * as memberships from '../../../db/accounts/memberships.ts';
import * as changes from '../../../db/monitors/changes.ts';
import { clock } from '../../../db/postgres/clock.ts';
import { changeBody } from '../../../wire/changes.ts';
import { totalMax } from '../../api/lists.ts';
import type { DashboardContext } from '../context.ts';
import { type ChangeView, toChangeView } from './change-view.ts';

const shownMax = 5;
const newcomerMs = 7 * 24 * 3_600_000;

/** Changes since a member's last visit; on the first visit, changes of the last seven days. */
interface RecentChanges {
  since: Date;
  total: number;
  /** The newest changes, up to five. */
  feed: ChangeView[];
}

/** Records the visit and returns the changes since the last one; null without changes. */
export async function findRecentChanges(
  { db }: Pick<DashboardContext, 'db'>,
  visitor: { accountId: number; userId: number },
): Promise<RecentChanges | null> {
  const { accountId } = visitor;
  const [lastVisit, now] = await Promise.all([memberships.recordVisit(db, visitor), clock(db)]);
  const since = lastVisit ?? new Date(now.getTime() - newcomerMs);
  const newest = await changes.list(db, accountId, { from: since, limit: shownMax });
  if (newest.length === 0) return null;
  const total = await changes.count(db, accountId, { from: since }, totalMax);
  return { since, total, feed: newest.map((change) => toChangeView(changeBody(change))) };
}
