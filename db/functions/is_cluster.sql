-- Whether this server has Citus, and tables are therefore distributed. Without a subquery, so that Postgres inlines it.
create or replace function is_cluster() returns boolean language sql stable
as $$ select to_regproc('create_distributed_table') is not null $$;
