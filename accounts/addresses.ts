import type { Act } from '../db/act.ts';
import * as activity from '../db/activity.ts';
import type { Trx } from '../db/connect.ts';
import * as ledger from '../db/ledger.ts';
import * as links from '../db/mail-links.ts';
import { hashKey } from '../db/random-key.ts';
import { lockRights } from '../db/rights.ts';
import * as sessions from '../db/sessions.ts';
import * as addresses from '../db/user-addresses.ts';
import * as users from '../db/users.ts';
import { owe, type Post } from '../mail/owe.ts';

/** A link in a mail that no longer leads anywhere. */
export class LinkEndedError extends Error {
  constructor() {
    super(
      'This link was used before, is too old, or a newer one has taken its place. Ask for a new one where you sign in.',
    );
    this.name = 'LinkEndedError';
  }
}

/** Uses up the link that confirms an address, and grants what the account gets for it. Throws LinkEndedError. */
export function confirm(token: string): Act<number> {
  return {
    perform: async (trx) => {
      const { userId } = await use(trx, token, 'confirm');
      await noteConfirmed(trx, userId);
      return userId;
    },
  };
}

/**
 * A new password by a mailed link: ends every session and all other links, and tells the owner. The address is
 * proved by that, too, where the link came by mail. `from`: of the network. Throws LinkEndedError.
 */
export function reset(
  post: Post,
  { token, from }: { token: string; from: string | null },
  passwordHash: users.PasswordHash,
): Act<number> {
  return {
    perform: async (trx) => {
      const { userId } = await use(trx, token, 'reset');
      await users.setPasswordHash(trx, userId, passwordHash);
      await sessions.endAll(trx, userId);
      if (post.mail === 'smtp') await noteConfirmed(trx, userId);
      const about = 'by a mailed link';
      await activity.noteOfPerson(trx, userId, { what: 'password_changed', address: from, about });
      await owe(trx, post, { template: 'password_changed', userId });
      return userId;
    },
  };
}

/** Uses up the link that signs in, and answers whom. Throws LinkEndedError. */
export function signInBy(token: string): Act<number> {
  return { perform: async (trx) => (await use(trx, token, 'sign_in')).userId };
}

/**
 * Gives a user the address whose link was followed, and tells the one of before. Throws LinkEndedError, and
 * EmailTakenError when it became somebody else's meanwhile.
 */
export function changeEmail(
  post: Post,
  { token, from }: { token: string; from: string | null },
): Act<number> {
  return {
    perform: async (trx) => {
      const { userId, address } = await use(trx, token, 'new_email');
      const before = await addresses.find(trx, userId);
      if (!before || address === null) throw new LinkEndedError();
      await addresses.setEmail(trx, userId, address);
      await links.dropAll(trx, userId);
      await noteConfirmed(trx, userId);
      const about = `${before.email} to ${address}`;
      await activity.noteOfPerson(trx, userId, { what: 'address_changed', address: from, about });
      await owe(trx, post, { template: 'email_changed', address: before.email });
      return userId;
    },
  };
}

/** Notes that a user's address is theirs, and grants what their account gets for it. */
export async function noteConfirmed(trx: Trx, userId: number): Promise<void> {
  const confirmed = await addresses.confirm(trx, userId);
  if (!confirmed || confirmed.credits === 0) return;
  await ledger.grant(trx, confirmed.accountId, confirmed.credits, 'sign-up');
}

async function use(trx: Trx, token: string, purpose: links.LinkPurpose): Promise<links.MailLink> {
  // Before the link is locked: it may end the sessions of its user.
  const known = await links.findByHash(trx, hashKey(token), purpose);
  if (known) await lockRights(trx, `user ${known.userId}`);
  const link = await links.use(trx, hashKey(token), purpose);
  if (!link) throw new LinkEndedError();
  return link;
}
