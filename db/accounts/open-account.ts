import { sql } from 'kysely';
import type { Act } from '../postgres/act.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { inPromptTransaction, sideBySide } from '../postgres/prompt-transaction.ts';
import { type Authorization, requireRight } from './rights.ts';

/** The account is disabled, or closed for good: nothing was done for it. */
export class AccountClosedError extends Error {
  constructor(accountId: number) {
    super(`account ${accountId} is closed`);
    this.name = 'AccountClosedError';
  }
}

/**
 * Whether an account is there and open. If it is, whoever closes it for good waits for the end of this transaction
 * (`awaitHolders`); who charges or disables it does not.
 */
export async function hold(trx: Trx, accountId: number): Promise<boolean> {
  const [, { rows }] = await sideBySide([
    sql`select from accounts where account_id = ${accountId} for key share`.execute(trx),
    // By a look of its own: what locks a row that nobody waits for tells of it what it saw before.
    sql`select from accounts where account_id = ${accountId} and disabled_at is null`.execute(trx),
  ]);
  return rows.length > 0;
}

/** The same for who cannot do without. Throws AccountClosedError. */
export async function requireOpen(trx: Trx, accountId: number): Promise<void> {
  if (!(await hold(trx, accountId))) throw new AccountClosedError(accountId);
}

/** Waits for every transaction that holds an account. Once it is disabled none begins to. */
export async function awaitHolders(trx: Trx, accountId: number): Promise<void> {
  await sql`select from accounts where account_id = ${accountId} for update`.execute(trx);
}

/** What else an authorized transaction does. */
interface More<T> extends Pick<Act<T>, 'takesFrom' | 'beside'> {
  /** What it asks for before it first waits travels with the commit. */
  last?: (trx: Trx, result: T) => Promise<void>;
}

/**
 * One transaction for somebody who has the right to it, in an account that is open: both were so as it began and
 * stay so until its end. Throws AccountClosedError, CredentialEndedError and MissingRightError.
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

/** Does an act in such a transaction of its own. Throws the same. */
export async function performFor<T>(db: Db, authorization: Authorization, act: Act<T>): Promise<T> {
  await act.before?.();
  return inOpenAccount(db, authorization, act.perform, act);
}

/** Only checks, before something that no transaction covers. Throws the same. */
export function checkRight(db: Db, authorization: Authorization): Promise<void> {
  return inOpenAccount(db, authorization, async () => {});
}
