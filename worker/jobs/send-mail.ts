import type { JobWithMetadata } from 'pg-boss';
import type { MailPayload } from '../../db/queue/queue.ts';
import { attempt, type MailRoom } from '../../mail/attempt.ts';

/** One account's mails leave room for those of every other. */
export const mailPlaces = { limit: 8, perAccount: 4, forNewcomers: 4 };

/** Makes the try at a mail that a job is for. Throwing is how it asks for another. */
export async function sendMail(room: MailRoom, job: JobWithMetadata<MailPayload>): Promise<void> {
  await attempt(room, job.data.mail_id, job.id);
}
