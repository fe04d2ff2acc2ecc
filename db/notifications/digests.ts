import type { Db, Trx } from '../postgres/connect.ts';

/** When an account is told by mail what its monitors found. */
export interface Digest {
  /** Once a day at this time, as `HH:MM`; null where with each run. Moved by who owns the account. */
  at: string | null;
  /** By the clock on the wall of which zone, an IANA name; null where with each run. */
  timezone: string | null;
}

/** That of an account; with each run until somebody chooses a time. */
export async function find(db: Db | Trx, accountId: number): Promise<Digest> {
  return db
    .selectFrom('accounts')
    .select(columns)
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
}

/** Writes another, and answers it. */
export async function change(trx: Trx, accountId: number, { at, timezone }: Digest): Promise<Digest> {
  return trx
    .updateTable('accounts')
    .set({ digestAt: at, digestTimezone: timezone })
    .where('accountId', '=', accountId)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

const columns = ['digestAt as at', 'digestTimezone as timezone'] as const;
