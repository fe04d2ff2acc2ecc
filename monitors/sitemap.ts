import type { Allowance } from '../accounts/allowance.ts';
import * as runs from '../db/monitors/monitor-runs.ts';
import * as monitors from '../db/monitors/monitors.ts';
import * as subjects from '../db/monitors/subjects.ts';
import { clock } from '../db/postgres/clock.ts';
import { type Db, inTransaction } from '../db/postgres/connect.ts';
import type { InputOf } from '../schemas/check-types.ts';

/** Returns the checkable URLs of a sitemap, without duplicates; null if the sitemap cannot be read. */
export type ReadSitemap = (accountId: number, address: string) => Promise<string[] | null>;

interface SitemapDeps {
  db: Db;
  allowance: Pick<Allowance, 'recordUnbilled'>;
  readSitemap: ReadSitemap;
}

/** Maximum time that a run waits for its sitemap. */
export const preparingSecondsMax = 300;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
// Tolerance for hourly runs that start a little early.
const slackMs = 300_000;

/**
 * Reads the sitemap of a run outside of a transaction. Replaces the subjects of the monitor with the URLs of the
 * sitemap. URLs that were removed because they are indexed are not added again. The old list stays in these cases:
 * - The account has read a sitemap of the host in the last hour (`mayRead`).
 * - The sitemap cannot be read, or is empty.
 * - The run has waited too long.
 * - The monitor was changed meanwhile.
 * - More than half of the old URLs are missing for the first time. A second reading must confirm the loss.
 */
export async function updateFromSitemap(
  { db, allowance, readSitemap }: SitemapDeps,
  monitor: monitors.MonitorRow,
  run: runs.RunRow,
): Promise<void> {
  if (monitor.sitemapUrl === null) return;
  const now = await clock(db);
  const isTooLate = now.getTime() - run.createdAt.getTime() > preparingSecondsMax * 1000;
  let listed: string[] | null = null;
  if (!isTooLate) {
    if (!(await mayRead(db, monitor, now))) return;
    await inTransaction(db, (trx) => monitors.update(trx, monitor, { sitemapReadAt: now }));
    await allowance.recordUnbilled(db, monitor.accountId, { sitemaps: 1 });
    listed = await readSitemap(monitor.accountId, monitor.sitemapUrl);
  }
  await inTransaction(db, async (trx) => {
    const locked = await monitors.lock(trx, monitor);
    const prepared = await runs.lock(trx, run);
    if (prepared?.status !== 'preparing' || locked?.revision !== monitor.revision) return;
    const before = await subjects.listCurrent(trx, locked);
    const indexed = await subjects.listRemovedUrls(trx, locked, 'indexed');
    const open = (listed ?? []).filter((url) => !indexed.has(url));
    const known = new Set(before.map(({ input }) => ('url' in input ? input.url : '')));
    const { chosen, leftOut, kept } = chooseListed(open, known, locked.subjectsMax);
    const isDoubtful = kept < before.length / 2 && locked.doubtedCount === null;
    if (!listed || listed.length === 0 || isDoubtful) {
      const doubtedCount = listed && listed.length > 0 ? listed.length : locked.doubtedCount;
      await monitors.update(trx, locked, { doubtedCount });
      await runs.update(trx, run, { sitemapDoubtful: true });
      return;
    }
    await subjects.replace(trx, locked, { inputs: chosen, removalReason: 'left_sitemap', runId: run.runId });
    const revision = locked.revision + 1;
    await monitors.update(trx, locked, { subjects: chosen.length, doubtedCount: null, revision });
    await runs.update(trx, run, { leftOut });
  });
}

/**
 * Returns true if a monitor's sitemap may be read now. The limit is once an hour per sitemap, and once an hour per host
 * and account. The limit per host does not apply to a sitemap that was not read for a day.
 */
async function mayRead(db: Db, monitor: monitors.MonitorRow, at: Date): Promise<boolean> {
  const now = at.getTime();
  const own = now - (monitor.sitemapReadAt?.getTime() ?? 0);
  if (own < hourMs - slackMs) return false;
  const readings = await monitors.listSitemapReadings(db, monitor);
  const host = toHost(monitor.sitemapUrl);
  const isHostFree = readings.every(
    ({ sitemapUrl, readAt }) => toHost(sitemapUrl) !== host || now - readAt.getTime() >= hourMs - slackMs,
  );
  return isHostFree || own >= dayMs - slackMs;
}

function toHost(address: string | null): string | null {
  return (address && URL.parse(address)?.host) ?? null;
}

/** Chooses at most `max` URLs, in the order of the sitemap. Current URLs have priority over new ones. */
function chooseListed(
  listed: readonly string[],
  current: ReadonlySet<string>,
  max: number,
): { chosen: InputOf[]; leftOut: number; kept: number } {
  const kept = listed.filter((url) => current.has(url));
  let free = max - kept.length;
  const chosen = listed.filter((url) => current.has(url) || free-- > 0).slice(0, max);
  return {
    chosen: chosen.map((url) => ({ url })),
    leftOut: listed.length - chosen.length,
    kept: kept.length,
  };
}
