import { sql } from 'kysely';
import { isOpen } from '../accounts/accounts.ts';
import { hashKey, isKey, randomKey } from '../accounts/random-key.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import type { BatchRef } from './batches.ts';

declare const plain: unique symbol;
/** Secret in a link: 256 random bits. It is shown once. Only a hash of it is stored. */
type ReportKey = string & { readonly [plain]: true };

/** Maximum number of valid links of an account. */
export const linksMax = 100;

/** Creates a link to a batch. Returns null if the account has reached `linksMax`. Deletes expired links. */
export async function create(
  db: Db,
  ref: BatchRef & { userId?: number },
  days: number,
): Promise<ReportKey | null> {
  await db.deleteFrom('reportLinks').where(sql<boolean>`expires_at <= now()`).execute();
  const key = randomKey() as ReportKey;
  const { rows } = await sql`
    insert into report_links (hash, account_id, batch_id, user_id, expires_at)
    select ${hashKey(key)}, ${ref.accountId}, ${ref.batchId}, ${ref.userId ?? null}::bigint, now() + ${days} * interval '1 day'
    where (select count(*) from report_links where account_id = ${ref.accountId}) < ${linksMax}
    returning link_id`.execute(db);
  return rows.length > 0 ? key : null;
}

/** Returns null for a text that cannot be a key. */
export function parseKey(text: unknown): ReportKey | null {
  return isKey(text) ? (text as ReportKey) : null;
}

/** Finds a link. Returns null if the link is unknown, expired or revoked, or the account is disabled. */
export async function find(db: Db, key: ReportKey): Promise<(BatchRef & { linkId: number }) | null> {
  const link = await db
    .selectFrom('reportLinks')
    .select(['linkId', 'accountId', 'batchId'])
    .where('hash', '=', hashKey(key))
    .where(sql<boolean>`expires_at > now()`)
    .executeTakeFirst();
  return link && (await isOpen(db, link.accountId)) ? link : null;
}

/** Returns the valid links to a batch, newest first. */
export function list(db: Db, { accountId, batchId }: BatchRef) {
  return db
    .selectFrom('reportLinks')
    .select(['linkId', 'createdAt', 'expiresAt'])
    .where('accountId', '=', accountId)
    .where('batchId', '=', batchId)
    .where(sql<boolean>`expires_at > now()`)
    .orderBy('linkId', 'desc')
    .execute();
}

/** Revokes a link. Returns false if the batch has no such link. */
export async function revoke(db: Db, { accountId, batchId }: BatchRef, linkId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('reportLinks')
    .where('accountId', '=', accountId)
    .where('batchId', '=', batchId)
    .where('linkId', '=', linkId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Revokes the links that a person created. Returns the number of links that had not expired. */
export async function revokeByUser(trx: Trx, accountId: number, userId: number): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('reportLinks')
    .where('accountId', '=', accountId)
    .where('userId', '=', userId)
    .where(sql<boolean>`expires_at > now()`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export async function deleteAll(trx: Trx, accountId: number): Promise<void> {
  await trx.deleteFrom('reportLinks').where('accountId', '=', accountId).execute();
}
