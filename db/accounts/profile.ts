import type { Db, Trx } from '../postgres/connect.ts';

/** Name and time zone that reports of an account show. */
export interface AccountProfile {
  /** Null if it was not set. */
  name: string | null;
  /** IANA time zone; null for UTC. */
  timezone: string | null;
}

export const accountNameLengthMax = 100;

export function find(db: Db, accountId: number): Promise<AccountProfile> {
  return db
    .selectFrom('accounts')
    .select(['name', 'timezone'])
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
}

export async function change(trx: Trx, accountId: number, profile: AccountProfile): Promise<void> {
  await trx.updateTable('accounts').set(profile).where('accountId', '=', accountId).execute();
}
