import * as activity from '../db/accounts/activity.ts';
import * as memberships from '../db/accounts/memberships.ts';
import * as sessions from '../db/accounts/sessions.ts';
import * as users from '../db/accounts/users.ts';
import type { Db, Trx } from '../db/postgres/connect.ts';
import { ApiError } from '../process/api-error.ts';
import { type Role, roles } from '../schemas/members.ts';
import type { Allowance } from './allowance.ts';
import { describeRevoked, type RevokedAccess, revokeBeyondRole } from './revoke-access.ts';

interface Subject {
  accountId: number;
  /** The member who is changed or removed. */
  userId: number;
  by: activity.Actor;
}

/** A member after a change, and the access that was revoked. */
export interface ChangedMember extends memberships.Member {
  revoked: RevokedAccess;
}

/**
 * Finds a member. Call this before the member's rights are locked, because callers must not lock the rights of people
 * outside their account. Throws `not_found`. Returns null for callers who name themselves but have left the account.
 * The transaction rejects these callers later.
 */
export async function findMemberToChange(
  db: Db,
  { accountId, userId, by }: Subject,
): Promise<memberships.Member | null> {
  const member = await memberships.find(db, accountId, userId);
  if (!member && by.userId !== userId) throw memberNotFound();
  return member;
}

/**
 * Checks that the member exists and that the account has allowance left. Call this before the transaction that changes
 * the role. A demotion needs no allowance.
 */
export async function requireRoleChangeAllowed(
  { db, allowance }: { db: Db; allowance: Allowance },
  subject: Subject,
  role: Role,
): Promise<void> {
  const member = await findMemberToChange(db, subject);
  if (member && roles.indexOf(role) <= roles.indexOf(member.role))
    await allowance.requireRemaining(subject.accountId);
}

/**
 * Changes a member's role. The caller must hold the lock of the member's rights. Throws `not_found` and `last_owner`.
 */
export async function changeRole(
  trx: Trx,
  { accountId, userId, by }: Subject,
  role: Role,
): Promise<ChangedMember> {
  const { member, isLastOwner } = await lockMember(trx, accountId, userId);
  if (member.role === role) return { ...member, revoked: nothingRevoked };
  if (isLastOwner) throw lastOwner();
  await memberships.setRole(trx, accountId, userId, role);
  const revoked = await revokeBeyondRole(trx, { accountId, userId }, role);
  const about = withRevoked(`${member.email}: ${member.role} to ${role}`, revoked);
  await activity.record(trx, { accountId, what: 'member_role_changed', by, about });
  return { ...member, role, revoked };
}

/**
 * Removes a person from an account and ends their tokens and sessions there. Erases a person who is in no other
 * account. The caller must hold the lock of the person's rights. Throws `not_found` and `last_owner`.
 */
export async function removeFromAccount(
  trx: Trx,
  { accountId, userId, by }: Subject,
): Promise<ChangedMember> {
  const { member, isLastOwner } = await lockMember(trx, accountId, userId);
  if (isLastOwner) throw lastOwner();
  const what = by.userId === userId ? 'member_left' : 'member_removed';
  const revoked = await revokeBeyondRole(trx, { accountId, userId }, null);
  await activity.record(trx, { accountId, what, by, about: withRevoked(member.email, revoked) });
  await users.lock(trx, userId);
  await sessions.endInAccount(trx, userId, accountId);
  await memberships.remove(trx, accountId, userId);
  await users.completeRemoval(trx, userId, accountId);
  return { ...member, revoked };
}

function withRevoked(about: string, revoked: RevokedAccess): string {
  const words = describeRevoked(revoked);
  return words === '' ? about : `${about}. ${words}`;
}

const nothingRevoked: RevokedAccess = { invitations: [], reportLinks: 0, tokens: 0, remainingWebhookUrls: 0 };

/** Finds a member and locks the owners, so that two owners cannot remove each other. */
async function lockMember(trx: Trx, accountId: number, userId: number) {
  const owners = await memberships.lockOwners(trx, accountId);
  const member = await memberships.find(trx, accountId, userId);
  if (!member) throw memberNotFound();
  return { member, isLastOwner: owners.length === 1 && owners[0] === userId };
}

function memberNotFound(): ApiError {
  return new ApiError('not_found', 'No member with this id in your account.');
}

function lastOwner(): ApiError {
  return new ApiError('last_owner', 'An account needs an owner. Make another member an owner first.');
}
