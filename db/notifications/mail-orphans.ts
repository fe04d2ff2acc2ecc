import { sql } from 'kysely';
import type { Db } from '../postgres/connect.ts';
import { mailQueue } from '../queue/queue.ts';

/** A mail that is owed and due, whose job is gone. */
export interface OrphanedMail {
  mailId: string;
  jobId: string;
}

/** At most `limit` of them, the longest due first. */
export async function findMails(db: Db, limit: number): Promise<OrphanedMail[]> {
  const { rows } = await sql<OrphanedMail>`
    select mail_id, mails.job_id from mails
    left join pgboss.job on job.name = ${mailQueue} and job.id = mails.job_id
    where mails.state = 'owed' and next_attempt_at < now()
      and (job.id is null or job.state::text not in ('created', 'retry', 'active'))
    order by next_attempt_at limit ${limit}`.execute(db);
  return rows;
}
