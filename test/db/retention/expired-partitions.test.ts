import { expect } from 'chai';
import { sql } from 'kysely';
import * as singleCheck from '../../../batches/single-check.ts';
import * as items from '../../../db/batches/items.ts';
import * as singleChecks from '../../../db/batches/single-checks.ts';
import { setAlarm, verify } from '../../../db/ledger/verification.ts';
import { inTransaction } from '../../../db/postgres/connect.ts';
import { dropExpired } from '../../../db/retention/expired-partitions.ts';
import { idsPerDay, list, type Partition } from '../../../db/retention/partitions.ts';
import { type AnswerOf, getExample } from '../../../schemas/check-types.ts';
import { purge } from '../../../upkeep/retention.ts';
import { TestWindows } from '../../support/windows.ts';

const retention = { days: 90, historyDays: 1100 };
const result = { outcome: getExample('http').answer as AnswerOf<'http'>, tally: [] };

describe('completely expired partitions of items and chunks', () => {
  let windows: TestWindows;
  let accountId: number;
  let middle: Partition;

  beforeEach(async () => {
    windows = await TestWindows.open();
    accountId = await windows.records.account(400);
    middle = (await list(db())).filter(({ table }) => table === 'items').at(-2) as Partition;
    windows.nextId = middle.from + 1000;
    await windows.submit(accountId, 20);
    for (const chunk of await windows.queuedOf(accountId)) await windows.settle(chunk);
    const check = await windows.beginSingle(accountId, middle.from);
    await inTransaction(db(), (trx) => singleCheck.recordAnswer(trx, check, result));
    await age(91);
  });

  afterEach(async () => {
    expect((await verify(db())).faults).to.deep.equal([]);
    await windows.close();
  });

  const db = () => windows.records.db;

  /** Makes all rows this many days old, and moves the sequence of ids to two days before the partition expires. */
  async function age(days: number): Promise<void> {
    await sql`alter table batches disable trigger batch_ends_once`.execute(db());
    await sql`alter table items disable trigger item_is_final`.execute(db());
    const ago = sql`now() - ${days} * interval '1 day'`;
    await sql`update batches set completed_at = ${ago}, created_at = ${ago}`.execute(db());
    await sql`update chunks set created_at = ${ago}`.execute(db());
    await sql`update items set checked_at = ${ago}`.execute(db());
    await sql`select setval('request_ids', ${middle.to + 90 * idsPerDay - 2 * idsPerDay})`.execute(db());
  }

  const end = () => sql`select setval('request_ids', ${middle.to + 90 * idsPerDay})`.execute(db());
  const stored = async () => {
    const { rows } = await sql<{ stored: number }>`
      select (select count(*) from items) + (select count(*) from chunks) as stored`.execute(db());
    return rows[0]?.stored;
  };

  it('are dropped as a whole, and nothing in them is deleted before', async () => {
    const before = await stored();
    expect(await items.find(db(), { accountId, requestId: middle.from }, 92)).not.to.equal(null);
    expect(await purge(db(), retention)).to.include({ batches: 1, singleChecks: 0, partitions: 6 });
    expect(await stored()).to.equal(before);
    // Rows that wait to be dropped are not shown any more.
    expect(await items.find(db(), { accountId, requestId: middle.from }, 90)).to.equal(null);
    expect(await items.find(db(), { accountId, requestId: middle.from + 1000 }, 90)).to.equal(null);
    expect(await singleChecks.list(db(), accountId, 90, { limit: 10 })).to.deep.equal([]);
    await end();
    expect(await purge(db(), retention)).to.include({ batches: 0, singleChecks: 0, partitions: 2 });
    expect(await stored()).to.equal(0);
    expect((await list(db())).map(({ name }) => name)).not.to.include(middle.name);
  });

  it('stay while one of their batches is kept', async () => {
    await end();
    expect(await dropExpired(db(), retention)).not.to.include(middle.name);
    expect(await stored()).to.be.above(0);
  });

  it('stay while they have rows of an account whose ledger has a fault', async () => {
    await purge(db(), retention);
    await end();
    await setAlarm(db(), await windows.records.account(), true);
    await setAlarm(db(), accountId, true);
    expect(await dropExpired(db(), retention)).to.deep.equal([]);
    await setAlarm(db(), accountId, false);
    expect(await dropExpired(db(), retention)).to.deep.equal([
      middle.name.replace('items', 'chunks'),
      middle.name,
    ]);
  });
});
