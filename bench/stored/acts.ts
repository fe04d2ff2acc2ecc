import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import { createAllowance } from '../../accounts/allowance.ts';
import { accept } from '../../batches/accept.ts';
import { record } from '../../batches/record.ts';
import { perform } from '../../db/act.ts';
import * as batches from '../../db/batches.ts';
import * as chores from '../../db/chores.ts';
import * as chunks from '../../db/chunks.ts';
import { inTransaction } from '../../db/connect.ts';
import * as history from '../../db/history.ts';
import { createBoss } from '../../db/queue.ts';
import { createRequestIds } from '../../db/request-ids.ts';
import * as results from '../../db/results.ts';
import { httpAnswer, indexAnswer } from '../../test/support/answers.ts';
import { goOn, passChore, passState } from '../../upkeep/ledger-pass.ts';
import { ledgerChore, watchLedger } from '../../upkeep/ledger-watch.ts';
import { purge } from '../../upkeep/retention.ts';
import { Meter, type Taken } from './meter.ts';
import { expiredGroups, keptDays } from './past.ts';

/** What is measured, in words for a reader, and what one round of it took. */
export type Round = Record<string, Taken>;

const perBatch = 2000;
const perRecording = 50;
const perPage = 100;
const historyDays = 1100;
const passRows = 10_000;
const times = 10;

/** The acts of the service on one database, each as the processes do it, of the account that has the most. */
export class Acts {
  readonly meter: Meter;
  readonly #boss: PgBoss;
  readonly #accountId: number;
  readonly #desk;

  private constructor(meter: Meter, boss: PgBoss, accountId: number) {
    this.meter = meter;
    this.#boss = boss;
    this.#accountId = accountId;
    const { db } = meter;
    // What an account may cause without a credit is not what is measured.
    this.#desk = { boss, requestIds: createRequestIds(db), allowance: createAllowance(db, { isOff: true }) };
  }

  static async open(url: string, accountId: number): Promise<Acts> {
    const boss = createBoss({ url, backend: 'postgres', max: 1, role: 'web' });
    boss.on('error', () => {});
    await boss.start();
    const acts = new Acts(new Meter(url), boss, accountId);
    for (const chore of [ledgerChore, passChore]) await chores.claim(acts.meter.db, chore, 0);
    await watchLedger(acts.meter.db);
    // The entries of an account come first, and are cheaper by the row than what it keeps of batches.
    do await goOn(acts.meter.db, { rowsMax: passRows });
    while ((await passState(acts.meter.db))?.part === 0);
    return acts;
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false });
    await this.meter.connection.close();
  }

  /** Each of them once; `nth` from 0 on. */
  async round(nth: number): Promise<Round> {
    const verified = await this.#now();
    const http = await this.#lifeOf('http');
    const index = await this.#lifeOf('index');
    const old = await this.#someBatch();
    return {
      '2,000 URLs accepted': http.accepted,
      'fifty HTTP outcomes recorded': http.recorded,
      'fifty index outcomes recorded': index.recorded,
      'the first page of the results of a batch that has just ended': http.firstPage,
      'its last page': http.lastPage,
      'the first page of a stored batch': await this.#poll(old, -1),
      'its last page, too': await this.#poll(old, old.total - perRecording - 1),
      ...(await this.#pagesOfHistory()),
      'what was written since the last look verified: two batches': await this.#watch(verified),
      'a thousand rows of the pass over everything': await this.#pass(),
      'a purge of ten batches of a hundred and 500 points of history': await this.#purge(nth),
    };
  }

  /** A batch is accepted, recorded in fifties and read. */
  async #lifeOf(type: 'http' | 'index') {
    const { db } = this.meter;
    const accountId = this.#accountId;
    const inputs = Array.from({ length: perBatch }, (_, position) => ({
      position,
      input: { url: `https://shop-${accountId}.example/articles/${position}/a-name-of-ordinary-length` },
    }));
    const rest = { options: {}, reference: null, skipped: [], duplicates: 0, webhookUrl: null };
    const act = accept(this.#desk, { accountId, type, inputs, ...rest });
    let batchId = '';
    const accepted = await this.meter.take(async () => {
      batchId = (await perform(db, act)).batchId;
    });
    await batches.start(db, { accountId, batchId });
    const batch = await this.#found({ accountId, batchId });
    const items = (await chunks.unsettled(db, batch)).map(({ request_id, chunkId, position, input }) => {
      const { url } = input as { url: string };
      const result =
        type === 'http'
          ? { outcome: httpAnswer({ final_url: url }), tally: ['status_2xx'] }
          : { outcome: indexAnswer(true, url), tally: ['indexed'] };
      return { requestId: request_id, chunkId, position, input, result };
    });
    const recorded = await this.meter.take(async () => {
      for (let first = 0; first < items.length; first += perRecording) {
        const some = items.slice(first, first + perRecording);
        await inTransaction(db, (trx) => record(trx, this.#desk, { accountId, batchId }, some));
      }
    }, perBatch / perRecording);
    await sql`delete from pgboss.job`.execute(db);
    const firstPage = await this.#poll(batch, -1);
    return { accepted, recorded, firstPage, lastPage: await this.#poll(batch, perBatch - perRecording - 1) };
  }

  /** One of what is over so soon that a single one tells little. */
  #often(act: () => Promise<unknown>): Promise<Taken> {
    return this.meter.take(async () => {
      for (let time = 0; time < times; time++) await act();
    }, times);
  }

  /** As whoever asks for the batch has it read: its row, and fifty of its results. */
  #poll(batch: batches.BatchSpan, afterPosition: number): Promise<Taken> {
    return this.#often(async () => {
      const row = await this.#found(batch);
      const page = await results.after(this.meter.db, row, { afterPosition, limit: perRecording });
      if (page.length !== perRecording) throw new Error(`${page.length} results`);
    });
  }

  async #pagesOfHistory(): Promise<Round> {
    const { db } = this.meter;
    const { rows } = await sql<{ checkedAt: Date; requestId: number }>`
      select checked_at, request_id from history where account_id = ${this.#accountId} and type = 'index'
      and checked_at < now() - interval '45 days' order by checked_at desc, request_id desc limit 1`.execute(
      db,
    );
    const [after] = rows;
    const read = (filter: { after?: typeof after; isIndexed?: boolean }) =>
      this.#often(() =>
        history.list(db, this.#accountId, { type: 'index', days: historyDays, limit: perPage, ...filter }),
      );
    const countUpTo = 10_001;
    return {
      'the first page of the history': await read({}),
      'its middle page, by cursor': await read({ after }),
      'a page of what is indexed': await read({ isIndexed: true, after }),
      'how many there are, up to 10,001': await this.#often(() =>
        history.count(db, this.#accountId, { type: 'index', days: historyDays }, countUpTo),
      ),
    };
  }

  /** The look every five minutes, for which nothing counts as new but what came after a moment. */
  async #watch(since: Date): Promise<Taken> {
    const { db } = this.meter;
    // It goes back a minute from there: rows carry the moment at which their transaction began.
    const verifiedAt = new Date(since.getTime() + 60_000);
    await chores.noteResult(db, ledgerChore, { ok: true, verifiedAt, faults: [] });
    return this.meter.take(async () => {
      const { ok, entries } = await watchLedger(db);
      if (!ok || entries !== 2) throw new Error(`${entries} entries, ${ok ? 'sound' : 'unsound'}`);
    });
  }

  async #pass(): Promise<Taken> {
    const { db } = this.meter;
    // Where little is stored it comes to its end, and begins again.
    const pass = () => goOn(db, { rowsMax: passRows, everySeconds: 0 });
    const before = await passState(db);
    const all = await this.meter.take(pass);
    const after = await passState(db);
    const isSame = before?.beganAt === after?.beganAt;
    const thousands = ((after?.rows ?? 0) - (isSame ? (before?.rows ?? 0) : 0)) / 1000;
    return {
      ms: all.ms / thousands,
      processorMs: all.processorMs / thousands,
      blocks: all.blocks / thousands,
    };
  }

  /** Of what is stored one group more has expired at each call. */
  #purge(nth: number): Promise<Taken> {
    const days = keptDays + expiredGroups - 1 - nth;
    return this.meter.take(async () => {
      const purged = await purge(this.meter.db, { days, historyDays: days });
      if (purged.batches !== 10 || purged.historyPoints !== 500)
        throw new Error(`${purged.batches} batches, ${purged.historyPoints} points`);
    });
  }

  /** One that is stored; another of about then has been read, so that its partition is known to the connection. */
  async #someBatch(): Promise<batches.BatchRow> {
    const { rows } = await sql<batches.BatchRef>`
      select account_id, batch_id from batches where total = ${perBatch} and completed_at > (
        select completed_at from batches where total = ${perBatch}
        and completed_at between now() - interval '80 days' and now() - interval '7 days'
        order by random() limit 1)
      order by completed_at limit 2`.execute(this.meter.db);
    const [other, one] = rows;
    if (!other || !one) throw new Error('Too little is stored');
    await this.#poll(await this.#found(other), -1);
    return this.#found(one);
  }

  async #found(ref: batches.BatchRef): Promise<batches.BatchRow> {
    const row = await batches.find(this.meter.db, ref);
    if (!row) throw new Error(`No batch ${ref.batchId}`);
    return row;
  }

  async #now(): Promise<Date> {
    await pause(2);
    const { rows } = await sql<{ now: Date }>`select now() as now`.execute(this.meter.db);
    return rows[0]?.now ?? new Date();
  }
}
