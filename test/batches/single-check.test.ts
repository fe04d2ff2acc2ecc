import { expect } from 'chai';
import { createAllowance } from '../../accounts/allowance.ts';
import { answer, begin, giveBack } from '../../batches/single-check.ts';
import { inTransaction, type Trx } from '../../db/connect.ts';
import * as ledger from '../../db/ledger.ts';
import { verify } from '../../db/ledger-verify.ts';
import { inOneTrip, inPromptTransaction } from '../../db/prompt-transaction.ts';
import { createRequestIds } from '../../db/request-ids.ts';
import type { SingleCheck } from '../../db/single-checks.ts';
import { type AnswerOf, exampleOf } from '../../schemas/check-types.ts';
import { borrowRecords, type Records, refusal } from '../support/records.ts';

const input = { url: 'https://a.example/' };
const result = { outcome: exampleOf('http').answer as AnswerOf<'http'>, tally: [] };

describe('a single check', () => {
  let records: Records;

  beforeEach(async () => {
    records = await borrowRecords();
  });

  afterEach(async () => {
    expect(await verify(records.db)).to.include({ ok: true });
    await records.giveBack();
  });

  const desk = () => ({
    requestIds: createRequestIds(records.db),
    allowance: createAllowance(records.db, { isOff: false }),
  });

  const begun = async (accountId: number, at = desk()): Promise<SingleCheck> => {
    const act = begin(at, { accountId, type: 'http', input });
    await act.before?.();
    return inPromptTransaction(records.db, act.perform);
  };

  it('is one of twenty of its account, exactly, when a hundred begin at once', async () => {
    const accountId = await records.account(100);
    const at = desk();
    const all = await Promise.allSettled(Array.from({ length: 100 }, () => begun(accountId, at)));
    const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason.word] : []));
    expect(refused).to.deep.equal(Array(80).fill('too_many_in_flight'));
    expect(await ledger.balance(records.db, accountId)).to.equal(80);
    const [first] = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    await inOneTrip(records.db, (trx) => answer(trx, first as SingleCheck, result));
    expect(await begun(accountId, at)).to.include({ accountId });
    expect(await refusal(begun(accountId, at))).to.match(/At most 20/);
  });

  it('without a credit leaves nothing', async () => {
    const accountId = await records.account();
    expect(await refusal(begun(accountId))).to.match(/1 credits are needed and 0 are there/);
  });

  it('is settled once, by its answer or by whoever gives it back', async () => {
    const accountId = await records.account(5);
    const [first, second] = [await begun(accountId), await begun(accountId)];
    const giveUp = (check: SingleCheck) => (trx: Trx) => giveBack(trx, check, 'checker_failed');
    const late = (check: SingleCheck) => inOneTrip(records.db, (trx) => answer(trx, check, result));
    expect(await late(first)).to.include({ credits: 3 });
    expect(await refusal(late(first))).to.match(/given up/);
    expect(await inTransaction(records.db, giveUp(first))).to.equal(false);
    expect(await inTransaction(records.db, giveUp(second))).to.equal(true);
    expect(await refusal(late(second))).to.match(/given up/);
    expect(await ledger.balance(records.db, accountId)).to.equal(4);
  });

  it('leaves no point of a history when its answer comes too late', async () => {
    const accountId = await records.account(5);
    const check = { ...(await begun(accountId)), type: 'index' as const };
    await inTransaction(records.db, (trx) => giveBack(trx, { ...check, type: 'http' }, 'checker_failed'));
    const index = { outcome: exampleOf('index').answer as AnswerOf<'index'>, tally: [] };
    expect(await refusal(inOneTrip(records.db, (trx) => answer(trx, check, index)))).to.match(/given up/);
    expect(await records.db.selectFrom('history').selectAll().execute()).to.deep.equal([]);
  });
});
