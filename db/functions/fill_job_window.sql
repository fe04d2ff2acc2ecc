-- Assigns job ids to waiting chunks of an account, the oldest first, until `window_size` chunks that are not paused
-- have a job. Including paused chunks, at most five times `window_size` chunks have a job. Returns the chunks as JSON.
-- Locks the account row, so that concurrent calls count each other's chunks.
--
-- On a Citus cluster the coordinator delegates this function to the account's data node (db/postgres/distribution.ts).
create or replace function fill_job_window(of_account bigint, of_type text, window_size integer)
returns json language plpgsql as $$
declare
  capacity integer;
  picked bigint[];
  job_ids uuid[];
  first_open bigint;
  last_open bigint;
begin
  perform 1 from accounts where account_id = of_account for no key update;
  -- The id range of the open batches limits the queries to the partitions of their chunks. A batch has at most 2,000
  -- entries.
  select min(first_request_id), max(first_request_id) + 2000 into first_open, last_open from batches
  where account_id = of_account and type = of_type and completed_at is null;
  if first_open is null then
    return '[]';
  end if;
  select least(window_size - count(*) filter (where paused_until is null or paused_until <= now()),
    5 * window_size - count(*)) into capacity from chunks
  where account_id = of_account and type = of_type and chunk_id between first_open and last_open
    and job_id is not null and settled < size;
  if capacity < 1 then
    return '[]';
  end if;
  -- Skips locked chunks. A transaction that settles a chunk calls this function afterwards.
  select array_agg(chunk_id) into picked from (
    select chunk_id from chunks
    where account_id = of_account and type = of_type and chunk_id between first_open and last_open
      and job_id is null and batch_id is not null and settled < size
    order by created_at, chunk_id limit capacity for no key update skip locked) as waiting;
  if picked is null then
    return '[]';
  end if;
  job_ids := array(select gen_random_uuid() from generate_series(1, cardinality(picked)));
  update chunks set job_id = given.job_id
  from unnest(picked, job_ids) as given (chunk_id, job_id)
  where account_id = of_account and chunks.chunk_id = given.chunk_id
    and chunks.chunk_id between first_open and last_open;
  return (
    select json_agg(json_build_object('jobId', job_id, 'accountId', account_id, 'batchId', batch_id,
      'chunkId', chunk_id))
    from chunks
    where account_id = of_account and chunk_id = any(picked) and chunk_id between first_open and last_open);
end $$;
