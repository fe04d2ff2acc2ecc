-- A run may report one change for each fact of a subject: its answer, its AI Overview and its featured snippet. The last
-- notified state of the second and third is in `parts`, each with its own pending loss.
alter table changes add column fact text not null default 'answer';
alter table changes drop constraint changes_account_id_subject_id_run_id_key;
alter table changes add constraint changes_one_per_fact unique (account_id, subject_id, run_id, fact);
alter table baselines add column parts jsonb;
