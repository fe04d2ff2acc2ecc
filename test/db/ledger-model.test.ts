import { expect } from 'chai';
import fc from 'fast-check';
import type { PgBoss } from 'pg-boss';
import { verify } from '../../db/ledger/verification.ts';
import { createTestBoss } from '../support/boss.ts';
import { ModelledAccount, type Step, step } from '../support/ledger-model.ts';
import { borrowRecords, type Records } from '../support/records.ts';

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
      // A slow machine runs fewer. Shrinking a failure stops at the same limit.
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
