import { type Kysely, sql } from 'kysely';

// Safe on a running system: a new function only. Old processes go on recording by statements of their own, which take
// the same locks in the same order.
export async function up(db: Kysely<unknown>): Promise<void> {
  // Records outcomes of a batch in one call, where its account is: inserts those that are new, counts them against
  // their chunks and the batch, gives the credits of the failed ones back, ends the batch with its last one. Null when
  // there is no such batch or it has ended. Chunks and the words that an answer adds one to in the summary come as
  // lists beside the ids of their items, for the JSON is long and read once.
  await sql`
    create function record_outcomes(of_account bigint, of_batch uuid, outcomes json, request_ids bigint[],
      of_chunks bigint[], tallied_ids bigint[], tallied_words text[], is_canceled boolean)
    returns json language plpgsql as $$
    declare
      batch batches;
      new_id bigint;
      new_state text;
      ids bigint[] := '{}';
      failures integer := 0;
      chunk_ids bigint[];
      chunk_counts integer[];
      tallies jsonb;
      new_status text;
      ended timestamptz;
      is_over boolean;
      balance bigint;
      entry bigint;
    begin
      select * into batch from batches
      where account_id = of_account and batch_id = of_batch for no key update;
      if not found or batch.completed_at is not null then
        return null;
      end if;

      -- Joined with the account, as a cluster wants it.
      for new_id, new_state in
        insert into items (account_id, request_id, batch_id, position, type, state, input, outcome, error)
        select accounts.account_id, request_id, of_batch, position, batch.type, state, input, outcome, error
        from accounts cross join json_to_recordset(outcomes)
          as item (request_id bigint, position int, state text, input json, outcome json, error text)
        where accounts.account_id = of_account
        on conflict do nothing
        returning request_id, state
      loop
        ids := ids || new_id;
        failures := failures + (new_state = 'failed')::int;
      end loop;

      select array_agg(chunk_id), array_agg(items) into chunk_ids, chunk_counts from (
        select chunk_id, count(*) as items from unnest(request_ids, of_chunks) as item (request_id, chunk_id)
        where request_id = any(ids) group by chunk_id) as counted;
      update chunks set settled = settled + counted.items
      from unnest(chunk_ids, chunk_counts) as counted (chunk_id, items)
      where account_id = of_account and chunks.chunk_id = counted.chunk_id;

      select jsonb_object_agg(word, items + coalesce((batch.summary->>word)::int, 0)) into tallies from (
        select word, count(*) as items from unnest(tallied_ids, tallied_words) as item (request_id, word)
        where request_id = any(ids) group by word) as counted;

      batch.successful := batch.successful + cardinality(ids) - failures;
      batch.failed := batch.failed + failures;
      is_over := batch.successful + batch.failed = batch.total;
      ended := case when is_over then now() end;
      new_status := case
        when not is_over then case when batch.started_at is null then 'pending' else 'processing' end
        when batch.failed = 0 then 'completed'
        when batch.successful = 0 then 'failed'
        else 'partial' end;
      batch.canceled_at := case when is_canceled then now() end;
      update batches set successful = batch.successful, failed = batch.failed, status = new_status,
        summary = batch.summary || coalesce(tallies, '{}'), completed_at = ended, canceled_at = batch.canceled_at
      where account_id = of_account and batch_id = of_batch;

      if failures > 0 then
        update accounts set credits = credits + failures, entries = entries + 1
        where account_id = of_account returning credits, entries into balance, entry;
        insert into ledger_entries (account_id, entry_no, kind, amount, balance_after, batch_id)
        values (of_account, entry, 'refund', failures, balance, of_batch);
      end if;
      return json_build_object('ids', ids, 'type', batch.type, 'successful', batch.successful, 'isOver', is_over,
        'options', batch.options, 'webhookUrl', batch.webhook_url);
    end $$`.execute(db);
}
