import * as accounts from '../db/accounts/accounts.ts';
import * as tokens from '../db/accounts/tokens.ts';
import * as users from '../db/accounts/users.ts';
import * as ledger from '../db/ledger/ledger.ts';
import type { Trx } from '../db/postgres/connect.ts';
import type { SecretBox } from '../process/secret-box.ts';

export interface NewAccount {
  /** Its first person; null for an account that nobody signs in to yet. */
  user: { email: string; passwordHash: users.PasswordHash | null } | null;
  /** What it begins with, and what the ledger says of it. */
  credits: { amount: number; note: string };
  /** The name of a token to issue at once; null for none. */
  tokenName: string | null;
}

interface OpenedAccount {
  accountId: number;
  userId: number | null;
  webhookSecret: string;
  token: tokens.PlainToken | null;
}

/** Opens an account for the operator, a visitor who signs up, or `npm start`. Throws EmailTakenError. */
export async function open(
  trx: Trx,
  box: SecretBox,
  { user, credits, tokenName }: NewAccount,
): Promise<OpenedAccount> {
  const { accountId, webhookSecret } = await accounts.create(trx, box);
  const userId = user && (await users.create(trx, { accountId, ...user }));
  if (credits.amount > 0) await ledger.grant(trx, accountId, credits.amount, credits.note);
  const token = tokenName === null ? null : await tokens.issue(trx, accountId, tokenName, { userId });
  return { accountId, userId, webhookSecret, token };
}
