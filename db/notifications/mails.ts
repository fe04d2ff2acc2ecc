import { sql, type UpdateObject } from 'kysely';
import type { Db, Trx } from '../postgres/connect.ts';
import { mailQueue } from '../queue/queue.ts';
import type { DB, MailState } from '../tables.ts';

/** A mail that is owed or was sent: what it tells, by ids; its text is made when it is sent. */
export interface Mail {
  /** Its Message-ID is made of it, so that every try has the same. */
  mailId: string;
  template: string;
  /** What account it tells of; null where it is about a person alone. */
  accountId: number | null;
  /** Whom it goes to; null where that is told by the address alone. */
  userId: number | null;
  /** What it tells of. */
  ids: Record<string, string | number>;
  /** Where it goes when no user's row says so; null then, and once it has ended. */
  address: string | null;
  /** Counts for its address, which gets five of these a day. */
  isUnasked: boolean;
  /** Moved by the try that ends it. */
  state: MailState;
  /** Tries recorded so far. */
  attempts: number;
  /** Why the last try failed, in the server's words; null when none did. */
  error: string | null;
  /** The job that makes the next try; null once it has ended. */
  jobId: string | null;
  createdAt: Date;
  /** When the next try is due; null once it has ended. */
  nextAttemptAt: Date | null;
  /** When it was sent, given up or dropped; null while it is owed. */
  endedAt: Date | null;
}

/** A mail as it is owed; what its fields mean stands at `Mail`. */
export interface NewMail {
  mailId: string;
  template: string;
  /** Null where it is about a person alone. */
  accountId: number | null;
  /** Null where the address alone says whom it goes to. */
  userId: number | null;
  ids: Record<string, string | number>;
  /** Null where the row of the user says it when the mail is sent. */
  address: string | null;
  /** The address by a key, as mails are counted. */
  addressKey: Buffer;
  isUnasked: boolean;
  /** Of the job that makes the first try, enqueued beside it. */
  jobId: string;
  /** When that is due, from now on. */
  inSeconds: number;
}

/** Writes a mail that is owed, in the transaction of what it tells and of its job. */
export async function create(trx: Trx, { inSeconds, ids, ...mail }: NewMail): Promise<void> {
  const nextAttemptAt = sql<Date>`now() + ${inSeconds} * interval '1 second'`;
  await trx
    .insertInto('mails')
    .values({ ...mail, ids: JSON.stringify(ids), nextAttemptAt })
    .execute();
}

/** Null when there is none with this id. */
export async function find(db: Db | Trx, mailId: string): Promise<Mail | null> {
  return (await select(db).where('mailId', '=', mailId).executeTakeFirst()) ?? null;
}

/** The same, and nobody else decides about it until the transaction ends. */
export async function lock(trx: Trx, mailId: string): Promise<Mail | null> {
  return (await select(trx).where('mailId', '=', mailId).forUpdate().executeTakeFirst()) ?? null;
}

/** Moves what may move of a mail: its state, its times, its job, the links that it has. */
export async function update(trx: Trx, mailId: string, values: UpdateObject<DB, 'mails'>): Promise<void> {
  await trx.updateTable('mails').set(values).where('mailId', '=', mailId).execute();
}

/** The newest of all accounts, with what became of them. */
export function list(db: Db, { state, limit }: { state?: MailState; limit: number }): Promise<Mail[]> {
  return select(db)
    .$if(state !== undefined, (query) => query.where('state', '=', state as MailState))
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute();
}

/**
 * How many mails that count for an address were enqueued within a day, whosever it was then; of some templates or of
 * all. A mail that was dropped before it was tried counts for nothing.
 */
export async function countUnasked(
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

/** Mails of a kind about an account in the last day, sent or not. */
export async function countOf(trx: Trx, accountId: number, template: string): Promise<number> {
  const { rows } = await sql<{ mails: number }>`
    select count(*) as mails from mails
    where account_id = ${accountId} and template = ${template}
      and created_at > now() - interval '1 day'`.execute(trx);
  return rows[0]?.mails ?? 0;
}

/** Whose number of mails a transaction counts before it adds one: nobody else does until it ends. */
export async function lockCount(trx: Trx, of: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mails of ${of}`}, 0))`.execute(trx);
}

/** What an account's mails of one kind were in the last day. */
export interface Digests {
  /** The one to this user that is owed and not written yet, so that it can tell of more; null when there is none. */
  unwritten: string | null;
  /** In how many seconds one may be sent that is neither the second of an hour nor the 25th of a day. */
  inSeconds: number;
}

/** What is known before another is owed; call it with their count locked (`lockCount`). */
export async function digests(
  trx: Trx,
  { accountId, userId, template }: { accountId: number; userId: number; template: string },
): Promise<Digests> {
  const { rows } = await sql<Digests>`
    with latest as (
      select mail_id, user_id, state, ids, coalesce(ended_at, next_attempt_at) as at from mails
      where account_id = ${accountId} and template = ${template} and state in ('owed', 'sent')
        and coalesce(ended_at, next_attempt_at) > now() - interval '1 day')
    select (array_agg(mail_id) filter (
        where user_id = ${userId} and state = 'owed' and not ids ? 'is_written'))[1] as unwritten,
      greatest(0,
        coalesce(ceil(extract(epoch from max(at) filter (where user_id = ${userId}) + interval '1 hour' - now())), 0),
        case when count(*) >= 24 then ceil(extract(epoch from min(at) + interval '1 day' - now())) else 0 end
      )::int as in_seconds
    from latest`.execute(trx);
  return rows[0] ?? { unwritten: null, inSeconds: 0 };
}

/** Those of an account that are owed and not written yet, with the seconds until an hour after its last to the same. */
export async function unwrittenDigests(
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
    where account_id = ${accountId} and template = ${template} and state = 'owed' and not ids ? 'is_written'
    for update`.execute(trx);
  return rows;
}

/** Has the job that is named make the next try, in so many seconds. */
export async function putOff(
  trx: Trx,
  mailId: string,
  { jobId, inSeconds }: { jobId: string; inSeconds: number },
): Promise<void> {
  const nextAttemptAt = sql<Date>`now() + ${inSeconds} * interval '1 second'`;
  await update(trx, mailId, { jobId, nextAttemptAt });
}

/** Has a digest tell of something more. False where it has been written meanwhile. */
export async function addToDigest(trx: Trx, mailId: string, about: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update mails set ids = jsonb_set(ids, '{about}', to_jsonb(ids->>'about' || ' ' || ${about}::text))
    where mail_id = ${mailId} and not ids ? 'is_written'`.execute(trx);
  return numAffectedRows === 1n;
}

/** What a digest tells of. Nothing is added from then on: every try at it says the same. */
export async function closeDigest(trx: Trx, mailId: string): Promise<string[]> {
  const { rows } = await sql<{ about: string }>`
    update mails set ids = ids || '{"is_written": 1}' where mail_id = ${mailId}
    returning ids->>'about' as about`.execute(trx);
  return [...new Set(rows[0]?.about.split(' '))];
}

/** Deletes mails that were owed so many days ago, whatever became of them. Answers how many those were. */
export async function purge(trx: Trx, days: number, stepMax: number): Promise<number> {
  const { rows } = await sql`
    delete from mails where mail_id in (
      select mail_id from mails
      where created_at < now() - ${days} * interval '1 day' and state <> 'owed' limit ${stepMax})
    returning mail_id`.execute(trx);
  return rows.length;
}

const columns = [
  'mailId',
  'template',
  'accountId',
  'userId',
  'ids',
  'address',
  'isUnasked',
  'state',
  'attempts',
  'error',
  'jobId',
  'createdAt',
  'nextAttemptAt',
  'endedAt',
] as const;

function select(db: Db | Trx) {
  return db.selectFrom('mails').select(columns);
}

/** A mail that is owed and due, whose job is gone. */
export interface OrphanedMail {
  mailId: string;
  jobId: string;
}

/** At most `limit` of them, the longest due first. */
export async function findOrphanedMails(db: Db, limit: number): Promise<OrphanedMail[]> {
  const { rows } = await sql<OrphanedMail>`
    select mail_id, mails.job_id from mails
    left join pgboss.job on job.name = ${mailQueue} and job.id = mails.job_id
    where mails.state = 'owed' and next_attempt_at < now()
      and (job.id is null or job.state::text not in ('created', 'retry', 'active'))
    order by next_attempt_at limit ${limit}`.execute(db);
  return rows;
}
