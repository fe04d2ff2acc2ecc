import { sql } from 'kysely';
import type { Trx } from '../postgres/connect.ts';
import { type LedgerStretch, stretchTable } from './ledger-checks.ts';

/**
 * What was written to ledgers since a moment, and before that by accounts that have a mark: for each account the
 * entries after its mark, or else the first of that time.
 */
export async function unverified(trx: Trx, since: Date): Promise<LedgerStretch[]> {
  const { rows } = await sql<LedgerStretch>`
    select touched.account_id, coalesce(mark.entry_no, first_no - 1) as from_no, entries as to_no
    from (
      select account_id, min(entry_no) as first_no from ledger_entries
      where created_at >= ${since} group by account_id) as touched
    join accounts using (account_id)
    left join ledger_marks as mark using (account_id)`.execute(trx);
  return rows;
}

/** Moves marks to the ends of stretches; never back. */
export async function advance(trx: Trx, stretches: LedgerStretch[]): Promise<void> {
  await sql`
    insert into ledger_marks (account_id, entry_no, balance)
    select entry.account_id, entry_no, balance_after
    from ${stretchTable(stretches)}
    join ledger_entries as entry on entry.account_id = stretch.account_id and entry_no = to_no
    on conflict (account_id) do update
    set entry_no = excluded.entry_no, balance = excluded.balance, verified_at = excluded.verified_at
    where ledger_marks.entry_no < excluded.entry_no`.execute(trx);
}
