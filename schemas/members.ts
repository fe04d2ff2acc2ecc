/** What a person may do in an account, most first. */
export const roles = ['owner', 'member', 'viewer'] as const;

export type Role = (typeof roles)[number];

/** Whether a role may do what asks for another. */
export function isAtLeast(role: Role, needed: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(needed);
}
