import * as activity from '../db/accounts/activity.ts';
import { hashKey } from '../db/accounts/random-key.ts';
import { lockRights } from '../db/accounts/rights.ts';
import * as sessions from '../db/accounts/sessions.ts';
import * as addresses from '../db/accounts/user-emails.ts';
import * as users from '../db/accounts/users.ts';
import * as links from '../db/notifications/mail-links.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { type EnqueueMailDeps, enqueueMail } from '../mail/enqueue.ts';
import type { SecretBox } from '../process/secret-box.ts';
import { confirmEmail, type KeptCredentials } from './confirm-email.ts';

export class InvalidLinkError extends Error {
  constructor(purpose: links.LinkPurpose) {
    super(`This link was already used, has expired, or was replaced by a newer one. ${nextSteps[purpose]}`);
    this.name = 'InvalidLinkError';
  }
}

const nextSteps: Record<links.LinkPurpose, string> = {
  reset: 'Request a new one on the sign-in page.',
  sign_in: 'Request a new one on the sign-in page.',
  confirm: 'Sign in and request a new one in Settings.',
  new_email: 'Change your email address in Settings again.',
};

/**
 * Confirms an email address by a mailed link. Throws InvalidLinkError. Throws ApiError if the password has changed
 * since the caller verified it.
 */
export async function confirmByLink(
  trx: Trx,
  deps: { secretBox: SecretBox },
  token: string,
  { kept, passwordHash }: { kept: KeptCredentials; passwordHash: users.PasswordHash },
): Promise<number> {
  const { userId } = await useLink(trx, token, 'confirm');
  await users.requirePasswordProof(trx, { userId, passwordHash });
  await confirmEmail(trx, deps, userId, kept);
  return userId;
}

interface NewPassword {
  token: string;
  /** The network address of the request; null if unknown. */
  from: string | null;
  passwordHash: users.PasswordHash;
  /** True if the new password differs from the old one. In this case, the owner is notified. */
  isOther: boolean;
}

/**
 * Sets a new password by a mailed link, ends every session and notifies the owner. With SMTP, this also confirms the
 * address. Throws InvalidLinkError.
 */
export async function resetPasswordByLink(
  trx: Trx,
  deps: EnqueueMailDeps & { secretBox: SecretBox },
  { token, from, passwordHash, isOther }: NewPassword,
): Promise<number> {
  const { userId } = await useLink(trx, token, 'reset');
  if (deps.mail === 'smtp') await confirmEmail(trx, deps, userId);
  await users.setPasswordHash(trx, userId, passwordHash);
  await sessions.endAll(trx, userId);
  const about = 'by an emailed link';
  await activity.recordForUser(trx, userId, { what: 'password_changed', address: from, about });
  if (isOther) await enqueueMail(trx, deps, { template: 'password_changed', userId });
  return userId;
}

/** Uses up a sign-in link. With SMTP, this also confirms the address. Returns the user. Throws InvalidLinkError. */
export async function signInByLink(
  trx: Trx,
  deps: EnqueueMailDeps & { secretBox: SecretBox },
  token: string,
): Promise<{ userId: number; areCredentialsRevoked: boolean }> {
  const { userId } = await useLink(trx, token, 'sign_in');
  const { areCredentialsRevoked } =
    deps.mail === 'smtp' ? await confirmEmail(trx, deps, userId) : { areCredentialsRevoked: false };
  return { userId, areCredentialsRevoked };
}

/**
 * Changes a user's email address by a link that was mailed to the new address. The user must be signed in. Notifies the
 * old address. Throws InvalidLinkError. Throws EmailTakenError if another user has taken the address meanwhile.
 */
export async function changeEmailByLink(
  trx: Trx,
  deps: EnqueueMailDeps & { secretBox: SecretBox },
  { token, from }: { token: string; from: string | null },
): Promise<number> {
  const { userId, address } = await useLink(trx, token, 'new_email');
  const previous = await users.lock(trx, userId);
  if (!previous || address === null) throw new InvalidLinkError('new_email');
  // The mail is enqueued before the change. After the change, the old address has no user. Such an address gets at most
  // five mails a day.
  await enqueueMail(trx, deps, { template: 'email_changed', address: previous.email });
  await addresses.setEmail(trx, userId, address);
  await links.deleteAll(trx, userId);
  // All credentials stay valid, because this link can only be requested with the password and a session of this user.
  await confirmEmail(trx, deps, userId, 'everything');
  const about = `${previous.email} to ${address}`;
  await activity.recordForUser(trx, userId, { what: 'address_changed', address: from, about });
  return userId;
}

async function useLink(trx: Trx, token: string, purpose: links.LinkPurpose): Promise<links.MailLink> {
  // The user's rights are locked first, because the use of a link may end the user's sessions.
  const known = await links.findByHash(trx, hashKey(token), purpose);
  if (known) {
    await lockRights(trx, `user ${known.userId}`);
    // The user is locked before the link, in the same order as when an account is closed.
    await users.lock(trx, known.userId);
  }
  const link = await links.redeem(trx, hashKey(token), purpose);
  if (!link) throw new InvalidLinkError(purpose);
  return link;
}
