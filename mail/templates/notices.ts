import { find } from '../../db/accounts/user-emails.ts';
import type { Mail } from '../../db/notifications/mails.ts';
import type { Trx } from '../../db/postgres/connect.ts';
import type { MailPart, Template } from '../template.ts';

/** Notifies the previous address of a user that the address was replaced. */
export const emailChanged = createNotice(getAddress, 'Your email address was changed', (baseUrl) => [
  {
    text: 'Your account has a new, confirmed email address. You can no longer sign in with this email address.',
  },
  { small: `If it was not you, contact the operator of ${baseUrl}.` },
]);

export const accountDeleted = createNotice(getAddress, 'Your account was deleted', (baseUrl) => [
  {
    text: 'Running batches were canceled, monitors were deleted, and tokens no longer work. If you have no other account, your email address and password were deleted.',
  },
  { text: 'This is the last email about this account.' },
  { small: `If it was not you, contact the operator of ${baseUrl}.` },
]);

export const passwordChanged = createNotice(findUserAddress, 'Your password was changed', (baseUrl) => [
  { text: 'Your account has a new password. All other sessions were ended.' },
  { small: `If it was not you, choose another password now: ${baseUrl}/forgot` },
]);

export const factorAdded = createNotice(findUserAddress, 'A second factor was added', (baseUrl) => [
  {
    text: 'From now on, sign-in asks for this second factor, or for another that you have added. All other sessions were ended.',
  },
  {
    small: `If it was not you, choose a new password now: ${baseUrl}/forgot. Then ask the operator of ${baseUrl} to remove the factor.`,
  },
]);

export const factorRemoved = createNotice(findUserAddress, 'A second factor was removed', (baseUrl) => [
  { text: 'You can no longer sign in with this factor.' },
  { small: `If it was not you, choose a new password now: ${baseUrl}/forgot` },
]);

export const recoveryCodeUsed = createNotice(findUserAddress, 'A recovery code was used', (baseUrl) => [
  { text: 'Someone, probably you, signed in with a recovery code instead of the second factor.' },
  { small: `If it was not you, choose a new password now: ${baseUrl}/forgot` },
]);

/** Creates the template of a security notice. The notice is not sent if there is no address. */
function createNotice(
  findTo: (trx: Trx, mail: Mail) => Promise<string | null>,
  subject: string,
  createParts: (baseUrl: string) => MailPart[],
): Template {
  return {
    canAnyoneCause: false,
    list: null,
    compose: async ({ trx, baseUrl }, mail) => {
      const to = await findTo(trx, mail);
      return to === null ? null : { to, subject, parts: createParts(baseUrl) };
    },
  };
}

async function getAddress(_trx: Trx, { address }: Mail): Promise<string | null> {
  return address;
}

async function findUserAddress(trx: Trx, { userId }: Mail): Promise<string | null> {
  return (await find(trx, userId ?? 0))?.email ?? null;
}
