-- Clock that decides when monitors are due. Tests replace this function in their own database.
create or replace function clock() returns timestamptz language sql stable as 'select now()';
