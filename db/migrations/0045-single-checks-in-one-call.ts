import { type Kysely, sql } from 'kysely';

// Safe on a running system: new functions only, which old processes do not call.
export async function up(db: Kysely<unknown>): Promise<void> {
  // Charges a single check and notes it as a chunk of one. No balance: too few credits, and nothing is written. Under
  // read committed each statement of a function sees what was committed before it, so in_flight, counted after the
  // account row was waited for, is exact.
  await sql`
    create function begin_single_check(
      account bigint, check_id bigint, check_type text, check_inputs json, out balance bigint, out in_flight integer
    ) language plpgsql as $$
    declare
      entry bigint;
    begin
      update accounts set credits = credits - 1, entries = entries + 1
      where account_id = account and credits >= 1
      returning credits, entries into balance, entry;
      if not found then
        return;
      end if;
      insert into ledger_entries (account_id, entry_no, kind, amount, balance_after, request_id)
      values (account, entry, 'charge', -1, balance, check_id);
      insert into chunks (account_id, chunk_id, type, size, inputs)
      values (account, check_id, check_type, 1, check_inputs);
      select count(*) into in_flight from chunks
      where account_id = account and batch_id is null and settled < size;
    end $$`.execute(db);

  // Settles a single check with its answer, and tells the balance and the moment of that. One that was settled
  // before is an error, so that whatever is sent with it fails, too.
  await sql`
    create function answer_single_check(
      account bigint, check_id bigint, check_type text, check_input json, answer json,
      out balance bigint, out moment timestamptz
    ) language plpgsql as $$
    begin
      update chunks set settled = 1 where account_id = account and chunk_id = check_id and settled = 0;
      if not found then
        raise exception 'single check % is settled', check_id using errcode = 'SE001';
      end if;
      insert into items (account_id, request_id, type, state, input, outcome)
      values (account, check_id, check_type, 'success', check_input, answer);
      select credits, now() into balance, moment from accounts where account_id = account;
    end $$`.execute(db);
}
