import * as activity from '../db/accounts/activity.ts';
import { claimSignUpCredits, storePendingCredits } from '../db/accounts/user-emails.ts';
import { EmailTakenError, type PasswordHash } from '../db/accounts/users.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { type EnqueueMailDeps, enqueueMail } from '../mail/enqueue.ts';
import type { SecretBox } from '../process/secret-box.ts';
import { openAccount } from './open.ts';

export interface SignUpInput {
  email: string;
  passwordHash: PasswordHash;
  /**
   * Credits for the sign-up. They are granted when the address is confirmed. Without SMTP, they are granted
   * immediately. A network gets credits at most once a day.
   */
  credits: number;
  /** The IP address of the client; null if unknown. */
  clientAddress: string | null;
  /** The network that `clientAddress` belongs to; null if unknown. */
  network: string | null;
}

/** Opens an account and, with SMTP, mails a link to confirm the email address. Throws EmailTakenError. */
export async function signUp(
  trx: Trx,
  secretBox: SecretBox,
  deps: EnqueueMailDeps,
  { email, passwordHash, credits, clientAddress, network }: SignUpInput,
): Promise<number> {
  const needsConfirmation = deps.mail === 'smtp';
  const networkKey = network === null ? null : secretBox.mac(`network ${network}`);
  const isGranted = !needsConfirmation && credits > 0 && (await claimSignUpCredits(trx, email, networkKey));
  const atOnce = { amount: isGranted ? credits : 0, note: 'sign-up' };
  const account = { user: { email, passwordHash }, credits: atOnce, tokenName: null };
  const { accountId, userId } = await openAccount(trx, secretBox, account);
  if (userId === null) throw new EmailTakenError();
  const by = { userId, email, token: null, address: clientAddress };
  await activity.record(trx, { accountId, what: 'signed_up', by });
  if (needsConfirmation) {
    await storePendingCredits(trx, userId, { credits, networkKey });
    await enqueueMail(trx, deps, { template: 'confirm', userId, address: email });
  }
  return userId;
}
