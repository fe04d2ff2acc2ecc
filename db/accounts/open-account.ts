import { sql } from 'kysely';
import { type Db, inTransaction, type Trx } from '../postgres/connect.ts';
import { type Authorization, type RightsOf, requireRight } from './rights.ts';

/** The account is disabled or closed, so nothing was done for it. */
export class AccountClosedError extends Error {
  constructor(accountId: number) {
    super(`account ${accountId} is closed`);
    this.name = 'AccountClosedError';
  }
}

/**
 * Runs a transaction in an open account with a required right. Neither changes until it ends. `takesFrom` names the
 * rights that it takes away. Throws AccountClosedError, CredentialEndedError and MissingRightError.
 */
export function inOpenAccount<T>(
  db: Db,
  authorization: Authorization,
  act: (trx: Trx) => Promise<T>,
  { takesFrom = [] }: { takesFrom?: readonly RightsOf[] | undefined } = {},
): Promise<T> {
  return inTransaction(db, async (trx) => {
    const { isOpen } = await requireRight(trx, authorization, takesFrom);
    if (!isOpen) throw new AccountClosedError(authorization.accountId);
    return act(trx);
  });
}

/** Checks a right before work outside of a transaction. Throws the same errors. */
export function checkRight(db: Db, authorization: Authorization): Promise<void> {
  return inOpenAccount(db, authorization, async () => {});
}

/**
 * Returns whether an account is open. While this transaction lasts, closing the account for good waits
 * (`awaitHolders`); charging or disabling it does not.
 */
export async function hold(trx: Trx, accountId: number): Promise<boolean> {
  const { rows } = await sql<{ isOpen: boolean }>`select hold_account(${accountId}) as is_open`.execute(trx);
  return rows[0]?.isOpen ?? false;
}

/** Throws AccountClosedError unless `hold` succeeds. */
export async function requireOpen(trx: Trx, accountId: number): Promise<void> {
  if (!(await hold(trx, accountId))) throw new AccountClosedError(accountId);
}

/** Waits for every transaction that holds an account. New ones fail, because the account is disabled. */
export async function awaitHolders(trx: Trx, accountId: number): Promise<void> {
  await sql`select from accounts where account_id = ${accountId} for update`.execute(trx);
}
