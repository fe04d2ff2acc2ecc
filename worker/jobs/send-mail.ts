import type { JobWithMetadata } from 'pg-boss';
import type { MailPayload } from '../../db/queue/queue.ts';
import { attempt, type MailRoom } from '../../mail/attempt.ts';

/** An account with many mails leaves slots for those of others. */
export const mailSlots = { total: 8, perAccount: 4, reserved: 4 };

/** Makes one try at a mail. Throwing asks for another. */
export async function sendMail(room: MailRoom, job: JobWithMetadata<MailPayload>): Promise<void> {
  await attempt(room, job.data.mail_id, job.id);
}
