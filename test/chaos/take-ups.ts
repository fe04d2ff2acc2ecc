import { sql } from 'kysely';
import type { Stage } from './stage.ts';

interface Start {
  chunk: string;
  startedOn: Date;
}

/** Tells the witness which of the chunks that deaths cut off have been taken up since. */
export async function noteTakeUps({ customers, database, world }: Stage): Promise<void> {
  const { witness } = world;
  const waiting = new Set(witness.waiting.map((chunk) => chunk.split('-')[0]));
  const batches = customers.flatMap((customer) => customer.batches).filter(({ name }) => waiting.has(name));
  if (batches.length === 0) return;
  const [names, ids] = [batches.map(({ name }) => name), batches.map(({ batchId }) => batchId)];
  const { rows } = await sql<Start>`
    select submitted.name || '-c' || ordinal as chunk, started_on
    from unnest(${names}::text[], ${ids}::uuid[]) as submitted (name, batch_id)
    join chunks on chunks.batch_id = submitted.batch_id
    join pgboss.job on job.id = chunks.job_id
    where started_on is not null`.execute(database.db);
  for (const { chunk, startedOn } of rows) witness.takenUp(chunk, startedOn);
}
