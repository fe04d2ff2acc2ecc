import { sql } from 'kysely';
import type { HashedKey } from '../accounts/random-key.ts';
import type { Db, Trx } from '../postgres/connect.ts';

export type LinkPurpose = 'confirm' | 'reset' | 'sign_in' | 'new_email';

/** An unused and unexpired link in a mail. */
export interface MailLink {
  /** Id of the link's row. The link contains a secret, not this id. */
  linkId: number;
  purpose: LinkPurpose;
  userId: number;
  /** Address that the link confirms; null for the user's current address. */
  address: string | null;
  expiresAt: Date;
}

export interface NewMailLink {
  purpose: LinkPurpose;
  userId: number;
  /** Address that the link confirms. Default: the user's current address. */
  address?: string;
  lifeMinutes: number;
}

/**
 * Creates a link without a token. Deletes the user's earlier links for this purpose. Call `setHash` before the mail is
 * sent.
 */
export async function create(
  trx: Trx,
  { purpose, userId, address, lifeMinutes }: NewMailLink,
): Promise<number> {
  await trx.deleteFrom('mailLinks').where('userId', '=', userId).where('purpose', '=', purpose).execute();
  const { linkId } = await trx
    .insertInto('mailLinks')
    .values({
      purpose,
      userId,
      address,
      expiresAt: sql<Date>`now() + ${lifeMinutes} * interval '1 minute'`,
    })
    .returning('linkId')
    .executeTakeFirstOrThrow();
  return linkId;
}

/** Returns null if the link was used, deleted or has expired. */
export async function find(db: Db, linkId: number): Promise<MailLink | null> {
  return (await fresh(db).where('linkId', '=', linkId).executeTakeFirst()) ?? null;
}

/** Sets the hash of the token that opens the link. */
export async function setHash(trx: Trx, linkId: number, hash: HashedKey): Promise<void> {
  await trx.updateTable('mailLinks').set({ hash }).where('linkId', '=', linkId).execute();
}

/** Finds a link by token. Returns null if the link is unknown, used, expired or for another purpose. */
export async function findByHash(db: Db, hash: HashedKey, purpose: LinkPurpose): Promise<MailLink | null> {
  const found = await fresh(db).where('hash', '=', hash).where('purpose', '=', purpose).executeTakeFirst();
  return found ?? null;
}

/**
 * Deletes and returns a link. Call this in the transaction of the link's effect. If two calls run at the same time, one
 * of them returns null.
 */
export async function redeem(trx: Trx, hash: HashedKey, purpose: LinkPurpose): Promise<MailLink | null> {
  const used = await trx
    .deleteFrom('mailLinks')
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where(isFresh)
    .returning(columns)
    .executeTakeFirst();
  return (used as MailLink | undefined) ?? null;
}

/** Deletes a user's links. Without `purpose`, deletes links of all purposes. */
export async function deleteAll(trx: Db, userId: number, purpose?: LinkPurpose): Promise<void> {
  await trx
    .deleteFrom('mailLinks')
    .where('userId', '=', userId)
    .$if(purpose !== undefined, (query) => query.where('purpose', '=', purpose as LinkPurpose))
    .execute();
}

const columns = ['linkId', 'purpose', 'userId', 'address', 'expiresAt'] as const;
const isFresh = sql<boolean>`expires_at > now()`;

function fresh(db: Db) {
  return db.selectFrom('mailLinks').select(columns).where(isFresh).$castTo<MailLink>();
}
