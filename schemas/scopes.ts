/** Scopes of a token. Each scope includes all scopes to its left. */
export const scopes = ['read', 'check', 'manage'] as const;

export type Scope = (typeof scopes)[number];

/** Returns whether a scope includes another. */
export function includesScope(scope: Scope, needed: Scope): boolean {
  return scopes.indexOf(scope) >= scopes.indexOf(needed);
}
