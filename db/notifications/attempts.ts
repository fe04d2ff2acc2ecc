import type { Db, Trx } from '../postgres/connect.ts';
import type { DeliveryRef } from './deliveries.ts';

/** One try at a delivery. */
export interface Attempt {
  /** From 1 on, over all rounds of the delivery. */
  attemptNo: number;
  attemptedAt: Date;
  durationMs: number;
  /** Null exactly when no HTTP answer came; `error` then says why. */
  status: number | null;
  /** Why no answer came, in a word for programs; null exactly when one did. */
  error: string | null;
}

/** How an attempt ended: with a status, or with a word why none came. */
export type AttemptResult = ({ status: number; error: null } | { status: null; error: string }) & {
  durationMs: number;
};

/** Notes an attempt that was made. The database refuses a second one of the same number. */
export async function create(
  trx: Trx,
  { accountId, eventId }: DeliveryRef,
  attemptNo: number,
  { status, error, durationMs }: AttemptResult,
): Promise<void> {
  await trx
    .insertInto('attempts')
    .values({ accountId, eventId, attemptNo, status, error, durationMs })
    .execute();
}

/** The last hundred attempts at a delivery, first to last. */
export async function list(db: Db, { accountId, eventId }: DeliveryRef): Promise<Attempt[]> {
  const newest = await db
    .selectFrom('attempts')
    .select(['attemptNo', 'attemptedAt', 'durationMs', 'status', 'error'])
    .where('accountId', '=', accountId)
    .where('eventId', '=', eventId)
    .orderBy('attemptNo', 'desc')
    .limit(100)
    .execute();
  return newest.reverse();
}
