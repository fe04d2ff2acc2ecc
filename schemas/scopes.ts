/** How far a token goes, each scope within the next. */
export const scopes = ['read', 'check', 'manage'] as const;

export type Scope = (typeof scopes)[number];

/** Whether a scope goes as far as another. */
export function reaches(scope: Scope, needed: Scope): boolean {
  return scopes.indexOf(scope) >= scopes.indexOf(needed);
}
