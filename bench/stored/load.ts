import pg from 'pg';
import { dayOf, idsPerDay, type PartitionedTable } from '../../db/partition-bounds.ts';
import { spanDaysMax } from '../../db/partitions.ts';
import { Books, entryColumns } from './books.ts';
import { copyInto } from './copy.ts';
import { expiredGroups, keptDays, makePast, type Past } from './past.ts';
import {
  batchColumns,
  batchLines,
  chunkColumns,
  chunkLines,
  historyColumns,
  historyLines,
  itemColumns,
  itemLines,
} from './rows.ts';

const accounts = 1_000;

/**
 * Fills a migrated database that is empty with a past of so many items, by COPY, as a service leaves it that has run
 * for 90 days with weekly partitions. What a table must hold is proved of all of it in the end, and every index is
 * there. Answers what is stored. Errors: the database's own.
 */
export async function load(url: string, items: number): Promise<Past> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // One core does; what is sorted for an index fits.
    await client.query(`set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 0`);
    const accountIds = await makeAccounts(client);
    const past = makePast(accountIds, items);
    await copyInto(client, 'batches', batchColumns, batchLines(past));
    await fillPartitions(client, 'chunks', past);
    await fillPartitions(client, 'items', past);
    await fillHistory(client, past);
    await fillBooks(client, new Books(past, accountIds));
    const ids = past.batches.map(({ firstId, total }) => firstId + total);
    await client.query('select setval($1, $2)', ['request_ids', ids.at(-1)]);
    await client.query('vacuum (analyze)');
    return past;
  } finally {
    await client.end();
  }
}

async function makeAccounts(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query(
    `insert into accounts (webhook_secret, created_at)
     select '\\x00', now() - interval '1 year' from generate_series(1, $1::int) returning account_id`,
    [accounts],
  );
  return rows.map(({ account_id }) => Number(account_id));
}

/** How a partitioned table is filled: a partition is loaded alone and then becomes one, which proves it all. */
const ways = {
  chunks: { columns: chunkColumns, lines: chunkLines },
  items: { columns: itemColumns, lines: itemLines },
};

/** In place of the first partition, which is empty, there come those of the weeks that have passed. */
async function fillPartitions(client: pg.Client, table: PartitionedTable, past: Past): Promise<void> {
  const { columns, lines } = ways[table];
  const end = await endOfFirst(client, table);
  const span = spanDaysMax * idsPerDay;
  const begin = end - Math.ceil((keptDays + expiredGroups + 30) / spanDaysMax) * span;
  await client.query(`drop table ${table}_first;
    create table ${table}_first partition of ${table} for values from (minvalue) to (${begin})`);
  for (let from = begin; from < end; from += span) {
    const name = `${table}_${dayOf(from)}`;
    await client.query('begin');
    await client.query(`create table ${name} (like ${table} including defaults including constraints)`);
    await copyInto(client, name, columns, lines(past, { from, to: from + span }), '(freeze)');
    await client.query(
      `alter table ${table} attach partition ${name} for values from (${from}) to (${from + span})`,
    );
    await client.query('commit');
  }
}

async function endOfFirst(client: pg.Client, table: PartitionedTable): Promise<number> {
  const { rows } = await client.query(
    'select pg_get_expr(relpartbound, oid) as bounds from pg_class where relname = $1',
    [`${table}_first`],
  );
  return Number(/TO \('?(\d+)/.exec(rows[0]?.bounds)?.[1]);
}

/** Its indexes are made when the rows are there, as a restored database has it. */
async function fillHistory(client: pg.Client, past: Past): Promise<void> {
  const { rows: indexes } = await client.query(
    `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = 'history'::regclass and not indisprimary`,
  );
  await client.query('begin');
  await client.query('truncate history; alter table history drop constraint history_pkey');
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await copyInto(client, 'history', historyColumns, historyLines(past), '(freeze)');
  await client.query('alter table history add primary key (account_id, request_id)');
  for (const { definition } of indexes) await client.query(definition);
  await client.query('commit');
}

async function fillBooks(client: pg.Client, books: Books): Promise<void> {
  await client.query('begin');
  await copyInto(client, 'ledger_entries', entryColumns, books.lines());
  const standing = [...books.standing];
  await client.query(
    `update accounts set entries = last.entries, credits = last.credits
     from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as last (account_id, entries, credits)
     where accounts.account_id = last.account_id`,
    [
      standing.map(([accountId]) => accountId),
      standing.map(([, { entries }]) => entries),
      standing.map(([, { credits }]) => credits),
    ],
  );
  await client.query('commit');
}
