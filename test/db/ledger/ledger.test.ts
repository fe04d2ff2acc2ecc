import { expect } from 'chai';
import { sql } from 'kysely';
import * as singleChecks from '../../../db/batches/single-checks.ts';
import * as ledger from '../../../db/ledger/ledger.ts';
import { inTransaction } from '../../../db/postgres/connect.ts';
import { refusal, useRecords } from '../../support/records.ts';

describe('the ledger', () => {
  const records = useRecords();

  const charge = (accountId: number, requestId: number) => {
    const check = { accountId, requestId, type: 'http' as const, input: { url: 'https://a.example/' } };
    return inTransaction(records.db, (trx) => singleChecks.begin(trx, check));
  };

  it('records the history of an account entry by entry', async () => {
    const accountId = await records.account(100);
    await charge(accountId, 7);
    await inTransaction(records.db, (trx) => ledger.refund(trx, accountId, 1, 7));
    await inTransaction(records.db, (trx) => ledger.adjust(trx, accountId, -40, 'a mistake'));
    const entries = await ledger.list(records.db, accountId, { limit: 10 });
    expect(
      entries.map(({ entryNo, kind, amount, balanceAfter }) => [entryNo, kind, amount, balanceAfter]),
    ).to.deep.equal([
      [4, 'adjustment', -40, 60],
      [3, 'refund', 1, 100],
      [2, 'charge', -1, 99],
      [1, 'grant', 100, 100],
    ]);
    expect(await ledger.balance(records.db, accountId)).to.equal(60);
  });

  it('accepts ten of fifty concurrent charges for ten credits', async () => {
    const accountId = await records.account(10);
    const asked = Array.from({ length: 50 }, (_, index) => charge(accountId, index + 1));
    const begun = (await Promise.all(asked)).filter((one) => one !== null);
    expect(begun).to.have.lengthOf(10);
    expect(await ledger.balance(records.db, accountId)).to.equal(0);
  });

  it('charges and refunds a check once', async () => {
    const accountId = await records.account(10);
    await charge(accountId, 1);
    expect(await refusal(charge(accountId, 1))).to.match(/one_entry_per_check/);
    const refund = () => inTransaction(records.db, (trx) => ledger.refund(trx, accountId, 1, 1));
    await refund();
    expect(await refusal(refund())).to.match(/one_entry_per_check/);
  });

  const forbidden = [
    'update ledger_entries set amount = 1',
    'delete from ledger_entries',
    'truncate ledger_entries cascade',
  ];
  for (const statement of forbidden) {
    it(`rejects: ${statement}`, async () => {
      await records.account(10);
      expect(await refusal(sql.raw(statement).execute(records.db))).to.match(/append-only|permission denied/);
    });
  }

  it('rejects an entry that does not continue the balance, or skips one', async () => {
    const accountId = await records.account(10);
    const insert = (entryNo: number, balanceAfter: number) =>
      records.db
        .insertInto('ledgerEntries')
        .values({ accountId, entryNo, kind: 'grant', amount: 5, balanceAfter })
        .execute();
    expect(await refusal(insert(2, 16))).to.match(/does not continue/);
    expect(await refusal(insert(3, 15))).to.match(/no predecessor/);
  });

  it('rejects a refund without a charge, and a charge for two things', async () => {
    const accountId = await records.account(10);
    const insert = (values: object) =>
      records.db
        .insertInto('ledgerEntries')
        .values({ accountId, entryNo: 2, ...values } as never)
        .execute();
    expect(await refusal(insert({ kind: 'refund', amount: 1, balanceAfter: 11 }))).to.match(/check/);
    const both = { batchId: '00000000-0000-4000-8000-000000000001', requestId: 1 };
    expect(await refusal(insert({ kind: 'charge', amount: -1, balanceAfter: 9, ...both }))).to.match(/check/);
    expect(await refusal(insert({ kind: 'charge', amount: 1, balanceAfter: 11, requestId: 1 }))).to.match(
      /check/,
    );
  });
});
