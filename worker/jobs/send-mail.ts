import type { JobWithMetadata } from 'pg-boss';
import type { MailPayload } from '../../db/queue/queue.ts';
import { attempt, type MailRoom } from '../../mail/attempt.ts';

/** Leaves slots for other accounts while one has many mails. */
export const mailSlots = { total: 8, perAccount: 4, reserved: 4 };

/** Makes one attempt to send a mail. Throwing retries the job. */
export async function sendMail(deps: MailRoom, job: JobWithMetadata<MailPayload>): Promise<void> {
  await attempt(deps, job.data.mail_id, job.id);
}
