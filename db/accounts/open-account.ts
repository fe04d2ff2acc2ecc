import { sql } from 'kysely';
import { type Db, inTransaction, type Trx } from '../postgres/connect.ts';
import { AccountClosedError, type Authorization, type RightsHolder, requireRight } from './rights.ts';

/**
 * Checks that the account is open and that the credential has the right. Then calls `run` in the same transaction.
 * Until the transaction ends, the right cannot be revoked and the account cannot be closed permanently. `revokesFrom`
 * must list the holders whose rights `run` revokes. Throws AccountClosedError, CredentialEndedError and
 * MissingRightError.
 */
export function inOpenAccount<T>(
  db: Db,
  authorization: Authorization,
  run: (trx: Trx) => Promise<T>,
  { revokesFrom = [] }: { revokesFrom?: readonly RightsHolder[] | undefined } = {},
): Promise<T> {
  return inTransaction(db, async (trx) => {
    await requireRight(trx, authorization, revokesFrom);
    return run(trx);
  });
}

/** Checks a right. Call this before work outside of a transaction. Throws the same errors as `inOpenAccount`. */
export function checkRight(db: Db, authorization: Authorization): Promise<void> {
  return inOpenAccount(db, authorization, async () => {});
}

/**
 * Returns whether an account is open. Until the transaction ends, the account cannot be closed permanently. The lock
 * does not block concurrent charges.
 */
export async function lockOpenAccount(trx: Trx, accountId: number): Promise<boolean> {
  const { rows } = await sql<{ isOpen: boolean }>`select keep_account_open(${accountId}) as is_open`.execute(
    trx,
  );
  return rows[0]?.isOpen ?? false;
}

/** Locks an account like `lockOpenAccount`. Throws AccountClosedError if the account is not open. */
export async function requireOpen(trx: Trx, accountId: number): Promise<void> {
  if (!(await lockOpenAccount(trx, accountId))) throw new AccountClosedError(accountId);
}

/** Waits for all transactions that called `lockOpenAccount`. Later transactions see that the account is disabled. */
export async function waitForOpenTransactions(trx: Trx, accountId: number): Promise<void> {
  await sql`select from accounts where account_id = ${accountId} for update`.execute(trx);
}
