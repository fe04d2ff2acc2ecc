import * as accounts from '../../db/accounts/accounts.ts';
import type { Authorization } from '../../db/accounts/rights.ts';
import * as tokens from '../../db/accounts/tokens.ts';
import * as users from '../../db/accounts/users.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { type Db, inTransaction } from '../../db/postgres/connect.ts';
import type { SecretBox } from '../../process/secret-box.ts';

/** An account with a token. */
export interface TestAccount {
  accountId: number;
  token: string;
  webhookSecret: string;
}

/** Creates an account whose secrets are encrypted with `secretBox`, like those of the processes. */
export async function openAccount(db: Db, credits: number, secretBox: SecretBox): Promise<TestAccount> {
  const { accountId, webhookSecret } = await accounts.create(db, secretBox);
  if (credits > 0) await inTransaction(db, (trx) => ledger.grant(trx, accountId, credits, 'test'));
  return { accountId, webhookSecret, token: await tokens.issue(db, accountId, 'test') };
}

/** Revokes a token as an operator does. */
export async function revokeToken(db: Db, token: string): Promise<void> {
  const found = await tokens.find(db, token as tokens.PlainToken);
  if (!found) throw new Error('There is no such token.');
  await tokens.revoke(db, found.accountId, found.tokenId);
}

/** Returns an authorization for everything in an account, by a new token. */
export async function authorize(db: Db, accountId: number): Promise<Authorization> {
  const caller = await tokens.findCaller(db, await tokens.issue(db, accountId, 'authorized'));
  if (!caller) throw new Error('the account is not open');
  return { accountId, credential: caller, right: { role: 'owner', scope: 'manage' } };
}

/** Returns the id of the user with this email and password, or null. */
export async function authenticate(db: Db, email: string, password: string): Promise<number | null> {
  return (await users.findByPassword(db, email, password))?.userId ?? null;
}
