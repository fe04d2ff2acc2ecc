import type { Role } from '../members.ts';
import type { Scope } from '../scopes.ts';
import type { Operation } from './operation.ts';

/** What an operation requires of a token, and of the person who made it. */
export interface Right {
  scope: Scope;
  role: Role;
  /** Test tokens are refused. */
  isLiveOnly?: boolean;
  /** Tokens with a credit limit or an expiry date are refused. */
  isUnlimitedOnly?: boolean;
}

/** What a token or a session may do in its account at this moment. */
export interface Holder {
  role: Role;
  /** Null for a session, which has no limits besides the role. */
  token: { scope: Scope; isTest: boolean; expiresAt: Date | null; creditsPerMonth: number | null } | null;
}

const roleOfScope: Record<Scope, Role> = { read: 'viewer', check: 'member', manage: 'owner' };

/** Both must go that far: the token's scope, and the present role of its maker. */
export function rightOf({
  method,
  scope = method === 'get' ? 'read' : 'check',
  role = roleOfScope[scope],
  isLiveOnly = false,
  isUnlimitedOnly = false,
}: Pick<Operation, 'method' | 'scope' | 'role' | 'isLiveOnly' | 'isUnlimitedOnly'>): Right {
  return { scope, role, isLiveOnly, isUnlimitedOnly };
}

/** Whether every token reaches it, whoever made it, and whether or not it is a test token. */
export function isForAll({ scope, role, isLiveOnly }: Right): boolean {
  return scope === 'read' && role === 'viewer' && !isLiveOnly;
}

/** A right as a sentence for the document. */
export function rightInWords({ scope, role, isLiveOnly, isUnlimitedOnly }: Right): string {
  const scopes = { read: 'any scope', check: 'scope `check` or `manage`', manage: 'scope `manage`' };
  const makers = { viewer: 'any member', member: 'a member or an owner', owner: 'an owner' };
  const tokens = isLiveOnly ? 'live tokens' : 'tokens';
  const limits = isUnlimitedOnly ? ', without a credit limit or an expiry date,' : '';
  return `For ${tokens} of ${scopes[scope]}${limits} that ${makers[role]} of the account made.`;
}
