import { type Kysely, sql } from 'kysely';

// Safe on a running system: of an open account the functions do what they did. An old process that is told nothing of a
// closed one answers that its credits do not suffice.
export async function up(db: Kysely<unknown>): Promise<void> {
  // As before; begins nothing for an account that is closed by the time its row is locked.
  await sql`
    create or replace function begin_single_check(
      account bigint, check_id bigint, check_type text, check_inputs json, out balance bigint, out in_flight integer
    ) language plpgsql as $$
    declare
      entry bigint;
      a_day constant bigint := 86400 * 10000;
    begin
      update accounts set credits = credits - 1, entries = entries + 1
      where account_id = account and credits >= 1 and disabled_at is null
      returning credits, entries into balance, entry;
      if not found then
        return;
      end if;
      insert into ledger_entries (account_id, entry_no, kind, amount, balance_after, request_id)
      values (account, entry, 'charge', -1, balance, check_id);
      insert into chunks (account_id, chunk_id, type, size, inputs)
      values (account, check_id, check_type, 1, check_inputs);
      select count(*) into in_flight from chunks
      where account_id = account and batch_id is null and settled < size and not is_test
        and chunk_id between check_id - a_day and check_id + a_day;
    end $$`.execute(db);

  await sql`
    create or replace function begin_test_check(
      account bigint, check_id bigint, check_type text, check_inputs json, out balance bigint, out in_flight integer
    ) language plpgsql as $$
    declare
      a_day constant bigint := 86400 * 10000;
    begin
      select credits into balance from accounts
      where account_id = account and disabled_at is null for no key update;
      if not found then
        return;
      end if;
      insert into chunks (account_id, chunk_id, type, size, inputs, is_test)
      values (account, check_id, check_type, 1, check_inputs, true);
      select count(*) into in_flight from chunks
      where account_id = account and batch_id is null and settled < size and is_test
        and chunk_id between check_id - a_day and check_id + a_day;
    end $$`.execute(db);
}
