/** What a person may do in an account, most first. */
export const roles = ['owner', 'member', 'viewer'] as const;

export type Role = (typeof roles)[number];

/** What each is asked in as. */
export const asRole: Record<Role, string> = {
  owner: 'as an owner, who may do everything',
  member: 'as a member, who checks, and makes monitors and tokens of their own',
  viewer: 'as a viewer, who reads everything and changes nothing',
};

/** Whether a role may do what asks for another. */
export function isAtLeast(role: Role, needed: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(needed);
}
