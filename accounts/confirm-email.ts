import * as accounts from '../db/accounts/accounts.ts';
import * as activity from '../db/accounts/activity.ts';
import * as invitations from '../db/accounts/invitations.ts';
import * as memberships from '../db/accounts/memberships.ts';
import * as passkeys from '../db/accounts/passkeys.ts';
import * as factors from '../db/accounts/second-factors.ts';
import * as sessions from '../db/accounts/sessions.ts';
import * as tokens from '../db/accounts/tokens.ts';
import * as addresses from '../db/accounts/user-emails.ts';
import * as users from '../db/accounts/users.ts';
import * as reportLinks from '../db/batches/report-links.ts';
import * as alerts from '../db/ledger/credit-alerts.ts';
import * as ledger from '../db/ledger/ledger.ts';
import * as monitors from '../db/monitors/monitors.ts';
import * as links from '../db/notifications/mail-links.ts';
import type { Trx } from '../db/postgres/connect.ts';
import type { SecretBox } from '../process/secret-box.ts';

/**
 * Credentials that stay valid when an email address is confirmed. `password`: only the password, which was typed after
 * the link was followed. `everything`: all credentials, because nobody else can have created them.
 */
export type KeptCredentials = 'nothing' | 'password' | 'everything';

/**
 * Marks the email address of a user as confirmed. Call this before a session begins or a password is set. Somebody else
 * may have signed up with the unconfirmed address. All earlier credentials and links are therefore revoked, except the
 * `kept` ones.
 */
export async function confirmEmail(
  trx: Trx,
  { secretBox }: { secretBox: SecretBox },
  userId: number,
  kept: KeptCredentials = 'nothing',
): Promise<{ areCredentialsRevoked: boolean }> {
  const user = (await users.lock(trx, userId)) && (await addresses.find(trx, userId));
  if (!user || user.emailConfirmedAt !== null) return { areCredentialsRevoked: false };
  const areCredentialsRevoked = kept !== 'everything';
  if (areCredentialsRevoked) await revokeCredentials(trx, secretBox, userId, kept);
  const about = areCredentialsRevoked ? 'earlier credentials and links were revoked' : undefined;
  await activity.recordForUser(trx, userId, { what: 'address_confirmed', address: null, about });
  const confirmed = await addresses.confirm(trx, userId);
  if (
    confirmed &&
    confirmed.credits > 0 &&
    (await addresses.claimSignUpCredits(trx, user.email, confirmed.networkKey))
  )
    await ledger.grant(trx, confirmed.accountId, confirmed.credits, 'sign-up');
  return { areCredentialsRevoked };
}

async function revokeCredentials(
  trx: Trx,
  secretBox: SecretBox,
  userId: number,
  kept: KeptCredentials,
): Promise<void> {
  if (kept !== 'password') await users.removePassword(trx, userId);
  await sessions.endAll(trx, userId);
  await links.deleteAll(trx, userId);
  await factors.removeAll(trx, userId);
  await passkeys.redeemChallenge(trx, userId);
  for (const { accountId } of await memberships.listAccounts(trx, userId)) {
    await tokens.revokeByUser(trx, accountId, userId);
    const members = await memberships.list(trx, accountId);
    // In a shared account, other members may have created the links.
    if (members.length === 1) await revokeAccountLinks(trx, secretBox, accountId);
  }
}

/**
 * Revokes invitations and report links, pauses monitors, disables the credit alert and replaces the webhook secret. All
 * of these could send data of the account to somebody else.
 */
async function revokeAccountLinks(trx: Trx, secretBox: SecretBox, accountId: number): Promise<void> {
  await invitations.deleteAll(trx, accountId);
  await reportLinks.deleteAll(trx, accountId);
  await monitors.pauseAllAndClearWebhooks(trx, accountId);
  await alerts.change(trx, accountId, { threshold: null, url: null });
  await accounts.replaceWebhookSecret(trx, secretBox, accountId);
}
