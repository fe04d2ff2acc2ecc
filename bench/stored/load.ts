import pg from 'pg';
import { connect } from '../../db/connect.ts';
import { dayOf, idsPerDay, type PartitionedTable } from '../../db/partition-bounds.ts';
import { list, spanDaysMax } from '../../db/partitions.ts';
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
 * for 90 days with weekly partitions, and of the history some of 60 days. What a table must hold is proved of all of it
 * in the end, and every index is there. Answers what is stored. Errors: the database's own.
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
    const ends = await endsOfFirst(url);
    for (const table of ['chunks', 'items', 'history'] as const)
      await fillPartitions(client, table, past, ends[table]);
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
  chunks: { columns: chunkColumns, lines: chunkLines, days: spanDaysMax },
  items: { columns: itemColumns, lines: itemLines, days: spanDaysMax },
  // So long that what has expired lies in one that stays: what goes with its partition soon is not deleted row by row.
  history: { columns: historyColumns, lines: historyLines, days: 60 },
};

/** In place of the first partition, which is empty, there come those of the weeks that have passed. */
async function fillPartitions(
  client: pg.Client,
  table: PartitionedTable,
  past: Past,
  end: number,
): Promise<void> {
  const { columns, lines, days } = ways[table];
  const span = days * idsPerDay;
  const begin = end - Math.ceil((keptDays + expiredGroups + 30) / days) * span;
  const bound = (id: number) => boundOf(table, id);
  await client.query(`drop table ${table}_first;
    create table ${table}_first partition of ${table} for values from (minvalue) to (${bound(begin)})`);
  for (let from = begin; from < end; from += span) {
    const name = `${table}_${dayOf(from)}`;
    await client.query('begin');
    await client.query(`create table ${name} (like ${table} including defaults including constraints)`);
    await copyInto(client, name, columns, lines(past, { from, to: from + span }), '(freeze)');
    await client.query(
      `alter table ${table} attach partition ${name} for values from (${bound(from)}) to (${bound(from + span)})`,
    );
    await client.query('commit');
  }
}

/** In the words of SQL. */
function boundOf(table: PartitionedTable, id: number): string {
  return table === 'history' ? `'${new Date(id / 10).toISOString()}'` : String(id);
}

async function endsOfFirst(url: string): Promise<Record<PartitionedTable, number>> {
  const { db, close } = connect(url, 1, () => {});
  try {
    const first = (await list(db)).filter(({ from }) => from === 0);
    return Object.fromEntries(first.map(({ table, to }) => [table, to])) as Record<PartitionedTable, number>;
  } finally {
    await close();
  }
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
