/** Roles of a person in an account. The first has the most rights. */
export const roles = ['owner', 'member', 'viewer'] as const;

export type Role = (typeof roles)[number];

/** Texts that complete "invites you to join an account …". */
export const invitationRoleTexts: Record<Role, string> = {
  owner: 'as an owner with all rights',
  member: 'as a member, who can run checks and create monitors and tokens',
  viewer: 'as a viewer with read-only access',
};

/** Returns whether a role has at least the rights of `needed`. */
export function isRoleAtLeast(role: Role, needed: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(needed);
}
