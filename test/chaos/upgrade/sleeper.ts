import { sql } from 'kysely';
import { type Db, inTransaction } from '../../../db/connect.ts';
import type { Submitted } from '../customer.ts';

const batchSize = 2000;
const chunkSize = 50;
/** Of how many request ids the sequence hands out a block, in 0.1.0 as now. */
const blockSize = 10_000;

/** An account with many batches that ended before anybody migrated. */
export interface Sleeper {
  accountId: number;
  batches: Submitted[];
  singles: number[];
  complaints: string[];
}

/**
 * Gives an account ended http batches of 2,000 in the tables of 0.1.0, charged as they were, each answer a copy of one
 * that was really given. It is to have been granted exactly `items` credits, a multiple of 10,000, and nothing else.
 */
export async function layDown(
  db: Db,
  { accountId, items }: { accountId: number; items: number },
): Promise<Sleeper> {
  const perBlock = blockSize / batchSize;
  const rows = await inTransaction(db, async (trx) => {
    await sql`
      create temp table laid on commit drop as
      select row_number() over () as nth, gen_random_uuid() as batch_id, first_id + part * ${batchSize}::int as first_id
      from (select nextval('request_ids') as first_id from generate_series(1, ${items / blockSize}::int)) as blocks,
        generate_series(0, ${perBlock - 1}::int) as part`.execute(trx);
    await sql`
      insert into batches (account_id, batch_id, type, status, total, successful, created_at, started_at, completed_at)
      select ${accountId}, batch_id, 'http', 'completed', ${batchSize}::int, ${batchSize}::int, at, at, at
      from laid, date_trunc('milliseconds', now() - interval '1 day') as at`.execute(trx);
    await sql`
      insert into ledger_entries (account_id, entry_no, kind, amount, balance_after, batch_id)
      select ${accountId}, 1 + nth, 'charge', -${batchSize}::int, ${items}::int - nth * ${batchSize}::int, batch_id
      from laid order by nth`.execute(trx);
    await sql`
      update accounts set credits = credits - ${items}::int, entries = entries + ${items / batchSize}::int
      where account_id = ${accountId}`.execute(trx);
    await sql`
      with answer as (select input, outcome from items where type = 'http' and state = 'success' limit 1),
        placed as (
          select batch_id, position, position / ${chunkSize}::int as ordinal, first_id + position as request_id
          from laid, generate_series(0, ${batchSize - 1}::int) as position),
        chunked as (
          insert into chunks (account_id, chunk_id, batch_id, type, ordinal, inputs, size, settled, job_id)
          select ${accountId}, min(request_id), batch_id, 'http', ordinal,
            json_agg(json_build_object('request_id', request_id, 'position', position, 'input', input)),
            count(*), count(*), gen_random_uuid()
          from placed, answer group by batch_id, ordinal)
      insert into items (account_id, request_id, batch_id, position, type, state, input, outcome)
      select ${accountId}, request_id, batch_id, position, 'http', 'success', input, outcome
      from placed, answer`.execute(trx);
    return (await sql<{ batchId: string }>`select batch_id from laid`.execute(trx)).rows;
  });
  const batches = rows.map(({ batchId }) => ({ name: batchId, batchId, total: batchSize, receiver: null }));
  return { accountId, batches, singles: [], complaints: [] };
}
