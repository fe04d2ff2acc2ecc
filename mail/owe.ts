import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import { find, findByEmail } from '../db/accounts/user-addresses.ts';
import { isDead, isOptedOut, keyOf } from '../db/notifications/mail-addresses.ts';
import * as mails from '../db/notifications/mails.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { enqueueMail } from '../db/queue/queue.ts';
import { isSendable } from './clean.ts';
import type { Template } from './template.ts';
import { type TemplateName, templates } from './templates.ts';

/** How mails leave: by SMTP; as lines of the terminal, those with a link to come in by; or not at all. */
export type MailMode = 'smtp' | 'terminal' | 'off';

/** What owing a mail needs of the process. */
export interface Post {
  boss: PgBoss;
  mail: MailMode;
}

export interface OwedMail {
  template: TemplateName;
  /** What account it tells of, where it tells of one. */
  accountId?: number;
  /** Whom it goes to, at the address that they have by then. */
  userId?: number;
  /** Where it goes, where no user's row says so. */
  address?: string;
  ids?: Record<string, string | number>;
  /** Whether who asks is known to have been in by this address: what strangers have asked for does not count then. */
  isAsked?: boolean;
}

/** To one address and day, of what nobody asked for; of everything where nobody has confirmed the address. */
const perDayMax = 5;

/** What anybody can have sent to an address by naming it. The rest of the five is for confirmations and invitations. */
const strangersMails: readonly TemplateName[] = ['reset', 'sign_in', 'address_taken'];
const strangersMax = 3;

/**
 * Owes a mail and enqueues it, in the transaction of what it tells. Answers its id; null, and writes nothing,
 * where mail is off, where the address has had enough for a day (`admit`), and where its holder wants no more of this
 * list.
 */
export async function owe(trx: Trx, post: Post, mail: OwedMail): Promise<string | null> {
  const template: Template = templates[mail.template];
  if (post.mail === 'off' || (post.mail === 'terminal' && !template.isPrinted)) return null;
  if (mail.address !== undefined && !isSendable(mail.address)) return null;
  if (!(await isWanted(trx, template, mail))) return null;
  const admitted = await admit(trx, mail);
  return admitted && write(trx, post, { ...mail, ...admitted, inSeconds: 0 });
}

/**
 * The same for a digest: one an hour to each, and 24 a day of an account, and not before so many seconds. Null, too,
 * when one is owed that is still to be written: that tells of this, too. `about` is a word without a space, such as an
 * id.
 */
export async function oweDigest(
  trx: Trx,
  post: Post,
  { about, afterSeconds = 0, ...mail }: OwedDigest,
): Promise<string | null> {
  if (post.mail !== 'smtp' || !(await isWanted(trx, templates[mail.template], mail))) return null;
  await mails.lockCount(trx, `account ${mail.accountId}`);
  const { unwritten, inSeconds } = await mails.digests(trx, mail);
  if (unwritten !== null && (await mails.addToDigest(trx, unwritten, about))) return null;
  const admitted = await admit(trx, mail);
  if (!admitted) return null;
  const owed = { ...mail, ...admitted, ids: { about } };
  return write(trx, post, { ...owed, inSeconds: Math.max(inSeconds, afterSeconds) });
}

type OwedDigest = Omit<OwedMail, 'ids'> & {
  accountId: number;
  userId: number;
  about: string;
  afterSeconds?: number;
};

/** Has digests that are owed and not written yet sent so much later than now, and within no hour of another. */
export async function moveDigests(
  trx: Trx,
  { boss }: Pick<Post, 'boss'>,
  { accountId, template, inSeconds }: { accountId: number; template: TemplateName; inSeconds: number },
): Promise<void> {
  for (const { mailId, afterSeconds } of await mails.unwrittenDigests(trx, accountId, template)) {
    const seconds = Math.max(inSeconds, afterSeconds);
    const jobId = await enqueueMail(boss, trx, { mailId, accountId, inSeconds: seconds });
    await mails.putOff(trx, mailId, { jobId, inSeconds: seconds });
  }
}

async function write(
  trx: Trx,
  { boss }: Post,
  { template, accountId, userId, address, ids, addressKey, isUnasked, inSeconds }: Writable,
): Promise<string> {
  const mailId = randomUUID();
  const jobId = await enqueueMail(boss, trx, { mailId, accountId: accountId ?? 0, inSeconds });
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

type Writable = Omit<OwedMail, 'userId'> & Admitted & { inSeconds: number };

interface Admitted {
  /** Whom it goes to; null where the address is nobody's. */
  userId: number | null;
  addressKey: Buffer;
  /** Whether it counts for its address. */
  isUnasked: boolean;
}

/**
 * The one place that decides whether an address gets another mail today. Counted is what nobody asked for, and all
 * that goes to an address which nobody has confirmed: whoever signed up with it may be a stranger. Rows are counted by
 * a hash of the address, and stay when its user is deleted. Null when it has had enough, or there is nobody.
 */
async function admit(trx: Trx, { template, userId, address, isAsked }: OwedMail): Promise<Admitted | null> {
  const holder = address === undefined ? await find(trx, userId ?? 0) : await findByEmail(trx, address);
  const to = address ?? holder?.email;
  if (to === undefined) return null;
  const isConfirmed = holder !== null && holder.emailConfirmedAt !== null;
  const isUnasked = !isConfirmed || (templates[template].isUnasked && isAsked !== true);
  const addressKey = await keyOf(trx, to);
  if (isUnasked && !(await hasRoomFor(trx, addressKey, template))) return null;
  return { userId: userId ?? holder?.userId ?? null, addressKey, isUnasked };
}

async function hasRoomFor(trx: Trx, addressKey: Buffer, template: TemplateName): Promise<boolean> {
  await mails.lockCount(trx, addressKey.toString('base64'));
  if ((await mails.countUnasked(trx, addressKey)) >= perDayMax) return false;
  if (!strangersMails.includes(template)) return true;
  return (await mails.countUnasked(trx, addressKey, strangersMails)) < strangersMax;
}

async function isWanted(trx: Trx, { list }: Template, { userId, accountId }: OwedMail): Promise<boolean> {
  if (list === null || userId === undefined || accountId === undefined) return true;
  return !(await isOptedOut(trx, { userId, accountId, list }));
}

/** Whether an address has refused mails for good. */
export async function isRefused(trx: Trx, address: string): Promise<boolean> {
  return isDead(trx, await keyOf(trx, address));
}
