import * as monitors from '../db/monitors/monitors.ts';
import { clock } from '../db/postgres/clock.ts';
import type { Db } from '../db/postgres/connect.ts';
import type { InputOf } from '../schemas/check-types.ts';

/** What a sitemap lists: addresses that can be checked, without equal ones; null when that cannot be told now. */
export type ReadSitemap = (accountId: number, address: string) => Promise<string[] | null>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
// A run that comes by the hour may come a little early.
const slackMs = 300_000;

/**
 * Whether a monitor's sitemap may be asked for now, which is noted: once an hour, and of one host no more often than
 * that for all monitors of the account, but for one that was not read for a day.
 */
export async function mayRead(db: Db, monitor: monitors.MonitorRow): Promise<boolean> {
  const now = (await clock(db)).getTime();
  const own = now - (monitor.sitemapReadAt?.getTime() ?? 0);
  if (own < hourMs - slackMs) return false;
  const readings = await monitors.sitemapReadings(db, monitor);
  const host = hostOf(monitor.sitemapUrl);
  const isRested = readings.every(
    ({ sitemapUrl, readAt }) => hostOf(sitemapUrl) !== host || now - readAt.getTime() >= hourMs - slackMs,
  );
  return isRested || own >= dayMs - slackMs;
}

function hostOf(address: string | null): string | null {
  return (address && URL.parse(address.trim())?.host) ?? null;
}

/** What is checked of a reading: what was checked before first, and of the rest as much as there is room for. */
export function chooseOf(
  listed: readonly string[],
  current: ReadonlySet<string>,
  max: number,
): { chosen: InputOf[]; leftOut: number; kept: number } {
  const kept = listed.filter((url) => current.has(url));
  let room = max - kept.length;
  const chosen = listed.filter((url) => current.has(url) || room-- > 0).slice(0, max);
  return {
    chosen: chosen.map((url) => ({ url })),
    leftOut: listed.length - chosen.length,
    kept: kept.length,
  };
}
