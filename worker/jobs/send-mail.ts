import type { JobWithMetadata } from 'pg-boss';
import type { MailPayload } from '../../db/queue/queue.ts';
import { attemptMail, type SendMailDeps } from '../../mail/attempt.ts';

/** An account with many mails leaves slots for other accounts. */
export const mailSlots = { total: 8, perAccount: 4, reserved: 4 };

/** Makes one attempt to send a mail. If this throws, the job is retried. */
export async function sendMail(deps: SendMailDeps, job: JobWithMetadata<MailPayload>): Promise<void> {
  await attemptMail(deps, job.data.mail_id, job.id);
}
