import * as activity from '../db/accounts/activity.ts';
import * as memberships from '../db/accounts/memberships.ts';
import * as sessions from '../db/accounts/sessions.ts';
import * as users from '../db/accounts/users.ts';
import type { Act } from '../db/postgres/act.ts';
import type { Db, Trx } from '../db/postgres/connect.ts';
import { Refused } from '../process/refused.ts';
import { type Role, roles } from '../schemas/members.ts';
import type { Allowance } from './allowance.ts';
import { inWords, type Voided, voidBeyond } from './void-rights.ts';

interface Subject {
  accountId: number;
  /** Who it is done to. */
  userId: number;
  by: activity.Actor;
}

/** A member after what was done, and what is void by that. */
export interface ChangedMember extends memberships.Member {
  voided: Voided;
}

/** Gives a member another role, which counts from the next request on. Answers them as they are then. */
export function changeRole(
  { db, allowance }: { db: Db; allowance: Allowance },
  { accountId, userId, by }: Subject,
  role: Role,
): Act<ChangedMember> {
  return {
    before: async () => {
      const member = await memberships.find(db, accountId, userId);
      // What is noted of this and of the way back, which is free: to take away what somebody may do is never refused.
      // To be given what he has leaves an answer behind, under each key that it is asked by.
      if (member && roles.indexOf(role) <= roles.indexOf(member.role))
        await allowance.take(accountId, { keptRows: 2 });
    },
    takesFrom: [`user ${userId}`],
    perform: async (trx) => {
      const { member, isLastOwner } = await lockMember(trx, { accountId, userId, by });
      if (member.role === role) return { ...member, voided: nothing };
      if (isLastOwner) throw lastOwner();
      await memberships.setRole(trx, accountId, userId, role);
      const voided = await voidBeyond(trx, { accountId, userId }, role);
      const about = withVoided(`${member.email}: ${member.role} to ${role}`, voided);
      await activity.note(trx, { accountId, what: 'member_role_changed', by, about });
      return { ...member, role, voided };
    },
  };
}

/**
 * Takes a person out of an account: his tokens and sessions there end with it. Whoever was in no other account is
 * erased. Anybody may take out himself, but for the last owner.
 */
export function remove({ accountId, userId, by }: Subject): Act<ChangedMember> {
  return {
    takesFrom: [`user ${userId}`],
    perform: async (trx) => {
      const { member, isLastOwner } = await lockMember(trx, { accountId, userId, by });
      if (isLastOwner) throw lastOwner();
      const what = by.userId === userId ? 'member_left' : 'member_removed';
      const voided = await voidBeyond(trx, { accountId, userId }, null);
      await activity.note(trx, { accountId, what, by, about: withVoided(member.email, voided) });
      // Before his sessions, as whoever chooses a new password.
      await users.lock(trx, userId);
      await sessions.endIn(trx, userId, accountId);
      await memberships.remove(trx, accountId, userId);
      await users.moveOut(trx, userId, accountId);
      return { ...member, voided };
    },
  };
}

function withVoided(about: string, voided: Voided): string {
  const words = inWords(voided);
  return words === '' ? about : `${about}. ${words}`;
}

const nothing: Voided = { invitations: [], reportLinks: 0, tokens: 0, mails: 0 };

/** Holds the owners, of whom whoever acts on another must still be one. */
async function lockMember(trx: Trx, { accountId, userId, by }: Subject) {
  const owners = await memberships.lockOwners(trx, accountId);
  const isAllowed = by.userId === null || by.userId === userId || owners.includes(by.userId);
  if (!isAllowed) throw new Refused('insufficient_scope', 'Only an owner of the account may do this.');
  const member = await memberships.find(trx, accountId, userId);
  if (!member) throw new Refused('not_found', 'No member with this id is in your account.');
  return { member, isLastOwner: owners.length === 1 && owners[0] === userId };
}

function lastOwner(): Refused {
  return new Refused('last_owner', 'The last owner stays. Make another member an owner first.');
}
