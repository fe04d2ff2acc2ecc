import { createHmac, hkdfSync } from 'node:crypto';
import { hashKey, isKey } from '../db/accounts/random-key.ts';
import type { OptOut } from '../db/notifications/mail-addresses.ts';
import type { LinkPurpose } from '../db/notifications/mail-links.ts';

interface LinkTokenInput {
  purpose: LinkPurpose | 'invitation';
  linkId: number;
  expiresAt: Date;
}

export type LinkTokens = ReturnType<typeof createLinkTokens>;

/** Creates and reads tokens of links in mails. A token is an HMAC with a key derived from SECRET_KEY. */
export function createLinkTokens(secretKey: string | null, previousKey: string | null) {
  const sign = createSigner(secretKey ?? '');
  const signers = [sign, ...(previousKey === null ? [] : [createSigner(previousKey)])];
  return {
    /** Returns the same token for the same link. If a mail is sent again, its link does not change. */
    createToken: ({ purpose, linkId, expiresAt }: LinkTokenInput) =>
      sign(`${purpose} ${linkId} ${expiresAt.getTime()}`),
    /** Returns a token that unsubscribes a user from a mailing list of an account. The token never expires. */
    createOptOutToken: (optOut: OptOut) => `${toText(optOut)}.${sign(`opt-out ${toText(optOut)}`)}`,
    /** Returns null if the token was not signed with the current or the previous key. */
    parseOptOutToken: (token: string): OptOut | null => {
      const [, userId, accountId, list = '', signature] = optOutPattern.exec(token) ?? [];
      const optOut = { userId: Number(userId), accountId: Number(accountId), list };
      const isValid = signers.some((signWith) =>
        hashKey(signWith(`opt-out ${toText(optOut)}`)).equals(hashKey(signature ?? '')),
      );
      return isValid ? optOut : null;
    },
  };
}

const optOutPattern = /^(\d{1,15})\.(\d{1,15})\.([a-z_]{1,50})\.([\w-]{43})$/;

/** Returns null if the text does not have the format of a token. Does not check the token. */
export function parseLinkToken(text: string): string | null {
  return isKey(text) ? text : null;
}

function toText({ userId, accountId, list }: OptOut): string {
  return `${userId}.${accountId}.${list}`;
}

function createSigner(secretKey: string): (text: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'sonde mail links', 32));
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
}
