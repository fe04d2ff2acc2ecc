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
