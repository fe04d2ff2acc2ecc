import * as accounts from '../db/accounts/accounts.ts';
import * as tokens from '../db/accounts/tokens.ts';
import * as users from '../db/accounts/users.ts';
import * as ledger from '../db/ledger/ledger.ts';
import type { Trx } from '../db/postgres/connect.ts';
import type { SecretBox } from '../process/secret-box.ts';

export interface NewAccount {
  /** The first owner; null for an account without users. */
  user: { email: string; passwordHash: users.PasswordHash | null } | null;
  /** Credits to grant, with the note of their ledger entry. */
  credits: { amount: number; note: string };
  /** Name of the first token; null for an account without a token. */
  tokenName: string | null;
}

/** Throws EmailTakenError. */
export async function openAccount(trx: Trx, secretBox: SecretBox, { user, credits, tokenName }: NewAccount) {
  const { accountId, webhookSecret } = await accounts.create(trx, secretBox);
  const userId = user && (await users.create(trx, { accountId, ...user }));
  if (credits.amount > 0) await ledger.grant(trx, accountId, credits.amount, credits.note);
  const token = tokenName === null ? null : await tokens.issue(trx, accountId, tokenName, { userId });
  return { accountId, userId, webhookSecret, token };
}
