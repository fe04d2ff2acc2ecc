import * as memberships from '../../../db/accounts/memberships.ts';
import * as changes from '../../../db/monitors/changes.ts';
import { clock } from '../../../db/postgres/clock.ts';
import { feed } from '../../../monitors/glance.ts';
import { totalMax } from '../../api/lists.ts';
import type { DashboardContext } from '../context.ts';
import { type ChangeView, changeView } from './change-view.ts';

const shownMax = 5;
const newcomerMs = 7 * 24 * 3_600_000;

/** What monitors told since a member was here last, of the last seven days where he never was. */
export interface News {
  since: Date;
  total: number;
  /** The newest few. */
  feed: ChangeView[];
}

/** Null where nothing was told. Notes the visit. */
export async function newsFor(
  { db }: Pick<DashboardContext, 'db'>,
  visitor: { accountId: number; userId: number },
): Promise<News | null> {
  const { accountId } = visitor;
  const [lastVisit, now] = await Promise.all([memberships.noteVisit(db, visitor), clock(db)]);
  const since = lastVisit ?? new Date(now.getTime() - newcomerMs);
  const told = await feed(db, accountId, { since, limit: shownMax });
  if (told.length === 0) return null;
  const total = await changes.count(db, accountId, { from: since }, totalMax);
  return { since, total, feed: told.map(changeView) };
}
