-- Records outcomes of a batch in one call. Inserts the new items, and counts them in their chunks and in the batch.
-- Refunds failed items, and AI Overviews that were not shown or could not be read. The last item ends the batch. Returns
-- null if the batch does not exist or has ended.
--
-- Chunk ids and summary counters are in separate arrays, next to arrays of item ids, so that the long JSON is parsed
-- once.
--
-- On a Citus cluster the coordinator delegates this function to the account's data node (db/postgres/distribution.ts).
-- Every statement must therefore name the account and read distributed tables only.
create or replace function record_outcomes(of_account bigint, of_batch uuid, outcomes json, request_ids bigint[],
  of_chunks bigint[], tallied_ids bigint[], tallied_words text[], is_canceled boolean)
returns json language plpgsql as $$
declare
  batch batches;
  new_id bigint;
  new_state text;
  new_rows text;
  ids bigint[] := '{}';
  failures integer := 0;
  overviews_missing integer := 0;
  chunk_ids bigint[];
  chunk_counts integer[];
  tallies jsonb;
  new_status text;
  ended timestamptz;
  is_over boolean;
  is_ended boolean;
  ended_jobs integer := 0;
  refunded integer;
  balance bigint;
  entry bigint;
begin
  select * into batch from batches
  where account_id = of_account and batch_id = of_batch for no key update;
  if not found or batch.completed_at is not null then
    return null;
  end if;

  -- Existing items are not overwritten. The later statements use only the inserted rows.
  if to_regproc('create_distributed_table') is null then
    for new_id, new_state in
      insert into items (account_id, request_id, batch_id, position, type, state, input, outcome, error)
      select of_account, request_id, of_batch, position, batch.type, state, input, outcome, error
      from json_to_recordset(outcomes)
        as item (request_id bigint, position int, state text, input json, outcome json, error text)
      on conflict do nothing
      returning request_id, state
    loop
      ids := ids || new_id;
      failures := failures + (new_state = 'failed')::int;
    end loop;
  elsif json_array_length(outcomes) > 0 then
    -- On a cluster, Citus rejects `insert … select` in a delegated function. It also requires the account as a typed
    -- literal.
    select string_agg(format('(%L::bigint, %s, %L, %s, %L, %L, %L::json, %L::json, %L)',
      of_account, request_id, of_batch, position, batch.type, state, input, outcome, error), ', ') into new_rows
    from json_to_recordset(outcomes)
      as item (request_id bigint, position int, state text, input json, outcome json, error text);
    for new_id, new_state in execute
      'insert into items (account_id, request_id, batch_id, position, type, state, input, outcome, error)
      values ' || new_rows || ' on conflict do nothing returning request_id, state'
    loop
      ids := ids || new_id;
      failures := failures + (new_state = 'failed')::int;
    end loop;
  end if;

  -- Count the new items in their chunks. The range of ids limits the update to one partition.
  select array_agg(chunk_id), array_agg(items) into chunk_ids, chunk_counts from (
    select chunk_id, count(*) as items from unnest(request_ids, of_chunks) as item (request_id, chunk_id)
    where request_id = any(ids) group by chunk_id) as counted;
  for is_ended in
    update chunks set settled = settled + counted.items
    from unnest(chunk_ids, chunk_counts) as counted (chunk_id, items)
    where account_id = of_account and chunks.chunk_id = counted.chunk_id
      and chunks.chunk_id >= batch.first_request_id and chunks.chunk_id < batch.first_request_id + batch.total
    returning settled = size and job_id is not null
  loop
    ended_jobs := ended_jobs + is_ended::int;
  end loop;

  select jsonb_object_agg(word, items + coalesce((batch.summary->>word)::int, 0)) into tallies from (
    select word, count(*) as items from unnest(tallied_ids, tallied_words) as item (request_id, word)
    where request_id = any(ids) group by word) as counted;

  -- Only batches with AI Overviews parse their outcomes a second time.
  if batch.overviews > 0 then
    select count(*) into overviews_missing
    from json_to_recordset(outcomes) as item (request_id bigint, input json, outcome json)
    where request_id = any(ids) and coalesce((input->'include')::jsonb ? 'ai_overview', false)
      and outcome->'ai_overview'->>'state' is distinct from 'shown';
  end if;

  -- Count the new items in the batch, which ends with its last item.
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
    overviews_refunded = overviews_refunded + overviews_missing,
    summary = batch.summary || coalesce(tallies, '{}'), completed_at = ended, canceled_at = batch.canceled_at
  where account_id = of_account and batch_id = of_batch;

  -- Refund one credit per failed item and per missing overview, in one ledger entry. A test batch was never charged.
  refunded := case when batch.is_test then 0 else failures + overviews_missing end;
  if refunded > 0 then
    update accounts set credits = credits + refunded, entries = entries + 1
    where account_id = of_account returning credits, entries into balance, entry;
    insert into ledger_entries (account_id, entry_no, kind, amount, balance_after, batch_id)
    values (of_account, entry, 'refund', refunded, balance, of_batch);
  end if;

  return json_build_object('ids', ids, 'type', batch.type, 'successful', batch.successful, 'isOver', is_over,
    'webhookUrl', batch.webhook_url, 'runId', batch.run_id, 'endedJobs', ended_jobs, 'isTest', batch.is_test,
    'refunded', refunded, 'tokenId', batch.token_id,
    'chargedMonth', date_trunc('month', batch.created_at at time zone 'utc')::date);
end $$;
