import { sql } from 'kysely';
import type { Db, Trx } from '../postgres/connect.ts';

export interface KeyRef {
  accountId: number;
  key: string;
}

/** A key that was used in the last 24 hours. */
interface StoredResponse {
  /** SHA-256 of caller, method, path and body of the first request. */
  fingerprint: Buffer;
  /** Response to repeat, with an encrypted body; null until the first request has ended. */
  answer: { status: number; body: Buffer } | null;
}

const isFresh = sql<boolean>`created_at > now() - interval '24 hours'`;

/** Returns null if the key is new or older than 24 hours. */
export async function find(db: Db, { accountId, key }: KeyRef): Promise<StoredResponse | null> {
  const row = await db
    .selectFrom('idempotencyKeys')
    .select(['fingerprint', 'status', 'body'])
    .where('accountId', '=', accountId)
    .where('key', '=', key)
    .where(isFresh)
    .executeTakeFirst();
  if (!row) return null;
  const { fingerprint, status, body } = row;
  return { fingerprint, answer: status === null || body === null ? null : { status, body } };
}

/**
 * Claims the key for a request. Waits for another transaction that claims the same key. Returns false if the key is in
 * use. The caller must then charge nothing. `requestId` is the single check of the request, if any. The refund of this
 * check deletes the key.
 */
export async function claim(
  trx: Trx,
  { accountId, key }: KeyRef,
  fingerprint: Buffer,
  requestId: number | null,
): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys (account_id, key, fingerprint, request_id)
    values (${accountId}, ${key}, ${fingerprint}, ${requestId})
    on conflict (account_id, key) do update
      set fingerprint = excluded.fingerprint, created_at = excluded.created_at,
        request_id = excluded.request_id, status = null, body = null
      where excluded.created_at - idempotency_keys.created_at >= interval '24 hours'
    returning key`.execute(trx);
  return rows.length > 0;
}

export async function saveResponse(
  trx: Trx,
  { accountId, key }: KeyRef,
  answer: { status: number; body: Buffer },
): Promise<void> {
  await trx
    .updateTable('idempotencyKeys')
    .set(answer)
    .where('accountId', '=', accountId)
    .where('key', '=', key)
    .execute();
}

/** Deletes the key of a single check. Call this in the transaction of the check's refund. */
export async function remove(trx: Trx, accountId: number, requestId: number): Promise<void> {
  await trx
    .deleteFrom('idempotencyKeys')
    .where('accountId', '=', accountId)
    .where('requestId', '=', requestId)
    .execute();
}
