import * as activity from '../db/accounts/activity.ts';
import * as digests from '../db/notifications/digests.ts';
import { clock } from '../db/postgres/clock.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { moveDigests, type Post } from '../mail/owe.ts';
import { nextDue } from './due-times.ts';

/** The mail that reports runs. */
export const digestTemplate = 'monitor_runs';

/** Returns in how many seconds an account gets the mail about a run that ends now; 0 for a mail per run. */
export async function secondsToDigest(trx: Trx, accountId: number): Promise<number> {
  return secondsTo(trx, accountId, await digests.find(trx, accountId));
}

/** Sets when an account gets its mail. Runs that wait for a mail are moved to the new time. */
export async function changeDigest(
  trx: Trx,
  post: Post,
  { accountId, by, ...wish }: digests.Digest & { accountId: number; by: activity.Actor },
): Promise<digests.Digest> {
  const digest = await digests.change(trx, accountId, wish);
  const inSeconds = await secondsTo(trx, accountId, digest);
  await moveDigests(trx, post, { accountId, template: digestTemplate, inSeconds });
  const about = digest.at === null ? 'with each run' : `each day at ${digest.at}, ${digest.timezone}`;
  await activity.note(trx, { accountId, what: 'digest_changed', by, about });
  return digest;
}

async function secondsTo(trx: Trx, accountId: number, { at, timezone }: digests.Digest): Promise<number> {
  if (at === null || timezone === null) return 0;
  const now = await clock(trx);
  const due = nextDue({ every: 'day', at, on: null, timezone }, String(accountId), now);
  return Math.ceil((due.getTime() - now.getTime()) / 1000);
}
