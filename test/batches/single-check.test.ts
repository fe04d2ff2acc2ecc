import { expect } from 'chai';
import { sql } from 'kysely';
import { beginCheck, recordAnswer, refundCheck } from '../../batches/single-check.ts';
import * as idempotency from '../../db/batches/idempotency.ts';
import { createRequestIds } from '../../db/batches/request-ids.ts';
import type { SingleCheck } from '../../db/batches/single-checks.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { verify } from '../../db/ledger/verification.ts';
import { inTransaction, type Trx } from '../../db/postgres/connect.ts';
import { type AnswerOf, getExample } from '../../schemas/check-types.ts';
import { eventually } from '../support/eventually.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { refusal, useRecords } from '../support/records.ts';

const input = { url: 'https://a.example/' };
const result = { outcome: getExample('http').answer as AnswerOf<'http'>, tally: [] };

describe('a single check', () => {
  const records = useRecords();

  afterEach(async () => expect(await verify(records.db)).to.include({ ok: true }));

  const createDeps = () => ({
    requestIds: createRequestIds(records.db),
  });

  const begun = async (accountId: number, deps = createDeps()): Promise<SingleCheck> => {
    const requestId = await deps.requestIds.reserve(1);
    const check = { accountId, requestId, type: 'http' as const, input };
    await inTransaction(records.db, (trx) => beginCheck(trx, {}, check));
    return check;
  };

  const begunUnderKey = async (): Promise<{ check: SingleCheck; key: idempotency.KeyRef }> => {
    const accountId = await records.account(5);
    const key = { accountId, key: 'k' };
    const check = await begun(accountId);
    await inTransaction(records.db, (trx) => idempotency.claim(trx, key, Buffer.alloc(32), check.requestId));
    return { check, key };
  };

  it('is one of twenty per account, also when a hundred begin at once', async () => {
    const accountId = await records.account(100);
    const deps = createDeps();
    const all = await Promise.allSettled(Array.from({ length: 100 }, () => begun(accountId, deps)));
    const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(refused).to.deep.equal(Array(80).fill('too_many_in_flight'));
    expect(await ledger.balance(records.db, accountId)).to.equal(80);
    const [first] = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    await recordAnswer(records.db, first as SingleCheck, result);
    expect(await begun(accountId, deps)).to.include({ accountId });
    expect(await refusal(begun(accountId, deps))).to.match(/20 single checks at a time/);
  });

  it('without a credit stores nothing', async () => {
    const accountId = await records.account();
    expect(await refusal(begun(accountId))).to.match(/This request costs 1 credit\. Your balance is 0\./);
  });

  it('is settled once, by its answer or by its refund', async () => {
    const accountId = await records.account(5);
    const [first, second] = [await begun(accountId), await begun(accountId)];
    const giveUp = (check: SingleCheck) => (trx: Trx) => refundCheck(trx, check, 'checker_failed');
    const late = (check: SingleCheck) => recordAnswer(records.db, check, result);
    expect(await late(first)).to.include({ credits: 3 });
    expect(await refusal(late(first))).to.match(/took too long/);
    expect(await inTransaction(records.db, giveUp(first))).to.equal(false);
    expect(await inTransaction(records.db, giveUp(second))).to.equal(true);
    expect(await refusal(late(second))).to.match(/took too long/);
    expect(await ledger.balance(records.db, accountId)).to.equal(4);
  });

  it('keeps its key after the answer, also if a refund comes later', async () => {
    const { check, key } = await begunUnderKey();
    await recordAnswer(records.db, check, result);
    await inTransaction(records.db, (trx) => refundCheck(trx, check, 'checker_failed'));
    expect(await idempotency.find(records.db, key)).to.include({ answer: null });
  });

  itOnOneServer('has no deadlock with its refund', async () => {
    const { check, key } = await begunUnderKey();
    const isAnyoneWaiting = async () =>
      (await sql`select from pg_locks where not granted`.execute(records.db)).rows[0] ?? null;
    let giving: Promise<boolean> | null = null;
    await inTransaction(records.db, async (trx) => {
      await recordAnswer(trx, check, result);
      giving = inTransaction(records.db, (other) => refundCheck(other, check, 'checker_failed'));
      await eventually(isAnyoneWaiting);
      await idempotency.saveResponse(trx, key, { status: 200, body: Buffer.from('{}') });
    });
    expect(await giving).to.equal(false);
    expect((await idempotency.find(records.db, key))?.answer).to.include({ status: 200 });
  });

  it('stores no point of a history if its answer is late', async () => {
    const accountId = await records.account(5);
    const check = { ...(await begun(accountId)), type: 'index' as const };
    await inTransaction(records.db, (trx) => refundCheck(trx, { ...check, type: 'http' }, 'checker_failed'));
    const index = { outcome: getExample('index').answer as AnswerOf<'index'>, tally: [] };
    expect(await refusal(recordAnswer(records.db, check, index))).to.match(/took too long/);
    expect(
      await records.db.selectFrom('history').selectAll().where('accountId', '=', accountId).execute(),
    ).to.deep.equal([]);
  });
});
