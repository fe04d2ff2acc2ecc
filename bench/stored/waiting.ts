import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { copyInto, line } from './copy.ts';

const perBatch = 2000;
const perChunk = 50;
const chunks = perBatch / perChunk;

/** Where what is accepted next of an account stands. */
interface Standing {
  accountId: number;
  entries: number;
  credits: number;
  nextTurn: number;
}

interface NewBatch {
  accountId: number;
  batchId: string;
  firstId: number;
  firstTurn: number;
}

/**
 * Adds batches of addresses to accounts that have one each, in turn, all their chunks waiting: by COPY as acceptance
 * leaves them, each paid for and with the turns that follow. `url` names the n-th address of all. Errors: the
 * database's own; also where an account has too few credits.
 */
export async function fillWaiting(
  connectionString: string,
  accountIds: number[],
  items: number,
  url: (nth: number) => string,
): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query('begin');
    const standing = await standingOf(client, accountIds);
    const count = Math.ceil(items / perBatch);
    const firstId = await takeIds(client, count * perBatch);
    const added: NewBatch[] = [];
    const entries: string[] = [];
    for (let nth = 0; nth < count; nth++) {
      const of = standing[nth % standing.length];
      if (!of) continue;
      const { accountId } = of;
      const batch = {
        accountId,
        batchId: randomUUID(),
        firstId: firstId + nth * perBatch,
        firstTurn: of.nextTurn,
      };
      added.push(batch);
      of.nextTurn += chunks;
      of.entries += 1;
      of.credits -= perBatch;
      entries.push(line(accountId, of.entries, 'charge', -perBatch, of.credits, batch.batchId, null, 'now'));
    }
    const { rows } = await client.query('select options from batches where account_id = $1 limit 1', [
      accountIds[0],
    ]);
    await copyInto(
      client,
      'batches',
      batchColumns,
      batchLines(added, JSON.stringify(rows[0]?.options ?? {})),
    );
    await copyInto(client, 'chunks', chunkColumns, chunkLines(added, firstId, url));
    await copyInto(client, 'ledger_entries', entryColumns, entries);
    await leave(client, standing);
    await client.query('commit');
    await client.query('vacuum (analyze) chunks, batches, ledger_entries');
  } finally {
    await client.end();
  }
}

const batchColumns = ['account_id', 'batch_id', 'type', 'total', 'first_request_id', 'first_turn', 'options'];
const chunkColumns = ['account_id', 'chunk_id', 'batch_id', 'type', 'ordinal', 'inputs', 'size'];
const entryColumns = [
  ...['account_id', 'entry_no', 'kind', 'amount', 'balance_after', 'batch_id', 'request_id', 'created_at'],
];

function* batchLines(added: NewBatch[], options: string): Generator<string> {
  for (const { accountId, batchId, firstId, firstTurn } of added)
    yield line(accountId, batchId, 'http', perBatch, firstId, firstTurn, options);
}

function* chunkLines(added: NewBatch[], beginId: number, url: (nth: number) => string): Generator<string> {
  for (const { accountId, batchId, firstId } of added) {
    for (let ordinal = 0; ordinal < chunks; ordinal++) {
      const first = firstId + ordinal * perChunk;
      const inputs = Array.from({ length: perChunk }, (_, n) => {
        const position = ordinal * perChunk + n;
        return { request_id: first + n, position, input: { url: url(first + n - beginId) } };
      });
      yield line(accountId, first, batchId, 'http', ordinal, JSON.stringify(inputs), perChunk);
    }
  }
}

async function standingOf(client: pg.Client, accountIds: number[]): Promise<Standing[]> {
  const { rows } = await client.query(
    `select account_id, entries, credits, next_turn from accounts join turns using (account_id)
     where account_id = any($1::bigint[]) and queue = 'http-checks' order by account_id for update`,
    [accountIds],
  );
  return rows.map(({ account_id, entries, credits, next_turn }) => ({
    accountId: Number(account_id),
    entries: Number(entries),
    credits: Number(credits),
    nextTurn: Number(next_turn),
  }));
}

/** So many ids that no process has. */
async function takeIds(client: pg.Client, count: number): Promise<number> {
  const { rows } = await client.query(`select nextval('request_ids') as first`);
  const first = Number(rows[0]?.first);
  await client.query(`select setval('request_ids', $1)`, [first + count]);
  return first;
}

async function leave(client: pg.Client, standing: Standing[]): Promise<void> {
  const column = (name: keyof Standing) => standing.map((one) => one[name]);
  await client.query(
    `update accounts set entries = last.entries, credits = last.credits
     from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as last (account_id, entries, credits)
     where accounts.account_id = last.account_id`,
    [column('accountId'), column('entries'), column('credits')],
  );
  await client.query(
    `update turns set next_turn = last.next_turn
     from unnest($1::bigint[], $2::bigint[]) as last (account_id, next_turn)
     where turns.account_id = last.account_id and queue = 'http-checks'`,
    [column('accountId'), column('nextTurn')],
  );
}
