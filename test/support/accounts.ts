import * as accounts from '../../db/accounts/accounts.ts';
import type { Authorization } from '../../db/accounts/rights.ts';
import * as tokens from '../../db/accounts/tokens.ts';
import * as users from '../../db/accounts/users.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { type Db, inTransaction } from '../../db/postgres/connect.ts';
import type { SecretBox } from '../../process/secret-box.ts';

/** A caller with an account and a token. */
export interface TestAccount {
  accountId: number;
  token: string;
  webhookSecret: string;
}

/** An account with so many credits, its secrets sealed as the processes will open them. */
export async function openAccount(db: Db, credits: number, box: SecretBox): Promise<TestAccount> {
  const { accountId, webhookSecret } = await accounts.create(db, box);
  if (credits > 0) await inTransaction(db, (trx) => ledger.grant(trx, accountId, credits, 'test'));
  return { accountId, webhookSecret, token: await tokens.issue(db, accountId, 'test') };
}

/** Revokes a token, as an operator does. */
export async function revokeToken(db: Db, token: string): Promise<void> {
  const found = await tokens.find(db, token as tokens.PlainToken);
  if (!found) throw new Error('There is no such token.');
  await tokens.revoke(db, found.accountId, found.tokenId);
}

/** The right to everything in an account, by a new token that nobody made. */
export async function authorize(db: Db, accountId: number): Promise<Authorization> {
  const caller = await tokens.findCaller(db, await tokens.issue(db, accountId, 'authorized'));
  if (!caller) throw new Error('the account is not open');
  return { accountId, credential: caller, right: { role: 'owner', scope: 'manage' } };
}

/** Returns the number of the user with an e-mail and a password, or null. */
export async function authenticate(db: Db, email: string, password: string): Promise<number | null> {
  return (await users.findByPassword(db, email, password))?.userId ?? null;
}
