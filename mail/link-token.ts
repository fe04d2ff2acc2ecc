import { hashKey } from '../db/accounts/random-key.ts';
import * as links from '../db/notifications/mail-links.ts';
import type { Mail } from '../db/notifications/mails.ts';
import * as mails from '../db/notifications/mails.ts';
import type { TemplateContext } from './template.ts';

/**
 * Creates the link of a mail, and returns the token of the link. Later attempts of the mail get the same link. Returns
 * null if the link was used or replaced, or has expired.
 */
export async function issueLinkToken(
  { trx, tokens }: TemplateContext,
  mail: Mail,
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
