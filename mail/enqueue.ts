import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import { find, findByEmail } from '../db/accounts/user-emails.ts';
import { hashAddress, isDead, isOptedOut } from '../db/notifications/mail-addresses.ts';
import * as mails from '../db/notifications/mails.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { enqueueMailJob } from '../db/queue/queue.ts';
import { isMailAddress } from './plain-name.ts';
import type { Template } from './template.ts';
import { type TemplateName, templates } from './templates.ts';

/** Delivery of mails. With `terminal`, mails with a sign-in or reset link are printed, and other mails are dropped. */
export type MailMode = 'smtp' | 'terminal' | 'off';

export interface EnqueueMailDeps {
  boss: PgBoss;
  mail: MailMode;
}

export interface MailRequest {
  template: TemplateName;
  accountId?: number;
  /** The recipient. The mail goes to the address that the user has at the time of sending. */
  userId?: number;
  /** The recipient's address, if it is not the address of `userId`. */
  address?: string;
  ids?: Record<string, string | number>;
  /**
   * True if the mail was requested by a browser that has signed in with this address. Such a mail to a confirmed
   * address does not count against the daily limit.
   */
  isFromKnownBrowser?: boolean;
}

/**
 * Maximum number of mails per address and day. For a confirmed address, only mails that anybody can cause are counted.
 * For an unconfirmed address, all mails are counted.
 */
const perDayMax = 5;

/**
 * Mails that anybody can request for an address. Their limit per day is lower than `perDayMax`, so that two mails
 * remain for confirmations and invitations.
 */
const requestableMails: readonly TemplateName[] = ['reset', 'sign_in', 'address_taken'];
const requestableMax = 3;

/**
 * Enqueues a mail. Call this in the transaction of the change that the mail reports. Returns the id of the mail.
 * Returns null if mail is off, if the address has reached its daily limit (`admit`), or if the user has unsubscribed.
 */
export async function enqueueMail(
  trx: Trx,
  deps: EnqueueMailDeps,
  mail: MailRequest,
): Promise<string | null> {
  const template: Template = templates[mail.template];
  if (deps.mail === 'off' || (deps.mail === 'terminal' && !template.isPrinted)) return null;
  if (mail.address !== undefined && !isMailAddress(mail.address)) return null;
  if (!(await isSubscribed(trx, template, mail))) return null;
  const admitted = await admit(trx, mail);
  return admitted && write(trx, deps, { ...mail, ...admitted, inSeconds: 0 });
}

/**
 * Enqueues a digest, to be sent in `afterSeconds` or later. A user gets at most one digest an hour, and an account gets
 * at most 24 a day. If a digest to this user is pending and its text is not yet written, adds `about` to this digest
 * and returns null. `about` is a word without a space, such as an id.
 */
export async function enqueueDigest(
  trx: Trx,
  deps: EnqueueMailDeps,
  { about, afterSeconds = 0, ...mail }: DigestRequest,
): Promise<string | null> {
  if (deps.mail !== 'smtp' || !(await isSubscribed(trx, templates[mail.template], mail))) return null;
  await mails.lockCount(trx, `account ${mail.accountId}`);
  const { unwritten, inSeconds } = await mails.findDigestState(trx, mail);
  if (unwritten !== null && (await mails.addToDigest(trx, unwritten, about))) return null;
  const admitted = await admit(trx, mail);
  if (!admitted) return null;
  const digest = { ...mail, ...admitted, ids: { about } };
  return write(trx, deps, { ...digest, inSeconds: Math.max(inSeconds, afterSeconds) });
}

type DigestRequest = Omit<MailRequest, 'ids'> & {
  accountId: number;
  userId: number;
  about: string;
  afterSeconds?: number;
};

/**
 * Reschedules pending digests whose text is not yet written. They are sent `inSeconds` from now, but not earlier than
 * an hour after the user's last digest.
 */
export async function rescheduleDigests(
  trx: Trx,
  { boss }: Pick<EnqueueMailDeps, 'boss'>,
  { accountId, template, inSeconds }: { accountId: number; template: TemplateName; inSeconds: number },
): Promise<void> {
  for (const { mailId, afterSeconds } of await mails.lockUnwrittenDigests(trx, accountId, template)) {
    const seconds = Math.max(inSeconds, afterSeconds);
    const jobId = await enqueueMailJob(boss, trx, { mailId, accountId, inSeconds: seconds });
    await mails.reschedule(trx, mailId, { jobId, inSeconds: seconds });
  }
}

async function write(
  trx: Trx,
  { boss }: EnqueueMailDeps,
  { template, accountId, userId, address, ids, addressKey, isUnasked, inSeconds }: Writable,
): Promise<string> {
  const mailId = randomUUID();
  const jobId = await enqueueMailJob(boss, trx, { mailId, accountId: accountId ?? 0, inSeconds });
  await mails.create(trx, {
    mailId,
    template,
    accountId: accountId ?? null,
    userId,
    ids: ids ?? {},
    address: address ?? null,
    addressKey,
    isUnasked,
    jobId,
    inSeconds,
  });
  return mailId;
}

type Writable = Omit<MailRequest, 'userId'> & Admitted & { inSeconds: number };

interface Admitted {
  userId: number | null;
  addressKey: Buffer;
  /** True if the mail counts against the daily limit of its address. */
  isUnasked: boolean;
}

/**
 * Decides whether an address gets another mail today. For a confirmed address, only mails that anybody can cause count.
 * For an unconfirmed address, all mails count, because a stranger may have signed up with the address. The counted rows
 * contain a hash of the address. They stay after the user is deleted. Returns null if the limit is reached or the
 * recipient does not exist.
 */
async function admit(
  trx: Trx,
  { template, userId, address, isFromKnownBrowser }: MailRequest,
): Promise<Admitted | null> {
  const holder = address === undefined ? await find(trx, userId ?? 0) : await findByEmail(trx, address);
  const to = address ?? holder?.email;
  if (to === undefined) return null;
  const isConfirmed = holder !== null && holder.emailConfirmedAt !== null;
  const isUnasked = !isConfirmed || (templates[template].canAnyoneCause && isFromKnownBrowser !== true);
  const addressKey = await hashAddress(trx, to);
  if (isUnasked && !(await isBelowLimit(trx, addressKey, template))) return null;
  return { userId: userId ?? holder?.userId ?? null, addressKey, isUnasked };
}

async function isBelowLimit(trx: Trx, addressKey: Buffer, template: TemplateName): Promise<boolean> {
  await mails.lockCount(trx, addressKey.toString('base64'));
  if ((await mails.countUnsolicited(trx, addressKey)) >= perDayMax) return false;
  if (!requestableMails.includes(template)) return true;
  return (await mails.countUnsolicited(trx, addressKey, requestableMails)) < requestableMax;
}

async function isSubscribed(
  trx: Trx,
  { list }: Template,
  { userId, accountId }: MailRequest,
): Promise<boolean> {
  if (list === null || userId === undefined || accountId === undefined) return true;
  return !(await isOptedOut(trx, { userId, accountId, list }));
}

/** Returns whether a mail server has refused an address permanently. */
export async function isAddressRefused(trx: Trx, address: string): Promise<boolean> {
  return isDead(trx, await hashAddress(trx, address));
}
