import { isOpen } from '../db/accounts/accounts.ts';
import * as activity from '../db/accounts/activity.ts';
import * as invitations from '../db/accounts/invitations.ts';
import * as memberships from '../db/accounts/memberships.ts';
import { lockOpenAccount } from '../db/accounts/open-account.ts';
import { findByEmail } from '../db/accounts/user-emails.ts';
import * as users from '../db/accounts/users.ts';
import * as mails from '../db/notifications/mails.ts';
import type { Db, Trx } from '../db/postgres/connect.ts';
import { type EnqueueMailDeps, enqueueMail, isAddressRefused } from '../mail/enqueue.ts';
import { isMailAddress } from '../mail/plain-name.ts';
import { ApiError } from '../process/api-error.ts';
import type { SecretBox } from '../process/secret-box.ts';
import type { Role } from '../schemas/members.ts';
import { confirmEmail } from './confirm-email.ts';
import { requireConfirmedEmail } from './confirmed-email.ts';

/** Maximum number of open invitations per account. */
const openMax = 20;
/** Maximum number of mailed invitations per account and day, including revoked invitations. */
const mailedMax = 50;

interface InvitationInput {
  accountId: number;
  email: string;
  role: Role;
  by: activity.Actor;
}

interface CreatedInvitation {
  /** Key of the invitation's link; null if the invitation is mailed. The key is shown once. */
  key: invitations.InvitationKey | null;
  invitation: invitations.Invitation;
}

/**
 * Invites an email address into an account. With SMTP, the invitation is mailed and the inviter needs a confirmed
 * address. Without SMTP, the key is returned. Users with another address cannot use the invitation.
 */
export async function invite(
  trx: Trx,
  deps: EnqueueMailDeps,
  { accountId, email, role, by }: InvitationInput,
): Promise<CreatedInvitation> {
  const isMailed = deps.mail === 'smtp';
  // This lock makes the count of open invitations exact.
  await memberships.lockOwners(trx, accountId);
  await requireConfirmedEmail(trx, deps, by.userId, 'invite others');
  const same = (other: string | null) => other?.toLowerCase() === email.toLowerCase();
  if (same(by.email))
    throw invalidEmail('This is your own email address. You are already a member of this account.');
  const members = await memberships.list(trx, accountId);
  if (members.some((member) => same(member.email)))
    throw invalidEmail('This person is already a member of this account.');
  const others = (await invitations.list(trx, accountId)).filter((one) => !same(one.email));
  if (others.length >= openMax) throw tooManyOpen();
  const { key, invitation } = await invitations.create(trx, {
    accountId,
    email,
    role,
    invitedBy: by.email,
    userId: by.userId,
  });
  await activity.record(trx, { accountId, what: 'member_invited', by, about: `${email}: ${role}` });
  if (!isMailed) return { key, invitation };
  await mailInvitation(trx, deps, invitation);
  return { key: null, invitation };
}

async function mailInvitation(
  trx: Trx,
  deps: EnqueueMailDeps,
  invitation: invitations.Invitation,
): Promise<void> {
  const { accountId, email: address, invitationId } = invitation;
  if (!isMailAddress(address)) throw invalidEmail('Must be an email address such as you@example.com.');
  if (await isAddressRefused(trx, address))
    throw invalidEmail('The mail server rejects this email address permanently. Check its spelling.');
  // The count of mailed invitations is exact, because `invite` has locked the owners.
  if ((await mails.countByTemplate(trx, accountId, 'invitation')) >= mailedMax)
    throw mailLimitReached(
      `You have reached the limit of ${mailedMax} emailed invitations per day. Try again tomorrow.`,
    );
  const ids = { invitation_id: invitationId };
  if ((await enqueueMail(trx, deps, { template: 'invitation', accountId, address, ids })) === null)
    throw mailLimitReached(
      'This email address has reached its limit of emails per day. Invite it again tomorrow.',
    );
}

export async function revokeInvitation(
  trx: Trx,
  { accountId, by }: Pick<InvitationInput, 'accountId' | 'by'>,
  invitationId: number,
): Promise<invitations.Invitation> {
  const revoked = await invitations.revoke(trx, accountId, invitationId);
  if (!revoked) throw new ApiError('not_found', 'No invitation with this id in your account.');
  await activity.record(trx, { accountId, what: 'invitation_revoked', by, about: revoked.email });
  return revoked;
}

/** Finds a valid invitation to an open account by its key. `isKnown` is true if a user with its email exists. */
export async function findOpenInvitation(
  db: Db,
  key: invitations.InvitationKey,
): Promise<{ invitation: invitations.Invitation; isKnown: boolean } | null> {
  const invitation = await invitations.find(db, key);
  if (!invitation || !(await isOpen(db, invitation.accountId))) return null;
  return { invitation, isKnown: (await findByEmail(db, invitation.email)) !== null };
}

interface Joining {
  key: invitations.InvitationKey;
  /** The network address of the request; null if unknown. */
  address: string | null;
  /** True if the key was mailed. A mailed key proves that the invited address belongs to the user. */
  isMailed: boolean;
}

/**
 * Adds an existing user to an account by an invitation to their email address. A mailed invitation confirms the
 * address. `areCredentialsRevoked` is true if the confirmation revoked the user's earlier sessions and credentials.
 */
export async function joinAccount(
  trx: Trx,
  deps: { secretBox: SecretBox },
  { key, address, isMailed }: Joining,
  userId: number,
): Promise<{ accountId: number; areCredentialsRevoked: boolean }> {
  const { accountId, email, role } = await useInvitation(trx, key);
  // A user who is removed from their last account is erased. The lock delays such an erasure until the user has joined.
  const user = await users.lock(trx, userId);
  if (user?.email.toLowerCase() !== email.toLowerCase()) throw wrongEmail(email);
  // The confirmation may revoke links and tokens in all accounts of the user. It comes before the user joins this
  // account, so that this account is not affected.
  const { areCredentialsRevoked } = isMailed
    ? await confirmEmail(trx, deps, userId)
    : { areCredentialsRevoked: false };
  if (await memberships.add(trx, accountId, userId, role)) {
    const by = { userId, email, token: null, address };
    await activity.record(trx, { accountId, what: 'member_joined', by, about: role });
  }
  return { accountId, areCredentialsRevoked };
}

/** Creates a user who joins an account by an invitation. Throws EmailTakenError. */
export async function signUpByInvitation(
  trx: Trx,
  deps: { secretBox: SecretBox },
  { key, address, isMailed }: Joining,
  passwordHash: users.PasswordHash,
): Promise<{ accountId: number; userId: number }> {
  const { accountId, email, role } = await useInvitation(trx, key);
  const userId = await users.create(trx, { accountId, email, passwordHash, role });
  // The new user's only credential is the password chosen here.
  if (isMailed) await confirmEmail(trx, deps, userId, 'everything');
  const by = { userId, email, token: null, address };
  await activity.record(trx, { accountId, what: 'member_joined', by, about: role });
  return { accountId, userId };
}

async function useInvitation(trx: Trx, key: invitations.InvitationKey): Promise<invitations.Invitation> {
  const found = await invitations.find(trx, key);
  // The account is locked before the invitation, in the same order as when an account is closed.
  if (!found || !(await lockOpenAccount(trx, found.accountId))) throw invalidInvitation();
  const invitation = await invitations.redeem(trx, key);
  if (!invitation) throw invalidInvitation();
  return invitation;
}

export function invalidInvitation(): ApiError {
  const message = 'This invitation was already used, was revoked, or has expired. Ask for a new one.';
  return new ApiError('not_found', message);
}

function wrongEmail(email: string): ApiError {
  return new ApiError('insufficient_scope', `This invitation is for ${email}. Sign in with that address.`);
}

function invalidEmail(message: string): ApiError {
  return new ApiError('validation_failed', message, { details: { errors: { email: [message] } } });
}

function mailLimitReached(message: string): ApiError {
  return new ApiError('rate_limited', message, { retryAfterSeconds: 24 * 3600 });
}

function tooManyOpen(): ApiError {
  const message = `You have reached the limit of ${openMax} open invitations. Revoke one, or wait until one is accepted.`;
  return new ApiError('too_many_invitations', message);
}
