import { isOpen } from '../db/accounts.ts';
import type { Act } from '../db/act.ts';
import * as activity from '../db/activity.ts';
import type { Db, Trx } from '../db/connect.ts';
import * as invitations from '../db/invitations.ts';
import * as memberships from '../db/memberships.ts';
import { isConfirmed } from '../db/user-addresses.ts';
import * as users from '../db/users.ts';
import { Refused } from '../refused.ts';
import type { Role } from '../schemas/members.ts';

/** How many invitations of an account may be open. */
export const openMax = 20;

export interface Asked {
  accountId: number;
  email: string;
  role: Role;
  by: activity.Actor;
  /** Whether the address of whoever invites must be a proved one: where mails can prove it. */
  isProofNeeded: boolean;
}

/** Invites somebody into an account. Whoever has the key joins by it, if the address is his. */
export function invite({ accountId, email, role, by, isProofNeeded }: Asked): Act<{
  key: invitations.InvitationKey;
  invitation: invitations.Invitation;
}> {
  return {
    perform: async (trx) => {
      // One after the other, and by somebody who is still an owner.
      const owners = await memberships.lockOwners(trx, accountId);
      if (by.userId !== null && !owners.includes(by.userId)) throw onlyOwners();
      if (isProofNeeded && by.userId !== null && !(await isConfirmed(trx, by.userId))) throw unproved();
      const same = (other: string | null) => other?.toLowerCase() === email.toLowerCase();
      if (same(by.email)) throw unfit('This is your own address; you are in the account.');
      const members = await memberships.list(trx, accountId);
      if (members.some((member) => same(member.email))) throw unfit('Is in the account already.');
      const others = (await invitations.list(trx, accountId)).filter((one) => !same(one.email));
      if (others.length >= openMax) throw tooMany();
      const made = await invitations.create(trx, { accountId, email, role, invitedBy: by.email });
      await activity.note(trx, { accountId, what: 'member_invited', by, about: `${email}: ${role}` });
      return made;
    },
  };
}

/** Takes an invitation back: its link leads nowhere from now on. */
export function revokeInvitation(
  { accountId, by }: Pick<Asked, 'accountId' | 'by'>,
  invitationId: number,
): Act<invitations.Invitation> {
  return {
    perform: async (trx) => {
      const revoked = await invitations.revoke(trx, accountId, invitationId);
      if (!revoked) throw new Refused('not_found', 'There is no such invitation in your account.');
      await activity.note(trx, { accountId, what: 'invitation_revoked', by, about: revoked.email });
      return revoked;
    },
  };
}

/** What an invitation is for whoever opens its link; null when it is not good, or the account is closed. */
export async function look(
  db: Db,
  key: invitations.InvitationKey,
): Promise<{ invitation: invitations.Invitation; isKnown: boolean } | null> {
  const invitation = await invitations.find(db, key);
  if (!invitation || !(await isOpen(db, invitation.accountId))) return null;
  return { invitation, isKnown: (await users.findByEmail(db, invitation.email)) !== null };
}

/** Somebody who has a sign-in joins by an invitation to his own address. Answers the account. */
export function join(
  key: invitations.InvitationKey,
  userId: number,
  address: string | null,
): Act<{ accountId: number }> {
  return {
    perform: async (trx) => {
      const { accountId, email, role } = await take(trx, key);
      // Until the end, so that nobody erases him meanwhile for being in no account.
      const user = await users.lock(trx, userId);
      if (user?.email.toLowerCase() !== email.toLowerCase()) throw notForYou(email);
      if (await memberships.add(trx, accountId, userId, role)) {
        const by = { userId, email, token: null, address };
        await activity.note(trx, { accountId, what: 'member_joined', by, about: role });
      }
      return { accountId };
    },
  };
}

/** Somebody new joins by an invitation, which makes his sign-in. Throws EmailTakenError. */
export function signUpBy(
  key: invitations.InvitationKey,
  passwordHash: users.PasswordHash,
  address: string | null,
): Act<{ accountId: number; userId: number }> {
  return {
    perform: async (trx) => {
      const { accountId, email, role } = await take(trx, key);
      const userId = await users.create(trx, { accountId, email, passwordHash, role });
      const by = { userId, email, token: null, address };
      await activity.note(trx, { accountId, what: 'member_joined', by, about: role });
      return { accountId, userId };
    },
  };
}

async function take(trx: Trx, key: invitations.InvitationKey): Promise<invitations.Invitation> {
  const invitation = await invitations.take(trx, key);
  if (!invitation || !(await isOpen(trx, invitation.accountId))) throw notGood();
  return invitation;
}

/** What a link says that is not good any more. */
export function notGood(): Refused {
  const message = 'This invitation was used, taken back or is too old. Ask whoever invited you for another.';
  return new Refused('not_found', message);
}

function notForYou(email: string): Refused {
  return new Refused('insufficient_scope', `This invitation is for ${email}. Sign in with that address.`);
}

function unproved(): Refused {
  return new Refused('insufficient_scope', 'Confirm your own address first, then invite others.');
}

function onlyOwners(): Refused {
  return new Refused('insufficient_scope', 'Only an owner of the account may do this.');
}

function unfit(message: string): Refused {
  return new Refused('validation_failed', message, { details: { errors: { email: [message] } } });
}

function tooMany(): Refused {
  const message = `${openMax} invitations are open. Take one back, or wait until one is used.`;
  return new Refused('too_many_invitations', message);
}
