import { expect } from 'chai';
import type { LedgerFault } from '../../../db/ledger/ledger-checks.ts';
import * as faults from '../../../db/ledger/ledger-faults.ts';
import { inTransaction } from '../../../db/postgres/connect.ts';
import { borrowRecords, type Records } from '../../support/records.ts';

describe('faults on record', () => {
  let records: Records;

  before(async () => {
    records = await borrowRecords();
  });

  after(() => records.giveBack());

  it('may be more than a statement has parameters for', async () => {
    const accountId = await records.account();
    const found = Array.from({ length: 12_000 }, (_, place): LedgerFault => {
      return { accountId, what: 'single_checks', subject: String(place), expected: 0, found: 1, note: null };
    });
    await inTransaction(records.db, (trx) => faults.keep(trx, found));
    const [first, ...others] = await faults.list(records.db, 20_000);
    expect(others).to.have.lengthOf(11_999);
    expect(first)
      .to.deep.include({ accountId, subject: '0', found: 1, note: null })
      .and.have.property('foundAt');

    await inTransaction(records.db, (trx) =>
      faults.keep(trx, [{ ...found[0], found: 2, note: 'x' } as LedgerFault]),
    );
    const [changed] = await faults.list(records.db, 1);
    expect(changed).to.deep.equal({ ...first, found: 2, note: 'x' });
    await inTransaction(records.db, (trx) => faults.forget(trx, found.slice(1)));
    expect(await faults.list(records.db, 10)).to.deep.equal([changed]);
  });
});
