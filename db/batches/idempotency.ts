import { sql } from 'kysely';
import type { Db, Trx } from '../postgres/connect.ts';

/** What an idempotency key stands for in the caller's account. */
export interface KeyRef {
  accountId: number;
  key: string;
}

/** A key that was used before within 24 hours. */
export interface KeptAnswer {
  /** SHA-256 over caller, method, path and body of the request that used it first. */
  fingerprint: Buffer;
  /** The answer to repeat, its body sealed; null while the check it started is still running. */
  answer: { status: number; body: Buffer } | null;
}

// Postgres's clock decides; a process's own may be off.
const isFresh = sql<boolean>`created_at > now() - interval '24 hours'`;

/** Null when the key is new or a day old. */
export async function find(db: Db, { accountId, key }: KeyRef): Promise<KeptAnswer | null> {
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
 * Takes the key for this transaction's request, waiting for another that is taking it. False when that other one
 * committed: nothing may be charged then. `requestId`: the single check that it starts, so that a refund frees the key.
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

/** Keeps the answer to repeat. */
export async function keep(
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

/** Frees the key of a single check whose credit goes back, in the transaction of that refund. */
export async function forget(trx: Trx, accountId: number, requestId: number): Promise<void> {
  await trx
    .deleteFrom('idempotencyKeys')
    .where('accountId', '=', accountId)
    .where('requestId', '=', requestId)
    .execute();
}
