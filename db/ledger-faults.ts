import { sql } from 'kysely';
import type { Db, Trx } from './connect.ts';
import type { Fault } from './ledger-checks.ts';

/** Faults that are not known to be mended, those found first in front; at most `limit`. */
export async function list(db: Db | Trx, limit: number): Promise<Fault[]> {
  const rows = await db
    .selectFrom('ledgerFaults')
    .select(['accountId', 'what', 'subject', 'expected', 'found', 'note'])
    .orderBy('foundAt')
    .orderBy('accountId')
    .orderBy('what')
    .orderBy('subject')
    .limit(limit)
    .execute();
  return rows.map(({ what, subject, note, ...numbers }) => ({
    ...numbers,
    what: what as Fault['what'],
    subject,
    ...(what.startsWith('batch_') ? { batchId: subject } : {}),
    ...(note === null ? {} : { note }),
  }));
}

/** Whether there is any. */
export async function areThere(db: Db): Promise<boolean> {
  return (await list(db, 1)).length > 0;
}

/** Keeps what was found; of what is known already the numbers of today. */
export async function keep(trx: Trx, faults: Fault[]): Promise<void> {
  const rows = faults.map(({ accountId, what, subject, expected, found, note }) => ({
    accountId,
    what,
    subject,
    expected,
    found,
    note: note ?? null,
  }));
  if (rows.length === 0) return;
  await trx
    .insertInto('ledgerFaults')
    .values(rows)
    .onConflict((known) =>
      known.columns(['accountId', 'what', 'subject']).doUpdateSet((eb) => ({
        expected: eb.ref('excluded.expected'),
        found: eb.ref('excluded.found'),
        note: eb.ref('excluded.note'),
      })),
    )
    .execute();
}

/** Forgets what has been mended. */
export async function forget(trx: Trx, mended: Fault[]): Promise<void> {
  for (const { accountId, what, subject } of mended) {
    await sql`delete from ledger_faults
      where account_id = ${accountId} and what = ${what} and subject = ${subject}`.execute(trx);
  }
}
