import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import * as memberships from '../db/accounts/memberships.ts';
import { isDead, isOptedOut, keyOf, markAlive, markDead } from '../db/notifications/mail-addresses.ts';
import * as mails from '../db/notifications/mails.ts';
import { type Db, inTransaction, type Trx } from '../db/postgres/connect.ts';
import { enqueueMail } from '../db/queue/queue.ts';
import type { PassFailPoint } from '../process/fail-point.ts';
import { asHtml, asText } from './layout.ts';
import type { Mailer, Outgoing, Sent } from './smtp.ts';
import type { Letter, Template } from './template.ts';
import { templateOf } from './templates.ts';
import type { LinkTokens } from './tokens.ts';

const minute = 60;
const hour = 60 * minute;

/** Seconds between tries. */
const retryDelays = [minute, 5 * minute, 15 * minute, hour, 2 * hour, 4 * hour, 8 * hour, 8 * hour];

/** What a try needs of the process that makes it. */
export interface MailRoom {
  db: Db;
  boss: PgBoss;
  tokens: LinkTokens;
  baseUrl: string;
  /** Whose Message-IDs they are. */
  domain: string;
  mailer: Mailer;
  failPoint: PassFailPoint;
}

/**
 * Makes one try at a mail, as the job that has its place, and puts it on record; one that was put off is followed
 * by the next, in its time. It is sent once or, where a process dies between the server's word and the record,
 * again with the same Message-ID. No transaction is open while the server is spoken to.
 */
export async function attempt(room: MailRoom, mailId: string, jobId: string): Promise<void> {
  const { db, boss, mailer } = room;
  const mail = await mails.find(db, mailId);
  if (mail?.jobId !== jobId || mail.state !== 'pending') return;
  const letter = await inTransaction(db, (trx) => compose(trx, room, mail));
  if (letter === null) return inTransaction(db, (trx) => drop(trx, mail));
  room.failPoint('before_mail');
  const sent = await mailer.send(outgoing(room, mail, letter));
  room.failPoint('after_mail');
  await inTransaction(db, (trx) => record(trx, boss, mail, { to: letter.to, sent }));
}

async function compose(trx: Trx, { tokens, baseUrl }: MailRoom, mail: mails.Mail): Promise<Letter | null> {
  const template = templateOf(mail.template);
  if (!template) return null;
  const letter = await template.compose({ trx, tokens, baseUrl }, mail);
  return letter !== null && (await isWelcome(trx, template, mail, letter.to)) ? letter : null;
}

/** An address that refused mails for good is left alone, but for what its holder may be waiting for. */
async function isWelcome(trx: Trx, template: Template, mail: mails.Mail, to: string): Promise<boolean> {
  if (!template.isUnasked && (await isDead(trx, await keyOf(trx, to)))) return false;
  const { userId, accountId } = mail;
  if (template.list === null || userId === null || accountId === null) return true;
  // It tells of the account, which is its owners' business alone.
  if ((await memberships.find(trx, accountId, userId))?.role !== 'owner') return false;
  return !(await isOptedOut(trx, { userId, accountId, list: template.list }));
}

function outgoing({ tokens, baseUrl, domain }: MailRoom, mail: mails.Mail, letter: Letter): Outgoing {
  const { userId, accountId } = mail;
  const list = templateOf(mail.template)?.list ?? null;
  const isOfList = list !== null && userId !== null && accountId !== null;
  const unsubscribeUrl = isOfList
    ? `${baseUrl}/unsubscribe?token=${tokens.optOutToken({ userId, accountId, list })}`
    : null;
  const footer = { baseUrl, unsubscribeUrl };
  return {
    to: letter.to,
    subject: letter.subject,
    text: asText(letter, footer),
    html: asHtml(letter, footer),
    messageId: `<${mail.mailId}@${domain}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(unsubscribeUrl
        ? {
            'List-Id': `<${list}.${domain}>`,
            'List-Unsubscribe': `<${unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }
        : {}),
    },
  };
}

const ended = { endedAt: sql<Date>`now()`, nextAttemptAt: null, jobId: null, address: null };

async function drop(trx: Trx, { mailId, jobId }: mails.Mail): Promise<void> {
  const current = await mails.lock(trx, mailId);
  if (current?.jobId === jobId) await mails.update(trx, mailId, { ...ended, state: 'dropped' });
}

async function record(
  trx: Trx,
  boss: PgBoss,
  mail: mails.Mail,
  { to, sent }: { to: string; sent: Sent },
): Promise<void> {
  const { mailId } = mail;
  const current = await mails.lock(trx, mailId);
  if (!current || current.jobId !== mail.jobId) return;
  const attempts = current.attempts + 1;
  // Servers repeat the address in what they say, and none is to stand here.
  const error = sent.state === 'sent' ? null : sent.error.replaceAll(to, 'the address');
  const addressKey = await keyOf(trx, to);
  if (sent.state === 'sent') await markAlive(trx, addressKey);
  if (sent.state === 'refused' && sent.isOfAddress) await markDead(trx, addressKey, error ?? '');
  const verdict = verdictOn(sent, current.attempts);
  if (typeof verdict === 'string') {
    return mails.update(trx, mailId, { ...ended, state: verdict, attempts, error });
  }
  const inSeconds = verdict.retryAfterSeconds;
  await mails.update(trx, mailId, {
    attempts,
    error,
    jobId: await enqueueMail(boss, trx, { mailId, accountId: mail.accountId ?? 0, inSeconds }),
    nextAttemptAt: sql<Date>`now() + ${inSeconds} * interval '1 second'`,
  });
}

/** What follows from a try; a delay says when to try again. */
function verdictOn(sent: Sent, attemptsBefore: number): 'sent' | 'failed' | { retryAfterSeconds: number } {
  if (sent.state === 'sent') return 'sent';
  const delay = retryDelays[attemptsBefore];
  if (sent.state === 'refused' || delay === undefined) return 'failed';
  return { retryAfterSeconds: delay };
}
