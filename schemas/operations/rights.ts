import type { Role } from '../members.ts';
import type { Scope } from '../scopes.ts';
import type { Operation } from './operation.ts';

/** What an operation asks of a token, and of whoever made it. */
export interface Right {
  scope: Scope;
  role: Role;
}

const roleOfScope: Record<Scope, Role> = { read: 'viewer', check: 'member', manage: 'owner' };

/** Both must go that far: the token's scope, and the present role of its maker. */
export function rightOf({ method, scope, role }: Pick<Operation, 'method' | 'scope' | 'role'>): Right {
  const needed = scope ?? (method === 'get' ? 'read' : 'check');
  return { scope: needed, role: role ?? roleOfScope[needed] };
}

/** Whether every token reaches it, whoever made it, and whether or not it is a test token. */
export function isForAll({ scope, role }: Right, { isLiveOnly }: Pick<Operation, 'isLiveOnly'>): boolean {
  return scope === 'read' && role === 'viewer' && !isLiveOnly;
}

/** A right as a sentence for the document. */
export function rightInWords(right: Right, { isLiveOnly }: Pick<Operation, 'isLiveOnly'>): string {
  const scopes = { read: 'any scope', check: 'scope `check` or `manage`', manage: 'scope `manage`' };
  const makers = { viewer: 'any member', member: 'a member or an owner', owner: 'an owner' };
  const tokens = isLiveOnly ? 'live tokens' : 'tokens';
  return `For ${tokens} of ${scopes[right.scope]} that ${makers[right.role]} of the account made.`;
}
