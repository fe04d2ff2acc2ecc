import { sql } from 'kysely';
import type { Act } from './act.ts';
import type { Db, Trx } from './connect.ts';
import { inPromptTransaction, sideBySide } from './prompt-transaction.ts';

/** The account is disabled, or closed for good: nothing was done for it. */
export class AccountClosedError extends Error {
  constructor(accountId: number) {
    super(`account ${accountId} is closed`);
    this.name = 'AccountClosedError';
  }
}

/**
 * Whether an account is there and open, and what it has to spend. If it is, whoever closes it for good waits for the
 * end of this transaction (`awaitHolders`); who charges it does not.
 */
export async function hold(trx: Trx, accountId: number): Promise<{ isOpen: boolean; credits: number }> {
  const { rows } = await sql<{ isOpen: boolean; credits: number }>`
    select disabled_at is null as is_open, credits from accounts
    where account_id = ${accountId} for key share`.execute(trx);
  return rows[0] ?? { isOpen: false, credits: 0 };
}

/** Waits for every transaction that holds an account open. Once it is disabled there are no others. */
export async function awaitHolders(trx: Trx, accountId: number): Promise<void> {
  await sql`select from accounts where account_id = ${accountId} for update`.execute(trx);
}

/**
 * One transaction for an account that is open until its end. What `first` asks for travels with the begin, and what
 * `last` asks for before it first waits with the commit. Throws AccountClosedError.
 */
export function inOpenAccount<T>(
  db: Db,
  accountId: number,
  act: (trx: Trx) => Promise<T>,
  { first, last }: { first?(trx: Trx): Promise<void>; last?(trx: Trx, result: T): Promise<void> } = {},
): Promise<T> {
  return inPromptTransaction(db, act, last, {
    first: (trx) => sideBySide([requireOpen(trx, accountId), first?.(trx) ?? Promise.resolve()]),
  });
}

/** Does an act for an account that is open until it is done, in a transaction of its own. Throws AccountClosedError. */
export async function performFor<T>(db: Db, accountId: number, act: Act<T>): Promise<T> {
  await act.before?.();
  return inOpenAccount(db, accountId, act.perform);
}

async function requireOpen(trx: Trx, accountId: number): Promise<void> {
  const { isOpen } = await hold(trx, accountId);
  if (!isOpen) throw new AccountClosedError(accountId);
}
