import { sql, type UpdateObject } from 'kysely';
import type { Db, Trx } from '../postgres/connect.ts';
import { mailQueue } from '../queue/queue.ts';
import type { DB, MailState } from '../tables.ts';

/** A mail in any state. Its text is written when the mail is sent. */
export interface Mail {
  /** Part of the Message-ID. The Message-ID is the same at every attempt. */
  mailId: string;
  template: string;
  /** Account that the mail is about; null if the mail is about a person only. */
  accountId: number | null;
  /** Recipient; null if only `address` is known. */
  userId: number | null;
  /** Ids of the records that the mail is about. */
  ids: Record<string, string | number>;
  /** Address of a recipient without a user; null for other recipients, and after the mail has ended. */
  address: string | null;
  /** True if the mail counts against the daily limit of its address, which is five mails. */
  isUnasked: boolean;
  state: MailState;
  attempts: number;
  /** Response of the mail server to the last failed attempt; null for none. */
  error: string | null;
  /** Job of the next attempt; null after the mail has ended. */
  jobId: string | null;
  createdAt: Date;
  /** Null after the mail has ended. */
  nextAttemptAt: Date | null;
  /** Null while the mail is pending. */
  endedAt: Date | null;
}

interface NewMail
  extends Pick<Mail, 'mailId' | 'template' | 'accountId' | 'userId' | 'ids' | 'address' | 'isUnasked'> {
  /** Hash of the address, for counting. */
  addressKey: Buffer;
  /** Job of the first attempt, enqueued in the same transaction. */
  jobId: string;
  /** Delay of the first attempt. */
  inSeconds: number;
}

/** Inserts a pending mail. Call this in the transaction of the mail's event and job. */
export async function create(trx: Trx, { inSeconds, ids, ...mail }: NewMail): Promise<void> {
  const nextAttemptAt = sql<Date>`now() + ${inSeconds} * interval '1 second'`;
  await trx
    .insertInto('mails')
    .values({ ...mail, ids: JSON.stringify(ids), nextAttemptAt })
    .execute();
}

export async function find(db: Db, mailId: string): Promise<Mail | null> {
  return (await select(db).where('mailId', '=', mailId).executeTakeFirst()) ?? null;
}

export async function lock(trx: Trx, mailId: string): Promise<Mail | null> {
  return (await select(trx).where('mailId', '=', mailId).forUpdate().executeTakeFirst()) ?? null;
}

export async function update(trx: Trx, mailId: string, values: UpdateObject<DB, 'mails'>): Promise<void> {
  await trx.updateTable('mails').set(values).where('mailId', '=', mailId).execute();
}

/** Returns the newest mails of all accounts. */
export function list(db: Db, { state, limit }: { state?: MailState; limit: number }): Promise<Mail[]> {
  return select(db)
    .$if(state !== undefined, (query) => query.where('state', '=', state as MailState))
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute();
}

/**
 * Counts the mails of the last day that count against the limit of an address (`isUnasked`). If `templates` is null,
 * includes all templates. Excludes mails that were dropped before the first attempt.
 */
export async function countUnsolicited(
  trx: Trx,
  addressKey: Buffer,
  templates: readonly string[] | null = null,
): Promise<number> {
  const { rows } = await sql<{ mails: number }>`
    select count(*) as mails from mails
    where address_key = ${addressKey} and is_unasked and created_at > now() - interval '1 day'
      and not (state = 'dropped' and attempts = 0)
      and (${templates}::text[] is null or template = any (${templates}))`.execute(trx);
  return rows[0]?.mails ?? 0;
}

/** Counts the mails of a template about an account in the last day, sent or not. */
export async function countByTemplate(trx: Trx, accountId: number, template: string): Promise<number> {
  const { rows } = await sql<{ mails: number }>`
    select count(*) as mails from mails
    where account_id = ${accountId} and template = ${template}
      and created_at > now() - interval '1 day'`.execute(trx);
  return rows[0]?.mails ?? 0;
}

/** Locks a count of mails, so that no other transaction can add a mail between the count and the insert. */
export async function lockCount(trx: Trx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mails of ${name}`}, 0))`.execute(trx);
}

/** Digests of an account and user in the last day. */
interface DigestState {
  /** Pending digest to this user that is not written yet; null for none. Runs can be added to this digest. */
  unwritten: string | null;
  /** Seconds until the next digest is allowed. A user gets one digest an hour, and an account gets 24 a day. */
  inSeconds: number;
}

/** Finds the state of the digests before another digest is enqueued. Call `lockCount` first. */
export async function findDigestState(
  trx: Trx,
  { accountId, userId, template }: { accountId: number; userId: number; template: string },
): Promise<DigestState> {
  const { rows } = await sql<DigestState>`
    with latest as (
      select mail_id, user_id, state, ids, coalesce(ended_at, next_attempt_at) as at from mails
      where account_id = ${accountId} and template = ${template} and state in ('pending', 'sent')
        and coalesce(ended_at, next_attempt_at) > now() - interval '1 day')
    select (array_agg(mail_id) filter (
        where user_id = ${userId} and state = 'pending' and not ids ? 'is_written'))[1] as unwritten,
      greatest(0,
        coalesce(ceil(extract(epoch from max(at) filter (where user_id = ${userId}) + interval '1 hour' - now())), 0),
        case when count(*) >= 24 then ceil(extract(epoch from min(at) + interval '1 day' - now())) else 0 end
      )::int as in_seconds
    from latest`.execute(trx);
  return rows[0] ?? { unwritten: null, inSeconds: 0 };
}

/**
 * Locks the pending digests of an account that are not written yet. `afterSeconds`: seconds until an hour has passed
 * since the last digest to the same user.
 */
export async function lockUnwrittenDigests(
  trx: Trx,
  accountId: number,
  template: string,
): Promise<Array<{ mailId: string; afterSeconds: number }>> {
  const { rows } = await sql<{ mailId: string; afterSeconds: number }>`
    select mail_id, greatest(0, ceil(extract(epoch from (
      select max(ended_at) from mails as sent
      where sent.account_id = mails.account_id and sent.template = mails.template and sent.user_id = mails.user_id
        and sent.state = 'sent') + interval '1 hour' - now())))::int as after_seconds
    from mails
    where account_id = ${accountId} and template = ${template} and state = 'pending' and not ids ? 'is_written'
    for update`.execute(trx);
  return rows;
}

export async function reschedule(
  trx: Trx,
  mailId: string,
  { jobId, inSeconds }: { jobId: string; inSeconds: number },
): Promise<void> {
  const nextAttemptAt = sql<Date>`now() + ${inSeconds} * interval '1 second'`;
  await update(trx, mailId, { jobId, nextAttemptAt });
}

/** Adds a run to a digest. Returns false if the digest has been written in the meantime. */
export async function addToDigest(trx: Trx, mailId: string, about: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update mails set ids = jsonb_set(ids, '{about}', to_jsonb(ids->>'about' || ' ' || ${about}::text))
    where mail_id = ${mailId} and not ids ? 'is_written'`.execute(trx);
  return numAffectedRows === 1n;
}

/**
 * Marks a digest as written. No run can be added afterwards, so every attempt has the same text. Returns the runs of
 * the digest.
 */
export async function markDigestWritten(trx: Trx, mailId: string): Promise<string[]> {
  const { rows } = await sql<{ about: string }>`
    update mails set ids = ids || '{"is_written": 1}' where mail_id = ${mailId}
    returning ids->>'about' as about`.execute(trx);
  return [...new Set(rows[0]?.about.split(' '))];
}

function select(db: Db) {
  return db.selectFrom('mails').selectAll();
}

/** A pending and due mail whose job is lost. */
export interface OrphanedMail {
  mailId: string;
  jobId: string;
}

/** Returns at most `limit` orphaned mails, longest overdue first. */
export async function findOrphanedMails(db: Db, limit: number): Promise<OrphanedMail[]> {
  const { rows } = await sql<OrphanedMail>`
    select mail_id, mails.job_id from mails
    left join pgboss.job on job.name = ${mailQueue} and job.id = mails.job_id
    where mails.state = 'pending' and next_attempt_at < now()
      and (job.id is null or job.state::text not in ('created', 'retry', 'active'))
    order by next_attempt_at limit ${limit}`.execute(db);
  return rows;
}
