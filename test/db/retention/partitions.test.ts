import { expect } from 'chai';
import { sql } from 'kysely';
import * as singleCheck from '../../../batches/single-check.ts';
import { findByInput } from '../../../db/batches/batch-lists.ts';
import * as batches from '../../../db/batches/batches.ts';
import * as chunks from '../../../db/batches/chunks.ts';
import * as comparison from '../../../db/batches/comparison.ts';
import * as items from '../../../db/batches/items.ts';
import * as results from '../../../db/batches/results.ts';
import * as singleChecks from '../../../db/batches/single-checks.ts';
import { sumPaidForAnswers } from '../../../db/ledger/ledger.ts';
import { verify } from '../../../db/ledger/verification.ts';
import { inTransaction } from '../../../db/postgres/connect.ts';
import {
  createAhead,
  createUpTo,
  findCurrentId,
  idsPerDay,
  list,
  type Partition,
} from '../../../db/retention/partitions.ts';
import { type AnswerOf, getExample } from '../../../schemas/check-types.ts';
import { itOnOneServer } from '../../support/postgres.ts';
import { type QueuedChunk, TestWindows } from '../../support/windows.ts';

const result = { outcome: getExample('http').answer as AnswerOf<'http'>, tally: [] };

describe('the partitions of items and chunks', () => {
  let windows: TestWindows;

  beforeEach(async () => {
    // With a single connection, the statistics of rows read are complete.
    windows = await TestWindows.open({ connections: 1 });
  });

  afterEach(async () => {
    expect((await verify(db())).faults).to.deep.equal([]);
    await windows.close();
  });

  const db = () => windows.records.db;

  const listPartitions = async (table: string) => (await list(db())).filter((one) => one.table === table);

  /** Returns the last partition but one. */
  const findMiddle = async (table: string) => (await listPartitions(table)).at(-2) as Partition;

  it('have no gaps, reach four weeks ahead, and are the same for both', async () => {
    const all = { chunks: await listPartitions('chunks'), items: await listPartitions('items') };
    for (const partitions of Object.values(all)) {
      expect(partitions[0]).to.include({ from: 0 });
      for (const [at, { from }] of partitions.slice(1).entries()) expect(from).to.equal(partitions[at]?.to);
      expect(partitions.at(-1)?.to).to.be.at.least((await findCurrentId(db())) + 28 * idsPerDay);
    }
    expect(all.chunks.map(({ to }) => to)).to.deep.equal(all.items.map(({ to }) => to));
  });

  it('are created only when they are due', async () => {
    expect(await createAhead(db())).to.deep.equal([]);
    await sql`select setval('request_ids', ${(await findCurrentId(db())) + 8 * idsPerDay})`.execute(db());
    expect(await createAhead(db())).to.have.lengthOf(2);
    expect(await createAhead(db())).to.deep.equal([]);
  });

  it('exist for unexpected ids', async () => {
    const far = (await findCurrentId(db())) + 400 * idsPerDay;
    await inTransaction(db(), (trx) => createUpTo(trx, far));
    const last = await listPartitions('items');
    expect(last.at(-1)?.to).to.be.above(far);
    await inTransaction(db(), (trx) => createUpTo(trx, far));
    expect(await listPartitions('items')).to.deep.equal(last);
  });

  itOnOneServer('are read one at a time for a batch', async () => {
    const accountId = await windows.records.account(400);
    windows.nextId = (await findMiddle('items')).from + 1000;
    const only = (await findMiddle('items')).name.replace('items', '');
    const isAlone = async (what: string, act: () => Promise<unknown>) => {
      const touched = await touchedBy(act);
      expect(touched.length, what).to.be.above(0);
      for (const name of touched) expect(name, what).to.match(new RegExp(`^(items|chunks)${only}$`));
    };
    const other = await windows.submit(accountId, 20);
    await isAlone('accept', () => windows.submit(accountId, 150));
    const [, , first, second] = (await windows.queuedOf(accountId)) as [
      unknown,
      unknown,
      QueuedChunk,
      QueuedChunk,
    ];
    await isAlone('begin', () => chunks.begin(db(), first, first.jobId));
    await isAlone('settle', () => windows.settle(first));
    await isAlone('settle, with a successor', () => windows.settle(second));
    const batch = (await batches.find(db(), other)) as batches.BatchRow;
    const before = await batches.find(db(), { ...other, batchId: second.batchId });
    await isAlone('page', () => results.pageAfter(db(), batch, { afterPosition: -1, limit: 10 }));
    await isAlone('count', () => results.countInputs(db(), batch, {}));
    await isAlone('find', () => items.find(db(), { accountId, requestId: first.chunkId }, 90));
    await isAlone('compare', () => comparison.count(db(), { now: [batch], before: [before ?? batch] }));
    await isAlone('search', () => findByInput(db(), accountId, { text: 'a.example/1' }));
    await isAlone('cancel', () => windows.cancel(other));
  });

  itOnOneServer('are read one at a time for a single check', async () => {
    const accountId = await windows.records.account(10);
    const { from, name } = await findMiddle('items');
    // This id is not on the first day of the partition, when ids of the previous day may be in flight.
    const requestId = from + 2 * idsPerDay;
    const touched = await touchedBy(async () => {
      const [one, other] = [
        await windows.beginSingle(accountId, requestId),
        await windows.beginSingle(accountId, requestId + 1),
      ];
      await singleChecks.isInFlight(db(), one);
      await inTransaction(db(), (trx) => singleCheck.recordAnswer(trx, one, result));
      await inTransaction(db(), (trx) => singleCheck.refundCheck(trx, other, 'checker_failed'));
    });
    expect(touched).to.have.members([name, name.replace('items', 'chunks')]);
  });

  itOnOneServer('are read one at a time for the credits that an account has paid', async () => {
    const accountId = await windows.records.account(10);
    const { from, name } = await findMiddle('items');
    const requestId = from + 2 * idsPerDay;
    await sql`select setval('request_ids', ${requestId})`.execute(db());
    const [answered] = [
      await windows.beginSingle(accountId, requestId),
      await windows.beginSingle(accountId, requestId + 1),
    ];
    await inTransaction(db(), (trx) => singleCheck.recordAnswer(trx, answered, result));
    let paid = 0;
    const touched = await touchedBy(async () => {
      paid = await sumPaidForAnswers(db(), accountId, 30);
    });
    expect(touched).to.deep.equal([name.replace('items', 'chunks')]);
    expect(paid, 'one of two is in flight').to.equal(1);
  });

  /** Returns the partitions that `act` reads or writes, according to the statistics of Postgres. */
  async function touchedBy(act: () => Promise<unknown>): Promise<string[]> {
    const before = await counts();
    await act();
    const after = await counts();
    return [...after].filter(([name, count]) => count !== before.get(name)).map(([name]) => name);
  }

  async function counts(): Promise<Map<string, string>> {
    await sql`select pg_stat_force_next_flush()`.execute(db());
    const { rows } = await sql<{ name: string; count: string }>`
      select relname as name, concat_ws(' ', seq_scan, idx_scan, n_tup_ins, n_tup_upd, n_tup_del) as count
      from pg_stat_user_tables where relname ~ '^(items|chunks)_'`.execute(db());
    return new Map(rows.map(({ name, count }) => [name, count]));
  }
});
