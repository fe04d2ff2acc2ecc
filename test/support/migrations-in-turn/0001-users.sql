alter table users add column likes_tea boolean;
