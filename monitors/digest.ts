import * as activity from '../db/accounts/activity.ts';
import * as digests from '../db/notifications/digests.ts';
import { clock } from '../db/postgres/clock.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { type EnqueueMailDeps, rescheduleDigests } from '../mail/enqueue.ts';
import { nextDueTime } from './due-times.ts';

export const digestTemplate = 'monitor_runs';

/** Returns the seconds until an account gets the mail about a run that ends now; 0 if mails are sent when runs end. */
export async function secondsUntilDigest(trx: Trx, accountId: number): Promise<number> {
  return secondsUntil(trx, accountId, await digests.find(trx, accountId));
}

/** Sets when an account gets mails about its runs. Pending mails are rescheduled. */
export async function changeDigest(
  trx: Trx,
  mailDeps: EnqueueMailDeps,
  { accountId, by, ...requested }: digests.DigestSchedule & { accountId: number; by: activity.Actor },
): Promise<digests.DigestSchedule> {
  const digest = await digests.change(trx, accountId, requested);
  const inSeconds = await secondsUntil(trx, accountId, digest);
  await rescheduleDigests(trx, mailDeps, { accountId, template: digestTemplate, inSeconds });
  const about = digest.at === null ? 'with each run' : `each day at ${digest.at}, ${digest.timezone}`;
  await activity.record(trx, { accountId, what: 'digest_changed', by, about });
  return digest;
}

async function secondsUntil(
  trx: Trx,
  accountId: number,
  { at, timezone }: digests.DigestSchedule,
): Promise<number> {
  if (at === null || timezone === null) return 0;
  const now = await clock(trx);
  const due = nextDueTime({ every: 'day', at, on: null, timezone }, String(accountId), now);
  return Math.ceil((due.getTime() - now.getTime()) / 1000);
}
