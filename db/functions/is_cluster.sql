-- Returns true if this server has Citus. Tables are then distributed. Has no subquery, so that Postgres can inline the
-- function.
create or replace function is_cluster() returns boolean language sql stable
as $$ select to_regproc('create_distributed_table') is not null $$;
