import { isOpen } from '../../db/accounts/accounts.ts';
import { hashKey } from '../../db/accounts/random-key.ts';
import { find, findByEmail, type UserEmail } from '../../db/accounts/user-emails.ts';
import * as links from '../../db/notifications/mail-links.ts';
import * as mails from '../../db/notifications/mails.ts';
import type { Trx } from '../../db/postgres/connect.ts';
import type { Template, TemplateContext } from '../template.ts';

const [resetMinutes, signInMinutes, confirmMinutes] = [30, 15, 24 * 60];

/** For a user who forgot the password. Nothing is sent to an address without a user. */
export const reset = createLinkTemplate(findOpenUser, {
  purpose: 'reset',
  lifeMinutes: resetMinutes,
  isPrinted: true,
  path: '/reset',
  subject: 'Choose a new password',
  text: 'Someone, probably you, requested a new password for this email address.',
  label: 'Choose a new password',
  note: `The link works once, within ${resetMinutes} minutes. A new password signs you out everywhere. Your tokens stay valid.`,
  small: 'If it was not you, ignore this email. Your password does not change.',
});

/** Signs a user in without a password. Also works while the address is blocked after wrong passwords. */
export const signIn = createLinkTemplate(findOpenUser, {
  purpose: 'sign_in',
  lifeMinutes: signInMinutes,
  isPrinted: true,
  path: '/sign-in/link/follow',
  subject: 'Sign in to Sonde',
  text: 'This link signs you in without your password.',
  label: 'Sign in',
  note: `The link works once, within ${signInMinutes} minutes. If you have a second factor, sign-in asks for it.`,
  small: 'If you did not request this link, ignore this email and do not forward it.',
});

export const confirm = createLinkTemplate(findUnconfirmedUser, {
  purpose: 'confirm',
  lifeMinutes: confirmMinutes,
  path: '/confirm',
  subject: 'Confirm your email address',
  text: 'Someone, probably you, created an account with this email address.',
  label: 'Confirm email address',
  note: 'The link works once, within 24 hours. You will need the password of the account.',
  small:
    'If it was not you, ignore this email. Without your confirmation, the account cannot create tokens or invite others.',
});

/** Asks for confirmation of the new address of a user. */
export const newEmail = createLinkTemplate(findUserOfNewAddress, {
  purpose: 'new_email',
  lifeMinutes: confirmMinutes,
  path: '/confirm-email',
  subject: 'Confirm your new email address',
  text: 'Someone, probably you, wants to sign in with this email address from now on.',
  label: 'Confirm new email address',
  note: 'The link works once, within 24 hours. Open it in a browser where you are signed in with your old email address.',
  small: 'If it was not you, ignore this email.',
});

/** Notifies a user that somebody tried to use their address for a new account or as a new address. */
export const addressTaken: Template = {
  canAnyoneCause: true,
  list: null,
  compose: async ({ trx, baseUrl }, mail) => {
    const user = await findOpenUser(trx, mail);
    return (
      user && {
        to: user.email,
        subject: 'You already have an account',
        parts: [
          {
            text: 'Someone, probably you, tried to use this email address for another account. You already have an account.',
          },
          { button: { label: 'Sign in', url: `${baseUrl}/sign-in` } },
          { text: `If you forgot your password, choose a new one: ${baseUrl}/forgot` },
          { small: 'If it was not you, ignore this email. We did not tell anyone that you have an account.' },
        ],
      }
    );
  },
};

interface LinkMail {
  purpose: links.LinkPurpose;
  lifeMinutes: number;
  isPrinted?: boolean;
  /** Path of the page that the link opens. */
  path: string;
  subject: string;
  text: string;
  label: string;
  note: string;
  small: string;
}

/** Creates the template of a mail with a one-time link. `findUser` returns null if the mail must not be sent. */
function createLinkTemplate(
  findUser: (trx: Trx, mail: mails.Mail) => Promise<UserEmail | null>,
  { purpose, lifeMinutes, isPrinted = false, path, subject, text, label, note, small }: LinkMail,
): Template {
  return {
    canAnyoneCause: true,
    list: null,
    isPrinted,
    compose: async (context, mail) => {
      const user = await findUser(context.trx, mail);
      if (!user) return null;
      const address = purpose === 'new_email' ? (mail.address ?? undefined) : undefined;
      const link = { purpose, userId: user.userId, address, lifeMinutes };
      const token = await issueLinkToken(context, mail, link);
      if (token === null) return null;
      const button = { label, url: `${context.baseUrl}${path}?token=${token}` };
      return { to: address ?? user.email, subject, parts: [{ text }, { button }, { text: note }, { small }] };
    },
  };
}

async function findOpenUser(trx: Trx, mail: mails.Mail): Promise<UserEmail | null> {
  const user = await findByEmail(trx, mail.address ?? '');
  return user && (await isOpen(trx, user.accountId)) ? user : null;
}

async function findUnconfirmedUser(trx: Trx, mail: mails.Mail): Promise<UserEmail | null> {
  const user = await find(trx, mail.userId ?? 0);
  return user && !user.emailConfirmedAt && user.email === mail.address ? user : null;
}

async function findUserOfNewAddress(trx: Trx, mail: mails.Mail): Promise<UserEmail | null> {
  const isFree = mail.address !== null && (await findByEmail(trx, mail.address)) === null;
  return isFree ? find(trx, mail.userId ?? 0) : null;
}

/**
 * Creates the link of a mail, and returns the token of the link. Later attempts of the mail get the same link. Returns
 * null if the link was used or replaced, or has expired.
 */
async function issueLinkToken(
  { trx, tokens }: TemplateContext,
  mail: mails.Mail,
  newLink: links.NewMailLink,
): Promise<string | null> {
  const existing = mail.ids.link_id;
  const linkId = existing === undefined ? await links.create(trx, newLink) : Number(existing);
  if (existing === undefined)
    await mails.update(trx, mail.mailId, { ids: JSON.stringify({ ...mail.ids, link_id: linkId }) });
  const link = await links.find(trx, linkId);
  if (link?.userId !== newLink.userId || link.purpose !== newLink.purpose) return null;
  const token = tokens.createToken(link);
  await links.setHash(trx, linkId, hashKey(token));
  return token;
}
