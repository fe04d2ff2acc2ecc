import { selectAccount, updateAccount } from '../accounts/accounts.ts';
import type { Db, Trx } from '../postgres/connect.ts';

/** Schedule of the mails about monitor runs of an account. */
export interface DigestSchedule {
  /** Daily time as `HH:MM`; null for a mail after each run. */
  at: string | null;
  /** IANA time zone of `at`; null if `at` is null. */
  timezone: string | null;
}

export async function find(db: Db, accountId: number): Promise<DigestSchedule> {
  return selectAccount(db, accountId).select(columns).executeTakeFirstOrThrow();
}

export async function change(
  trx: Trx,
  accountId: number,
  { at, timezone }: DigestSchedule,
): Promise<DigestSchedule> {
  return updateAccount(trx, accountId)
    .set({ digestAt: at, digestTimezone: timezone })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

const columns = ['digestAt as at', 'digestTimezone as timezone'] as const;
