import { find } from '../../db/accounts/user-addresses.ts';
import type { Part, Template } from '../template.ts';

/** To the address that was a user's until now. */
export const emailChanged: Template = {
  isUnasked: false,
  list: null,
  compose: async ({ baseUrl }, mail) =>
    mail.address === null
      ? null
      : {
          to: mail.address,
          subject: 'Your address was changed',
          parts: [
            {
              text: 'An account is no longer signed in to with this address: another was put in its place and confirmed.',
            },
            { small: `If it was not you, tell whoever runs ${baseUrl}.` },
          ],
        },
};

/** The last word to somebody whose account is gone. */
export const accountDeleted: Template = {
  isUnasked: false,
  list: null,
  compose: async ({ baseUrl }, mail) =>
    mail.address === null
      ? null
      : {
          to: mail.address,
          subject: 'Your account was deleted',
          parts: [
            {
              text: 'What was running is canceled, tokens no longer work, your address and password are erased.',
            },
            { text: 'This is the last mail about it.' },
            { small: `If it was not you, tell whoever runs ${baseUrl}.` },
          ],
        },
};

export const passwordChanged: Template = notice('Your password was changed', ({ baseUrl }) => [
  { text: 'A new password was chosen, and every other session has ended.' },
  { small: `If it was not you, choose another at once: ${baseUrl}/forgot` },
]);

export const factorAdded: Template = notice('A second factor was added', ({ baseUrl }) => [
  { text: 'From now on signing in asks for it, too. Every other session has ended.' },
  { small: `If it was not you, choose a new password at once: ${baseUrl}/forgot` },
]);

export const factorRemoved: Template = notice('A second factor was removed', ({ baseUrl }) => [
  { text: 'Signing in no longer asks for it.' },
  { small: `If it was not you, choose a new password at once: ${baseUrl}/forgot` },
]);

export const recoveryCodeUsed: Template = notice('A recovery code was used', ({ baseUrl }) => [
  { text: 'Somebody, most likely you, has signed in with a recovery code instead of the second factor.' },
  { small: `If it was not you, choose a new password at once: ${baseUrl}/forgot` },
]);

/** What a user has to know of what was done in their name. */
function notice(subject: string, partsOf: (place: { baseUrl: string }) => Part[]): Template {
  return {
    isUnasked: false,
    list: null,
    compose: async ({ trx, baseUrl }, mail) => {
      const user = await find(trx, mail.userId ?? 0);
      return user && { to: user.email, subject, parts: partsOf({ baseUrl }) };
    },
  };
}
