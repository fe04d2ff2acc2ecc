import { type Kysely, sql } from 'kysely';

// Safe on a running system: processes of before write a job for every chunk, and those fit. One that settles a chunk
// enqueues no other in its place; the sweep does that. One that sweeps takes a waiting chunk for one whose job is gone
// and then changes nothing, for it asks for the job that it had, which is null. Every row there is has passed the
// stricter check that goes, so the new one is not held against them, and no table is read under the lock.
export async function up(db: Kysely<unknown>): Promise<void> {
  // A chunk without a job waits, if it has a batch: only the next ones of an account are jobs.
  await sql`
    alter table chunks
      drop constraint chunk_job_is_for_batches,
      add constraint chunk_job_is_for_batches check (batch_id is not null or job_id is null) not valid`.execute(
    db,
  );
}
