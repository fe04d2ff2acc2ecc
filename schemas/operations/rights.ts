import type { Role } from '../members.ts';
import type { Scope } from '../scopes.ts';
import type { Operation } from './operation.ts';

/** Requirements of an operation for the token, and for the token's creator. */
export interface Right {
  scope: Scope;
  role: Role;
  /** True if test tokens are rejected. */
  isLiveOnly?: boolean;
  /** True if tokens with a credit limit or an expiry date are rejected. */
  isUnlimitedOnly?: boolean;
}

/** Current rights of a token or a session in its account. */
export interface RightHolder {
  role: Role;
  /** Null for a session. Only the role limits a session. */
  token: { scope: Scope; isTest: boolean; expiresAt: Date | null; creditsPerMonth: number | null } | null;
}

const defaultRoles: Record<Scope, Role> = { read: 'viewer', check: 'member', manage: 'owner' };

/** Returns the required scope of the token and the required role of its creator. */
export function getRight({
  method,
  scope = method === 'get' ? 'read' : 'check',
  role = defaultRoles[scope],
  isLiveOnly = false,
  isUnlimitedOnly = false,
}: Pick<Operation, 'method' | 'scope' | 'role' | 'isLiveOnly' | 'isUnlimitedOnly'>): Right {
  return { scope, role, isLiveOnly, isUnlimitedOnly };
}

/** Returns whether every token has the right, including test tokens. */
export function isOpenToAllTokens({ scope, role, isLiveOnly }: Right): boolean {
  return scope === 'read' && role === 'viewer' && !isLiveOnly;
}

/** Returns a sentence about a right for the OpenAPI document. */
export function describeRight({ scope, role, isLiveOnly, isUnlimitedOnly }: Right): string {
  const scopes = { read: 'any scope', check: 'scope `check` or `manage`', manage: 'scope `manage`' };
  const makers = { viewer: 'any member', member: 'a member or an owner', owner: 'an owner' };
  const token = isLiveOnly ? 'live token' : 'token';
  const limits = isUnlimitedOnly ? ', without a credit limit or an expiry date' : '';
  return `Requires a ${token} of ${scopes[scope]}${limits}, created by ${makers[role]} of the account.`;
}
