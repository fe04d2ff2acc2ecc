import { isOpen } from '../db/accounts/accounts.ts';
import * as activity from '../db/accounts/activity.ts';
import * as invitations from '../db/accounts/invitations.ts';
import * as memberships from '../db/accounts/memberships.ts';
import { hold } from '../db/accounts/open-account.ts';
import * as users from '../db/accounts/users.ts';
import * as mails from '../db/notifications/mails.ts';
import type { Db, Trx } from '../db/postgres/connect.ts';
import { isSendable } from '../mail/clean.ts';
import { isRefused, owe, type Post } from '../mail/owe.ts';
import { ApiError } from '../process/api-error.ts';
import type { SecretBox } from '../process/secret-box.ts';
import type { Role } from '../schemas/members.ts';
import { requireProof } from './proof.ts';
import { proveAddress } from './prove-address.ts';

/** How many invitations of an account may be open. */
const openMax = 20;
/** How many an account may have mailed in a day, those that were taken back among them. */
const mailedMax = 50;

interface AskedInvitation {
  accountId: number;
  email: string;
  role: Role;
  by: activity.Actor;
}

/** A new invitation. */
export interface Invited {
  /** The key of the link to hand over, shown once; null where the invitation is mailed. */
  key: invitations.InvitationKey | null;
  invitation: invitations.Invitation;
}

/**
 * Invites an address into an account. With mail, the invitation is mailed and the inviter needs a confirmed address.
 * Without, the key is returned. Only a user with the invited address can join.
 */
export async function invite(
  trx: Trx,
  post: Post,
  { accountId, email, role, by }: AskedInvitation,
): Promise<Invited> {
  const isMailed = post.mail === 'smtp';
  // Counted one after the other.
  await memberships.lockOwners(trx, accountId);
  await requireProof(trx, post, by.userId, 'invite others');
  const same = (other: string | null) => other?.toLowerCase() === email.toLowerCase();
  if (same(by.email)) throw unfit('This is your own address; you are in the account.');
  const members = await memberships.list(trx, accountId);
  if (members.some((member) => same(member.email))) throw unfit('Is in the account already.');
  const others = (await invitations.list(trx, accountId)).filter((one) => !same(one.email));
  if (others.length >= openMax) throw tooMany();
  const { key, invitation } = await invitations.create(trx, {
    accountId,
    email,
    role,
    invitedBy: by.email,
    userId: by.userId,
  });
  await activity.note(trx, { accountId, what: 'member_invited', by, about: `${email}: ${role}` });
  if (!isMailed) return { key, invitation };
  await mailTo(trx, post, invitation);
  return { key: null, invitation };
}

async function mailTo(trx: Trx, post: Post, invitation: invitations.Invitation): Promise<void> {
  const { accountId, email: address, invitationId } = invitation;
  if (!isSendable(address)) throw unfit('Must be an address such as you@example.com.');
  if (await isRefused(trx, address))
    throw unfit('Its mail server has refused this address for good. Look at its spelling.');
  // Exact, because the owners are locked.
  if ((await mails.countOf(trx, accountId, 'invitation')) >= mailedMax)
    throw tooSoon(`${mailedMax} invitations were mailed today. Invite others tomorrow.`);
  const ids = { invitation_id: invitationId };
  if ((await owe(trx, post, { template: 'invitation', accountId, address, ids })) === null)
    throw tooSoon('This address has had enough mails for today. Invite it again tomorrow.');
}

/** Revokes an invitation, so that its link is no longer valid. */
export async function revokeInvitation(
  trx: Trx,
  { accountId, by }: Pick<AskedInvitation, 'accountId' | 'by'>,
  invitationId: number,
): Promise<invitations.Invitation> {
  const revoked = await invitations.revoke(trx, accountId, invitationId);
  if (!revoked) throw new ApiError('not_found', 'There is no such invitation in your account.');
  await activity.note(trx, { accountId, what: 'invitation_revoked', by, about: revoked.email });
  return revoked;
}

/** Finds the invitation of a link. Returns null if it is not valid or the account is closed. */
export async function look(
  db: Db,
  key: invitations.InvitationKey,
): Promise<{ invitation: invitations.Invitation; isKnown: boolean } | null> {
  const invitation = await invitations.find(db, key);
  if (!invitation || !(await isOpen(db, invitation.accountId))) return null;
  return { invitation, isKnown: (await users.findByEmail(db, invitation.email)) !== null };
}

/** How a user joins. */
interface Joining {
  key: invitations.InvitationKey;
  /** The network address of the request; null if unknown. */
  address: string | null;
  /** Whether the key came by mail, which proves that the invited address is theirs. */
  isMailed: boolean;
}

/**
 * Adds an existing user to an account by an invitation to their address. Returns the account, and whether everything
 * set before is void, including their sessions.
 */
export async function join(
  trx: Trx,
  deps: { box: SecretBox },
  { key, address, isMailed }: Joining,
  userId: number,
): Promise<{ accountId: number; isVoided: boolean }> {
  const { accountId, email, role } = await take(trx, key);
  // Locked so that the user is not erased meanwhile for being in no account.
  const user = await users.lock(trx, userId);
  if (user?.email.toLowerCase() !== email.toLowerCase()) throw notForYou(email);
  // Before they join, so that nothing of this account is voided.
  const { isVoided } = isMailed ? await proveAddress(trx, deps, userId) : { isVoided: false };
  if (await memberships.add(trx, accountId, userId, role)) {
    const by = { userId, email, token: null, address };
    await activity.note(trx, { accountId, what: 'member_joined', by, about: role });
  }
  return { accountId, isVoided };
}

/** Creates a user who joins an account by an invitation. Throws EmailTakenError. */
export async function signUpBy(
  trx: Trx,
  deps: { box: SecretBox },
  { key, address, isMailed }: Joining,
  passwordHash: users.PasswordHash,
): Promise<{ accountId: number; userId: number }> {
  const { accountId, email, role } = await take(trx, key);
  const userId = await users.create(trx, { accountId, email, passwordHash, role });
  // A new user has nothing but the password that they chose here.
  if (isMailed) await proveAddress(trx, deps, userId, 'everything');
  const by = { userId, email, token: null, address };
  await activity.note(trx, { accountId, what: 'member_joined', by, about: role });
  return { accountId, userId };
}

async function take(trx: Trx, key: invitations.InvitationKey): Promise<invitations.Invitation> {
  const found = await invitations.find(trx, key);
  // The account before the invitation, which closing the account deletes in that order.
  if (!found || !(await hold(trx, found.accountId))) throw notGood();
  const invitation = await invitations.take(trx, key);
  if (!invitation) throw notGood();
  return invitation;
}

/** The error for a link that is no longer valid. */
export function notGood(): ApiError {
  const message = 'This invitation was used, revoked or has expired. Ask for a new one.';
  return new ApiError('not_found', message);
}

function notForYou(email: string): ApiError {
  return new ApiError('insufficient_scope', `This invitation is for ${email}. Sign in with that address.`);
}

function unfit(message: string): ApiError {
  return new ApiError('validation_failed', message, { details: { errors: { email: [message] } } });
}

function tooSoon(message: string): ApiError {
  return new ApiError('rate_limited', message, { retryAfterSeconds: 24 * 3600 });
}

function tooMany(): ApiError {
  const message = `${openMax} invitations are open. Take one back, or wait until one is used.`;
  return new ApiError('too_many_invitations', message);
}
