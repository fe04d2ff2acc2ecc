import type { Act } from '../db/act.ts';
import * as activity from '../db/activity.ts';
import type { Db, Trx } from '../db/connect.ts';
import * as memberships from '../db/memberships.ts';
import * as sessions from '../db/sessions.ts';
import * as tokens from '../db/tokens.ts';
import * as users from '../db/users.ts';
import { Refused } from '../refused.ts';
import { type Role, roles } from '../schemas/members.ts';
import type { Allowance } from './allowance.ts';

interface Subject {
  accountId: number;
  /** Who it is done to. */
  userId: number;
  by: activity.Actor;
}

/** Gives a member another role, which counts from the next request on. Answers him as he is then. */
export function changeRole(
  { db, allowance }: { db: Db; allowance: Allowance },
  { accountId, userId, by }: Subject,
  role: Role,
): Act<memberships.Member> {
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
      if (member.role === role) return member;
      if (isLastOwner) throw lastOwner();
      await memberships.setRole(trx, accountId, userId, role);
      // A viewer has none.
      if (role === 'viewer') await tokens.revokeOf(trx, accountId, userId);
      const about = `${member.email}: ${member.role} to ${role}`;
      await activity.note(trx, { accountId, what: 'member_role_changed', by, about });
      return { ...member, role };
    },
  };
}

/**
 * Takes a person out of an account: his tokens and sessions there end with it. Whoever was in no other account is
 * erased. Anybody may take out himself, but for the last owner.
 */
export function remove({ accountId, userId, by }: Subject): Act<memberships.Member> {
  return {
    takesFrom: [`user ${userId}`],
    perform: async (trx) => {
      const { member, isLastOwner } = await lockMember(trx, { accountId, userId, by });
      if (isLastOwner) throw lastOwner();
      const what = by.userId === userId ? 'member_left' : 'member_removed';
      await activity.note(trx, { accountId, what, by, about: member.email });
      await tokens.revokeOf(trx, accountId, userId);
      // Before his sessions, as whoever chooses a new password.
      await users.lock(trx, userId);
      await sessions.endIn(trx, userId, accountId);
      await memberships.remove(trx, accountId, userId);
      await users.moveOut(trx, userId, accountId);
      return member;
    },
  };
}

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
