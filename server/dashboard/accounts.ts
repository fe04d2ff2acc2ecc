import * as memberships from '../../db/accounts/memberships.ts';
import type { Session } from '../../db/accounts/sessions.ts';
import type { DashboardContext } from './context.ts';

/** An account that somebody may go on in, by what tells it from the others. */
export interface AccountChoice {
  accountId: number;
  name: string;
}

/** The accounts of whoever is in several, by their first owners; none for whoever has nothing to choose. */
export async function accountChoice(
  { db }: Pick<DashboardContext, 'db'>,
  { userId }: Session,
): Promise<AccountChoice[]> {
  const all = await memberships.accountsOf(db, userId);
  if (all.length < 2) return [];
  return Promise.all(
    all.map(async ({ accountId }) => {
      const [first] = await memberships.ownersOf(db, accountId);
      return { accountId, name: `${accountId}: ${first?.email ?? 'nobody’s'}` };
    }),
  );
}
