import type { PgBoss } from 'pg-boss';
import type { OrphanedMail } from '../db/notifications/mails.ts';
import * as mails from '../db/notifications/mails.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { enqueueMail } from '../db/queue/queue.ts';

/** Gives a mail whose job is gone a new one, at once. False when somebody else did so first. */
export async function reenqueue(trx: Trx, boss: PgBoss, { mailId, jobId }: OrphanedMail): Promise<boolean> {
  const mail = await mails.lock(trx, mailId);
  if (mail?.state !== 'owed' || mail.jobId !== jobId) return false;
  const job = { mailId, accountId: mail.accountId ?? 0, inSeconds: 0 };
  await mails.update(trx, mailId, { jobId: await enqueueMail(boss, trx, job) });
  return true;
}
