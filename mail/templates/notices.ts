import { find } from '../../db/accounts/user-emails.ts';
import type { MailPart, Template } from '../template.ts';

/** Notifies the previous address of a user that the address was replaced. */
export const emailChanged: Template = {
  canAnyoneCause: false,
  list: null,
  compose: async ({ baseUrl }, mail) =>
    mail.address === null
      ? null
      : {
          to: mail.address,
          subject: 'Your email address was changed',
          parts: [
            {
              text: 'Your account has a new, confirmed email address. You can no longer sign in with this one.',
            },
            { small: `If it was not you, contact the operator of ${baseUrl}.` },
          ],
        },
};

export const accountDeleted: Template = {
  canAnyoneCause: false,
  list: null,
  compose: async ({ baseUrl }, mail) =>
    mail.address === null
      ? null
      : {
          to: mail.address,
          subject: 'Your account was deleted',
          parts: [
            {
              text: 'Running batches were canceled, monitors were deleted, and tokens no longer work. If you have no other account, your email address and password were deleted.',
            },
            { text: 'This is the last email about this account.' },
            { small: `If it was not you, contact the operator of ${baseUrl}.` },
          ],
        },
};

export const passwordChanged: Template = notice('Your password was changed', ({ baseUrl }) => [
  { text: 'Your account has a new password. All other sessions were ended.' },
  { small: `If it was not you, choose another password now: ${baseUrl}/forgot` },
]);

export const factorAdded: Template = notice('A second factor was added', ({ baseUrl }) => [
  {
    text: 'From now on, sign-in asks for a second factor. You can use this one. All other sessions were ended.',
  },
  {
    small: `If it was not you, choose a new password now: ${baseUrl}/forgot. Then ask the operator of ${baseUrl} to remove the factor.`,
  },
]);

export const factorRemoved: Template = notice('A second factor was removed', ({ baseUrl }) => [
  { text: 'You can no longer sign in with this factor.' },
  { small: `If it was not you, choose a new password now: ${baseUrl}/forgot` },
]);

export const recoveryCodeUsed: Template = notice('A recovery code was used', ({ baseUrl }) => [
  { text: 'Someone, probably you, signed in with a recovery code instead of the second factor.' },
  { small: `If it was not you, choose a new password now: ${baseUrl}/forgot` },
]);

function notice(subject: string, createParts: (context: { baseUrl: string }) => MailPart[]): Template {
  return {
    canAnyoneCause: false,
    list: null,
    compose: async ({ trx, baseUrl }, mail) => {
      const user = await find(trx, mail.userId ?? 0);
      return user && { to: user.email, subject, parts: createParts({ baseUrl }) };
    },
  };
}
