-- What reports say about their account: who it is, and in which time zone they show times (UTC if null).
alter table accounts
  add column name text check (length(name) between 1 and 100),
  add column timezone text check (length(timezone) between 1 and 100);
