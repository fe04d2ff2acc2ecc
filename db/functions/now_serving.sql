-- The position that a queue has come to, 0 before any. A function of its own, because on a cluster `queues` is a local
-- table.
create or replace function now_serving(of_queue text) returns bigint language sql stable
as $$ select coalesce((select now_serving from queues where queue = of_queue), 0) $$;
