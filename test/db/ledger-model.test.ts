import { expect } from 'chai';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import { uncountedAllowance } from '../../accounts/allowance.ts';
import { acceptBatches, prepareBatches } from '../../batches/accept.ts';
import { cancelBatch } from '../../batches/cancel.ts';
import { recordBatchOutcomes } from '../../batches/record.ts';
import { recordAnswer, refundCheck } from '../../batches/single-check.ts';
import type * as batches from '../../db/batches/batches.ts';
import type * as items from '../../db/batches/items.ts';
import * as singleChecks from '../../db/batches/single-checks.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { verify } from '../../db/ledger/verification.ts';
import { type Db, inTransaction, type Trx } from '../../db/postgres/connect.ts';
import { ApiError } from '../../process/api-error.ts';
import { type AnswerOf, getExample } from '../../schemas/check-types.ts';
import { getAnswerPrice, getPrice } from '../../schemas/features.ts';
import { createTestBoss } from '../support/boss.ts';
import { borrowRecords, type Records } from '../support/records.ts';

type Outcome = 'open' | 'success' | 'failed';

interface ModelBatch {
  batchId: string;
  firstId: number;
  items: Outcome[];
  isRetried: boolean;
}

/** One operation on an account. `which` selects a batch or a check modulo their number. */
interface Step {
  kind: 'grant' | 'charge' | 'settle' | 'submit' | 'record' | 'cancel' | 'retry';
  which: number;
  size: number;
  /** Bit mask of the positions of the operation. `answered` has the positions with an answer. */
  about: number;
  answered: number;
  /** The process dies before it commits. */
  isCrash: boolean;
}

const weighted = (kind: Step['kind'], weight: number) => ({ arbitrary: fc.constant(kind), weight });

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    weighted('grant', 3),
    weighted('charge', 2),
    weighted('settle', 3),
    weighted('submit', 4),
    weighted('record', 6),
    weighted('cancel', 2),
    weighted('retry', 2),
  ),
  which: fc.nat(20),
  size: fc.integer({ min: 1, max: 10 }),
  about: fc.nat(1023),
  answered: fc.nat(1023),
  isCrash: fc.nat(5).map((number) => number === 0),
});

class Crash extends Error {}

/** An account in Postgres with a simple model of it in memory. */
class ModelledAccount {
  readonly #db: Db;
  readonly #deps: { boss: PgBoss; allowance: typeof uncountedAllowance };
  readonly #accountId: number;
  #credits = 0;
  #entries = 0;
  #nextId = 1;
  readonly #batches: ModelBatch[] = [];
  readonly #singles: Array<{ requestId: number; state: Outcome }> = [];

  constructor(db: Db, boss: PgBoss, accountId: number) {
    this.#db = db;
    this.#deps = { boss, allowance: uncountedAllowance };
    this.#accountId = accountId;
  }

  /** Runs a step in Postgres and, once committed, in the model, then compares both. */
  async live(step: Step): Promise<void> {
    const commit = inTransaction(this.#db, async (trx) => {
      const effect = await this[step.kind](trx, step);
      if (step.isCrash) throw new Crash();
      return effect;
    });
    const effect = await commit.catch((error) => {
      if (error instanceof ledger.InsufficientCreditsError) {
        expect(error).to.include({ available: this.#credits });
        expect(error.needed).to.be.greaterThan(this.#credits);
      } else if (!(error instanceof Crash)) throw error;
      return () => {};
    });
    effect();
    await this.#compare();
  }

  async grant(trx: Trx, { size }: Step) {
    await ledger.grant(trx, this.#accountId, size * 3, null);
    return () => this.#move(size * 3);
  }

  async charge(trx: Trx) {
    const requestId = this.#nextId++;
    const check = { accountId: this.#accountId, requestId, type: 'http' as const, input: inputAt(requestId) };
    const price = getPrice(check.input);
    if ((await singleChecks.begin(trx, check)) === null)
      throw new ledger.InsufficientCreditsError(price, await ledger.balance(trx, this.#accountId));
    return () => {
      this.#move(-price);
      this.#singles.push({ requestId, state: 'open' });
    };
  }

  /** Settles a check. It may already be settled, because a handler may return after the sweep. */
  async settle(trx: Trx, { which, answered }: Step) {
    const single = this.#singles[which % this.#singles.length];
    if (!single) return () => {};
    const isAnswered = answered % 2 === 1;
    const check = {
      accountId: this.#accountId,
      requestId: single.requestId,
      type: 'http' as const,
      input: inputAt(single.requestId),
    };
    const isOurs = await (isAnswered ? isAnswerTaken(trx, check) : refundCheck(trx, check, 'checker_failed'));
    expect(isOurs).to.equal(single.state === 'open');
    // An answer to a settled check fails the transaction.
    if (isAnswered && !isOurs) throw new Crash();
    return () => {
      if (!isOurs) return;
      single.state = isAnswered ? 'success' : 'failed';
      const refund = refundAt(single.requestId, isAnswered);
      if (refund > 0) this.#move(refund);
    };
  }

  submit(trx: Trx, { size }: Step) {
    return this.#accept(trx, size, null);
  }

  /** Records outcomes. Some positions may already be settled, because a chunk may run a second time. */
  async record(trx: Trx, { which, about, answered }: Step) {
    const batch = this.#batches[which % this.#batches.length];
    if (!batch) return () => {};
    const positions = batch.items
      .map((_, position) => position)
      .filter((position) => about & (1 << position));
    const isAnswered = (position: number) => (answered & (1 << position)) > 0;
    const outcomes = positions.map((position) => ({
      requestId: batch.firstId + position,
      chunkId: batch.firstId,
      position,
      input: inputAt(batch.firstId + position),
      result: createResult(batch.firstId + position, isAnswered(position)),
    }));
    await recordBatchOutcomes(trx, this.#deps, this.#refOf(batch), outcomes);
    return () => this.#settle(batch, positions, isAnswered);
  }

  async cancel(trx: Trx, { which }: Step) {
    const batch = this.#batches[which % this.#batches.length];
    if (!batch) return () => {};
    const wasOver = isOver(batch);
    const canceled = await cancelBatch(trx, this.#deps, this.#refOf(batch));
    expect(canceled.canceledAt !== null || wasOver).to.equal(true);
    return () => this.#settle(batch, [...batch.items.keys()], () => false);
  }

  async retry(trx: Trx, { which }: Step) {
    const batch = this.#batches[which % this.#batches.length];
    const failed = batch?.items.filter((state) => state === 'failed').length ?? 0;
    if (!batch || !isOver(batch) || batch.isRetried || failed === 0) return () => {};
    const effect = await this.#accept(trx, failed, batch);
    return () => {
      batch.isRetried = true;
      effect();
    };
  }

  async #accept(trx: Trx, size: number, retried: ModelBatch | null) {
    const firstId = this.#nextId;
    this.#nextId += size;
    const inputs = Array.from({ length: size }, (_, position) => ({
      position,
      input: inputAt(firstId + position),
    }));
    const request = {
      ...{
        accountId: this.#accountId,
        type: 'http' as const,
        inputs,
        options: {},
        skipped: [],
        duplicates: 0,
      },
      ...{ reference: null, webhookUrl: null, retryOf: retried?.batchId },
    };
    const prepared = await prepareBatches({ requestIds: { reserve: async () => firstId } }, [request]);
    const [accepted] = await acceptBatches(trx, this.#deps, prepared);
    const batchId = String(accepted?.batchId);
    const price = inputs.reduce((sum, { input }) => sum + getPrice(input), 0);
    return () => {
      this.#move(-price);
      this.#batches.push({ batchId, firstId, items: Array(size).fill('open'), isRetried: false });
    };
  }

  #settle(batch: ModelBatch, positions: number[], isAnswered: (position: number) => boolean): void {
    const open = positions.filter((position) => batch.items[position] === 'open');
    for (const position of open) batch.items[position] = isAnswered(position) ? 'success' : 'failed';
    const refunds = open.map((position) => refundAt(batch.firstId + position, isAnswered(position)));
    const refunded = refunds.reduce((sum, refund) => sum + refund, 0);
    if (refunded > 0) this.#move(refunded);
  }

  #move(amount: number): void {
    this.#credits += amount;
    this.#entries += 1;
  }

  #refOf({ batchId }: ModelBatch): batches.BatchRef {
    return { accountId: this.#accountId, batchId };
  }

  async #compare(): Promise<void> {
    const { rows } = await sql<{ credits: number; entries: number; sum: number; batches: object[] | null }>`
      select credits, entries,
        (select coalesce(sum(amount), 0)::bigint from ledger_entries where account_id = accounts.account_id) as sum,
        (select json_agg(json_build_array(batch_id, status, successful, failed) order by batch_id) from batches
          where account_id = accounts.account_id) as batches
      from accounts where account_id = ${this.#accountId}`.execute(this.#db);
    const expected = this.#batches.map(({ batchId, items }) => {
      const count = (state: Outcome) => items.filter((item) => item === state).length;
      const [open, successful, failed] = [count('open'), count('success'), count('failed')];
      // These batches are never started, so they stay pending until their end.
      const end = failed === 0 ? 'completed' : successful === 0 ? 'failed' : 'partial';
      return [batchId, open > 0 ? 'pending' : end, successful, failed];
    });
    expect({ ...rows[0], batches: rows[0]?.batches ?? [] }).to.deep.equal({
      credits: this.#credits,
      entries: this.#entries,
      sum: this.#credits,
      batches: expected.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    });
    expect(this.#credits).to.be.at.least(0);
  }
}

function isOver({ items }: ModelBatch): boolean {
  return !items.includes('open');
}

async function isAnswerTaken(trx: Trx, check: singleChecks.SingleCheck): Promise<boolean> {
  try {
    await recordAnswer(trx, check, { outcome: outcomeAt(check.requestId), tally: [] });
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.code).to.equal('check_given_up');
    return false;
  }
}

function createResult(requestId: number, isAnswered: boolean): items.NewItem['result'] {
  return isAnswered ? { outcome: outcomeAt(requestId), tally: [] } : { error: 'checker_failed' };
}

/** Every second check wants an AI Overview, and every fourth finds one. */
function inputAt(requestId: number): { url: string } {
  const input = { url: 'https://a.example/' };
  const include = ['ai_overview'];
  return requestId % 2 === 1 ? Object.assign(input, { include }) : input;
}

function outcomeAt(requestId: number): AnswerOf {
  const state = requestId % 4 === 3 ? 'shown' : 'not_shown';
  const answer = requestId % 2 === 1 ? { ai_overview: { state } } : {};
  return { ...getExample('http').answer, ...answer } as AnswerOf;
}

function refundAt(requestId: number, isAnswered: boolean): number {
  const paid = isAnswered ? getAnswerPrice(outcomeAt(requestId)) : 0;
  return getPrice(inputAt(requestId)) - paid;
}

const histories = 200;
/** Histories that run concurrently, each on its own account. */
const atOnce = 20;

describe('the ledger and a model of it', () => {
  let records: Records;
  let boss: PgBoss;

  before(async () => {
    records = await borrowRecords();
    boss = createTestBoss({ url: records.url, backend: 'postgres', max: 1, role: 'web' });
    await boss.start();
  });

  after(async () => {
    await boss.stop({ graceful: false });
    await records.giveBack();
  });

  it(`agree for ${histories} histories of grants, charges, refunds, cancels, retries and crashes`, async () => {
    const history = fc.array(step, { minLength: 4, maxLength: 10 });
    const group = fc.array(history, { minLength: atOnce, maxLength: atOnce });
    await fc.assert(
      fc.asyncProperty(group, (group) => Promise.all(group.map(live)).then(() => {})),
      // A slow machine runs fewer histories. Shrinking a failure stops at the same limit.
      { numRuns: histories / atOnce, includeErrorInReport: true, interruptAfterTimeLimit: 60_000 },
    );
    const verified = await verify(records.db);
    expect(verified.faults).to.deep.equal([]);
    expect(verified.accounts).to.be.at.least(atOnce);
  });

  async function live([first, ...steps]: Step[]): Promise<void> {
    if (!first) return;
    const account = new ModelledAccount(records.db, boss, await records.account());
    await account.live({ ...first, kind: 'grant', isCrash: false });
    for (const step of steps) await account.live(step);
  }
});
