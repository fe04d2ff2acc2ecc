import { createHmac, hkdfSync } from 'node:crypto';
import { hashKey, isKey } from '../db/accounts/random-key.ts';
import type { OptOut } from '../db/notifications/mail-addresses.ts';
import type { LinkPurpose } from '../db/notifications/mail-links.ts';

/** What a token is made of. */
export interface Link {
  purpose: LinkPurpose | 'invitation';
  linkId: number;
  expiresAt: Date;
}

/** Makes what stands in links of mails, from SECRET_KEY. */
export interface LinkTokens {
  /** The same whenever it is made, so that a mail that is sent again has the link that it had. */
  tokenOf(link: Link): string;
  /** What ends the mails of a list about an account for one person; it never ends. */
  optOutToken(optOut: OptOut): string;
  /** Null when it is none of ours, by the key of today or by the one before. */
  readOptOut(token: string): OptOut | null;
}

export function createLinkTokens(secretKey: string | null, previousKey: string | null): LinkTokens {
  const sign = signer(secretKey ?? '');
  const signers = [sign, ...(previousKey === null ? [] : [signer(previousKey)])];
  return {
    tokenOf: ({ purpose, linkId, expiresAt }) => sign(`${purpose} ${linkId} ${expiresAt.getTime()}`),
    optOutToken: (optOut) => `${plainOf(optOut)}.${sign(`opt-out ${plainOf(optOut)}`)}`,
    readOptOut: (token) => {
      const [, userId, accountId, list = '', signature] = optOutForm.exec(token) ?? [];
      const optOut = { userId: Number(userId), accountId: Number(accountId), list };
      const isOurs = signers.some((made) =>
        hashKey(made(`opt-out ${plainOf(optOut)}`)).equals(hashKey(signature ?? '')),
      );
      return isOurs ? optOut : null;
    },
  };
}

const optOutForm = /^(\d{1,15})\.(\d{1,15})\.([a-z_]{1,50})\.([\w-]{43})$/;

/** A text that could stand in a link, or null. */
export function parseLinkToken(text: string): string | null {
  return isKey(text) ? text : null;
}

function plainOf({ userId, accountId, list }: OptOut): string {
  return `${userId}.${accountId}.${list}`;
}

function signer(secretKey: string): (text: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'sonde mail links', 32));
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
}
