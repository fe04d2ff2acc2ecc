import { sql } from 'kysely';
import type { Act } from '../postgres/act.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { inPromptTransaction, sideBySide } from '../postgres/prompt-transaction.ts';
import { type Authorization, requireRight } from './rights.ts';

/** The account is disabled or closed, so nothing was done for it. */
export class AccountClosedError extends Error {
  constructor(accountId: number) {
    super(`account ${accountId} is closed`);
    this.name = 'AccountClosedError';
  }
}

/**
 * Returns whether an account is open. While this transaction lasts, closing the account for good waits
 * (`awaitHolders`); charging or disabling it does not.
 */
export async function hold(trx: Trx, accountId: number): Promise<boolean> {
  const [, { rows }] = await sideBySide([
    sql`select from accounts where account_id = ${accountId} for key share`.execute(trx),
    // A second statement: the first may return the row as it was before it waited.
    sql`select from accounts where account_id = ${accountId} and disabled_at is null`.execute(trx),
  ]);
  return rows.length > 0;
}

/** Throws AccountClosedError unless `hold` succeeds. */
export async function requireOpen(trx: Trx, accountId: number): Promise<void> {
  if (!(await hold(trx, accountId))) throw new AccountClosedError(accountId);
}

/** Waits for every transaction that holds an account. New ones fail, because the account is disabled. */
export async function awaitHolders(trx: Trx, accountId: number): Promise<void> {
  await sql`select from accounts where account_id = ${accountId} for update`.execute(trx);
}

/** Optional parts of an authorized transaction. */
interface More<T> extends Pick<Act<T>, 'takesFrom' | 'beside'> {
  /** Runs last. Statements that it sends before it first waits travel with the commit. */
  last?: (trx: Trx, result: T) => Promise<void>;
}

/**
 * Runs a transaction in an open account with a required right. Neither changes until it ends. Throws
 * AccountClosedError, CredentialEndedError and MissingRightError.
 */
export function inOpenAccount<T>(
  db: Db,
  authorization: Authorization,
  act: (trx: Trx) => Promise<T>,
  { last, takesFrom, beside = async () => {} }: More<T> = {},
): Promise<T> {
  const first = (trx: Trx) =>
    sideBySide([
      requireRight(trx, authorization, takesFrom),
      requireOpen(trx, authorization.accountId),
      beside(trx),
    ]);
  return inPromptTransaction(db, act, last, { first });
}

/** Runs an act in such a transaction. Throws the same errors. */
export async function performFor<T>(db: Db, authorization: Authorization, act: Act<T>): Promise<T> {
  await act.before?.();
  return inOpenAccount(db, authorization, act.perform, act);
}

/** Checks a right before work outside of a transaction. Throws the same errors. */
export function checkRight(db: Db, authorization: Authorization): Promise<void> {
  return inOpenAccount(db, authorization, async () => {});
}
