-- A rank check with an AI Overview costs one more credit, which is refunded unless an overview was shown and its sources
-- were read. `overviews` counts these checks, so a batch costs total - failed + overviews - overviews_refunded. Both
-- are 0 for tests, which cost nothing. For a monitor, `overviews` counts its current subjects of this kind.
alter table batches
  add column overviews integer not null default 0 check (overviews >= 0),
  add column overviews_refunded integer not null default 0 check (overviews_refunded between 0 and overviews);
alter table monitors add column overviews integer not null default 0;

-- The sources and the text of an overview are stored next to the results, each only if the caller asked for them.
alter table result_pages
  alter column results drop not null,
  add column overview json check (octet_length(overview::text) <= 65536);

-- How many overviews of a run cited each domain, for those that were cited most.
alter table run_tallies add column sources json;

-- A run may report one change for each fact of a subject: its answer, its AI Overview and its featured snippet. The last
-- notified state of the second and third is in `parts`, each with its own pending loss.
alter table changes add column fact text not null default 'answer';
alter table changes drop constraint changes_account_id_subject_id_run_id_key;
alter table changes add constraint changes_one_per_fact unique (account_id, subject_id, run_id, fact);
alter table baselines add column parts jsonb;
