import * as activity from '../db/accounts/activity.ts';
import * as memberships from '../db/accounts/memberships.ts';
import * as tokens from '../db/accounts/tokens.ts';
import type { Act } from '../db/postgres/act.ts';
import type { Db } from '../db/postgres/connect.ts';
import type { MailMode } from '../mail/owe.ts';
import { Refused } from '../process/refused.ts';
import type { Allowance } from './allowance.ts';
import { requireProof } from './proof.ts';

/** How many tokens of an account may be valid at once. */
export const tokensMax = 100;

export interface TokenOrder {
  accountId: number;
  name: string;
  rights: tokens.TokenRights;
  by: activity.Actor;
}

export interface MadeToken {
  token: tokens.PlainToken;
  summary: tokens.TokenSummary;
}

/** Creates a token and returns it in plain text, which is not stored. */
export function makeToken(
  { allowance, mail }: { allowance: Allowance; mail: MailMode },
  { accountId, name, rights, by }: TokenOrder,
): Act<MadeToken> {
  return {
    // The token, and the activity of its creation and its end.
    before: () => allowance.take(accountId, { keptRows: 3 }),
    perform: async (trx) => {
      // A token would outlive a new password by which the holder of the address takes the account over.
      await requireProof(trx, { mail }, by.userId, 'make tokens');
      if ((await tokens.countValid(trx, accountId)) >= tokensMax) {
        throw new Refused('too_many_tokens', `There are ${tokensMax} tokens. Revoke one first.`);
      }
      const token = await tokens.issue(trx, accountId, name, { ...rights, userId: by.userId });
      const [summary] = await tokens.list(trx, accountId);
      if (!summary) throw new Error('a token that was made is not there');
      await activity.note(trx, { accountId, what: 'token_made', by, about: name });
      return { token, summary };
    },
  };
}

/**
 * Revokes a token and returns it. Owners, and tokens that the operator made, can revoke any token of the account;
 * others only their own.
 */
export function revokeToken(
  db: Db,
  { accountId, tokenId, by }: { accountId: number; tokenId: number; by: activity.Actor },
): Act<tokens.TokenSummary> {
  return {
    before: async () => {
      // Before its rights are locked: nobody can lock those of a token in another account.
      if (!(await tokens.list(db, accountId)).some((token) => token.tokenId === tokenId)) throw noSuchToken();
    },
    takesFrom: [`token ${tokenId}`],
    perform: async (trx) => {
      const maker = by.userId === null ? null : await memberships.find(trx, accountId, by.userId);
      const isOwner = by.userId === null || maker?.role === 'owner';
      const mine = isOwner ? undefined : (by.userId ?? 0);
      const own = (await tokens.list(trx, accountId, mine)).find((token) => token.tokenId === tokenId);
      if (!own) throw noSuchToken();
      if (own.revokedAt) return own;
      await tokens.revoke(trx, accountId, tokenId);
      await activity.note(trx, { accountId, what: 'token_revoked', by, about: own.name });
      return { ...own, revokedAt: new Date() };
    },
  };
}

function noSuchToken(): Refused {
  return new Refused('not_found', 'There is no such token in your account.');
}
