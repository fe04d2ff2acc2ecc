import { sql } from 'kysely';
import type { HashedKey } from '../accounts/random-key.ts';
import type { Db, Trx } from '../postgres/connect.ts';

/** What a link in a mail may be for; none opens what another is for. */
export type LinkPurpose = 'confirm' | 'reset' | 'sign_in' | 'new_email';

/** A link that can still be followed; one that was used, or is void, is gone. */
export interface MailLink {
  /** Which link, for the mail that will hold it; only its hash opens anything. */
  linkId: number;
  purpose: LinkPurpose;
  /** Whose link it is. */
  userId: number;
  /** The address that it confirms; null where that is the user's own. */
  address: string | null;
  /** From when on it opens nothing; never moved. */
  expiresAt: Date;
}

/** A link as it is made, which nobody can follow yet. */
export interface NewLink {
  purpose: LinkPurpose;
  userId: number;
  /** The address that it confirms, where that is not yet the user's own. */
  address?: string;
  /** How long it can be followed, from now on. */
  lifeMinutes: number;
}

/** Makes a link that nobody can follow before its hash is known; those made before for this purpose are void. */
export async function create(trx: Trx, { purpose, userId, address, lifeMinutes }: NewLink): Promise<number> {
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

/** Null when it was used, is void or too old. */
export async function find(db: Db | Trx, linkId: number): Promise<MailLink | null> {
  return (await fresh(db).where('linkId', '=', linkId).executeTakeFirst()) ?? null;
}

/** Makes the token with this hash the one that opens the link. */
export async function setHash(trx: Trx, linkId: number, hash: HashedKey): Promise<void> {
  await trx.updateTable('mailLinks').set({ hash }).where('linkId', '=', linkId).execute();
}

/** What a link is for; null when it is unknown, used, void, too old or for something else. */
export async function findByHash(
  db: Db | Trx,
  hash: HashedKey,
  purpose: LinkPurpose,
): Promise<MailLink | null> {
  const found = await fresh(db).where('hash', '=', hash).where('purpose', '=', purpose).executeTakeFirst();
  return found ?? null;
}

/** Uses a link up, in the transaction of what it does: of two at once one gets it, the other null. */
export async function use(trx: Trx, hash: HashedKey, purpose: LinkPurpose): Promise<MailLink | null> {
  const used = await trx
    .deleteFrom('mailLinks')
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where(isFresh)
    .returning(columns)
    .executeTakeFirst();
  return (used as MailLink | undefined) ?? null;
}

/** Makes a user's links void, of one purpose or of all. */
export async function dropAll(trx: Db | Trx, userId: number, purpose?: LinkPurpose): Promise<void> {
  await trx
    .deleteFrom('mailLinks')
    .where('userId', '=', userId)
    .$if(purpose !== undefined, (query) => query.where('purpose', '=', purpose as LinkPurpose))
    .execute();
}

/** Deletes links that ended a day ago. */
export async function purge(trx: Trx, stepMax: number): Promise<number> {
  const { rows } = await sql`
    delete from mail_links where link_id in (
      select link_id from mail_links where expires_at < now() - interval '1 day' limit ${stepMax})
    returning link_id`.execute(trx);
  return rows.length;
}

const columns = ['linkId', 'purpose', 'userId', 'address', 'expiresAt'] as const;
const isFresh = sql<boolean>`expires_at > now()`;

function fresh(db: Db | Trx) {
  return db.selectFrom('mailLinks').select(columns).where(isFresh).$castTo<MailLink>();
}
