import { hashKey } from '../db/accounts/random-key.ts';
import * as links from '../db/notifications/mail-links.ts';
import type { Mail } from '../db/notifications/mails.ts';
import * as mails from '../db/notifications/mails.ts';
import type { Writing } from './template.ts';

/**
 * The token for a mail's link, which from now on opens it. A mail that is written again has the link of its first
 * try; null when that was used, is void or too old.
 */
export async function writeLink(
  { trx, tokens }: Writing,
  mail: Mail,
  made: links.NewLink,
): Promise<string | null> {
  const known = mail.ids.link_id;
  const linkId = known === undefined ? await links.create(trx, made) : Number(known);
  if (known === undefined)
    await mails.update(trx, mail.mailId, { ids: JSON.stringify({ ...mail.ids, link_id: linkId }) });
  const link = await links.find(trx, linkId);
  if (link?.userId !== made.userId || link.purpose !== made.purpose) return null;
  const token = tokens.tokenOf(link);
  await links.setHash(trx, linkId, hashKey(token));
  return token;
}
