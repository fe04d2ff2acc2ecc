import { sql } from 'kysely';
import type { Db } from '../../db/postgres/connect.ts';

/** Inserts ended batches of ten answers and one refund, and as many single checks, with their ledger entries. */
export async function insertHistory(
  db: Db,
  accountId: number,
  batches: number,
  since = '7 days',
): Promise<void> {
  const began = sql`now() - ${since}::interval`;
  await sql`
    insert into batches (account_id, batch_id, type, first_request_id, total, status, successful, failed, created_at,
      started_at, completed_at)
    select ${accountId}, ${toBatchId(accountId)}, 'http', n * 20, 11, 'partial', 10, 1, ${began}, ${began}, ${began}
    from generate_series(1, ${batches}) as n`.execute(db);
  await sql`
    insert into items (account_id, request_id, batch_id, position, type, state, input, outcome, error, checked_at)
    select ${accountId}, n * 20 + place, ${toBatchId(accountId)}, place, 'http',
      case place when 10 then 'failed' else 'success' end, '{}',
      case place when 10 then null else '{}'::json end, case place when 10 then 'checker_failed' end, ${began}
    from generate_series(1, ${batches}) as n, generate_series(0, 10) as place`.execute(db);
  await sql`
    insert into chunks (account_id, chunk_id, type, size, settled, inputs, created_at)
    select ${accountId}, n * 20 + 11, 'http', 1, 1, '[]', ${began} from generate_series(1, ${batches}) as n
    `.execute(db);
  await sql`
    insert into items (account_id, request_id, type, state, input, outcome, checked_at)
    select ${accountId}, n * 20 + 11, 'http', 'success', '{}', '{}', ${began}
    from generate_series(1, ${batches}) as n`.execute(db);
  await insertEntries(db, accountId, batches, began);
}

/** Inserts a grant, and for each batch its charge, its refund and the charge of a single check. */
async function insertEntries(
  db: Db,
  accountId: number,
  batches: number,
  began: ReturnType<typeof sql>,
): Promise<void> {
  const granted = batches * 20;
  await sql`
    insert into ledger_entries (account_id, entry_no, kind, amount, balance_after, batch_id, request_id, created_at)
    select ${accountId}, row_number() over (order by n, place), kind, amount,
      sum(amount) over (order by n, place), batch_id, request_id, ${began}
    from (
      select 0 as n, 0 as place, 'grant' as kind, ${granted}::bigint as amount, null::uuid as batch_id,
        null::bigint as request_id
      union all
      select n, place, case place when 1 then 'refund' else 'charge' end,
        case place when 0 then -11 when 1 then 1 else -1 end,
        case when place < 2 then ${toBatchId(accountId)} end, case place when 2 then n * 20 + 11 end
      from generate_series(1, ${batches}) as n, generate_series(0, 2) as place
    ) as entries order by n, place`.execute(db);
  await sql`
    update accounts set (entries, credits) = (
      select count(*), sum(amount) from ledger_entries where account_id = ${accountId})
    where account_id = ${accountId}`.execute(db);
}

/** Returns the id of batch `n` of an account. */
function toBatchId(accountId: number) {
  return sql`md5(${accountId}::bigint || '-' || n)::uuid`;
}
