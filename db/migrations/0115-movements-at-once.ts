import { type Kysely, sql } from 'kysely';

// Safe on a running system: the function is new, and old processes do by two statements what it does.
export async function up(db: Kysely<unknown>): Promise<void> {
  // Moves credits and writes the entry. Answers nothing, and does nothing, where the balance would fall below zero or
  // the account is not there. A waiting update reads the row anew once it has the lock, so two at once cannot spend one
  // credit twice.
  await sql`
    create function move_credits(
      account bigint, entry_kind text, by_amount bigint, of_batch uuid, of_check bigint, entry_note text,
      out entry bigint, out balance bigint
    ) language plpgsql as $$
    begin
      update accounts set credits = credits + by_amount, entries = entries + 1
      where account_id = account and credits + by_amount >= 0
      returning entries, credits into entry, balance;
      if not found then
        return;
      end if;
      insert into ledger_entries (account_id, entry_no, kind, amount, balance_after, batch_id, request_id, note)
      values (account, entry, entry_kind, by_amount, balance, of_batch, of_check, entry_note);
    end $$`.execute(db);
}
