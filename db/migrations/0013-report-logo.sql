-- The logo that reports of the account show: a PNG, JPEG or WebP image.
alter table accounts
  add column logo bytea check (octet_length(logo) between 1 and 102400);
