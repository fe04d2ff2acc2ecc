import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import * as memberships from '../db/accounts/memberships.ts';
import { hashAddress, isDead, isOptedOut, markAlive, markDead } from '../db/notifications/mail-addresses.ts';
import * as mails from '../db/notifications/mails.ts';
import { type Db, inTransaction, type Trx } from '../db/postgres/connect.ts';
import { enqueueMailJob } from '../db/queue/queue.ts';
import type { PassFailPoint } from '../process/fail-point.ts';
import { createMessage } from './layout.ts';
import type { Mailer, MailMessage, SendResult } from './smtp.ts';
import type { MailContent, Template } from './template.ts';
import { findTemplate } from './templates.ts';
import type { LinkTokens } from './tokens.ts';

const minute = 60;
const hour = 60 * minute;

/** Seconds between attempts. */
const retryDelays = [minute, 5 * minute, 15 * minute, hour, 2 * hour, 4 * hour, 8 * hour, 8 * hour];

interface SendMailDeps {
  db: Db;
  boss: PgBoss;
  tokens: LinkTokens;
  baseUrl: string;
  /** Domain of Message-IDs and List-Ids. */
  domain: string;
  mailer: Mailer;
  failPoint: PassFailPoint;
}

/**
 * Attempts to send a mail once and records the result. If the server deferred the mail, enqueues the next attempt. Does
 * nothing if the mail has another job than `jobId`. If the process dies before the result is recorded, the mail is sent
 * again with the same Message-ID. No transaction is open while the server is contacted.
 */
export async function attemptMail(deps: SendMailDeps, mailId: string, jobId: string): Promise<void> {
  const { db, boss, mailer } = deps;
  const mail = await mails.find(db, mailId);
  if (mail?.jobId !== jobId || mail.state !== 'pending') return;
  const content = await inTransaction(db, (trx) => compose(trx, deps, mail));
  if (content === null) return inTransaction(db, (trx) => drop(trx, mail));
  deps.failPoint('before_mail');
  const sent = await mailer.send(composeMessage(deps, mail, content));
  deps.failPoint('after_mail');
  await inTransaction(db, (trx) => record(trx, boss, mail, { to: content.to, sent }));
}

async function compose(
  trx: Trx,
  { tokens, baseUrl }: SendMailDeps,
  mail: mails.Mail,
): Promise<MailContent | null> {
  const template = findTemplate(mail.template);
  if (!template) return null;
  const content = await template.compose({ trx, tokens, baseUrl }, mail);
  return content !== null && (await mayReceive(trx, template, mail, content.to)) ? content : null;
}

/**
 * Decides whether a mail may be sent. An address that has rejected mail permanently gets only mails that anybody can
 * cause. Such a mail may be a link to reset the password.
 */
async function mayReceive(trx: Trx, template: Template, mail: mails.Mail, to: string): Promise<boolean> {
  if (!template.canAnyoneCause && (await isDead(trx, await hashAddress(trx, to)))) return false;
  const { userId, accountId } = mail;
  if (template.list === null || userId === null || accountId === null) return true;
  // Only owners get mails about the account. The role may have changed since the mail was enqueued.
  if ((await memberships.find(trx, accountId, userId))?.role !== 'owner') return false;
  return !(await isOptedOut(trx, { userId, accountId, list: template.list }));
}

function composeMessage(
  { tokens, baseUrl, domain }: SendMailDeps,
  mail: mails.Mail,
  content: MailContent,
): MailMessage {
  const { userId, accountId } = mail;
  const list = findTemplate(mail.template)?.list ?? null;
  const hasList = list !== null && userId !== null && accountId !== null;
  const unsubscribeUrl = hasList
    ? `${baseUrl}/unsubscribe?token=${tokens.createOptOutToken({ userId, accountId, list })}`
    : null;
  const message = createMessage(content, { baseUrl, unsubscribeUrl }, `<${mail.mailId}@${domain}>`);
  if (unsubscribeUrl === null) return message;
  const listHeaders = {
    'List-Id': `<${list}.${domain}>`,
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
  return { ...message, headers: { ...message.headers, ...listHeaders } };
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
  { to, sent }: { to: string; sent: SendResult },
): Promise<void> {
  const { mailId } = mail;
  const current = await mails.lock(trx, mailId);
  if (!current || current.jobId !== mail.jobId) return;
  const attempts = current.attempts + 1;
  // Servers repeat the address in their responses. `error` must not contain the address.
  const error = sent.state === 'sent' ? null : sent.error.replaceAll(to, 'the address');
  const addressKey = await hashAddress(trx, to);
  if (sent.state === 'sent') await markAlive(trx, addressKey);
  if (sent.state === 'refused' && sent.isRecipientRefused) await markDead(trx, addressKey, error ?? '');
  const next = decideNext(sent, current.attempts);
  if (typeof next === 'string') {
    return mails.update(trx, mailId, { ...ended, state: next, attempts, error });
  }
  const inSeconds = next.retryAfterSeconds;
  await mails.update(trx, mailId, {
    attempts,
    error,
    jobId: await enqueueMailJob(boss, trx, { mailId, accountId: mail.accountId ?? 0, inSeconds }),
    nextAttemptAt: sql<Date>`now() + ${inSeconds} * interval '1 second'`,
  });
}

function decideNext(
  sent: SendResult,
  attemptsBefore: number,
): 'sent' | 'failed' | { retryAfterSeconds: number } {
  if (sent.state === 'sent') return 'sent';
  const delay = retryDelays[attemptsBefore];
  if (sent.state === 'refused' || delay === undefined) return 'failed';
  return { retryAfterSeconds: delay };
}
