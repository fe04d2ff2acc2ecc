alter table users add column likes_coffee boolean;
alter table api_tokens add column likes_coffee boolean;
