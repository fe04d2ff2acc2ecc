-- Returns whether this server has Citus, and tables are therefore distributed. Has no subquery, so that Postgres can
-- inline it.
create or replace function is_cluster() returns boolean language sql stable
as $$ select to_regproc('create_distributed_table') is not null $$;
