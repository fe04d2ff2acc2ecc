import { expect } from 'chai';
import { sql } from 'kysely';
import * as activity from '../../db/accounts/activity.ts';
import * as tokens from '../../db/accounts/tokens.ts';
import { verify } from '../../db/ledger/verification.ts';
import { claim } from '../../db/queue/chores.ts';
import {
  allAccountsChore,
  changedAccountsChore,
  verifyAllAccounts,
  verifyChangedAccounts,
} from '../../upkeep/ledger-verification.ts';
import { purge } from '../../upkeep/retention.ts';
import { insertHistory } from '../support/history.ts';
import { useRecords } from '../support/records.ts';

describe('data past its retention', () => {
  // These tests run without a process, because its purge would interfere.
  const records = useRecords();

  it('includes revoked tokens, and no others', async () => {
    const accountId = await records.account();
    for (const name of ['old', 'recent']) await tokens.issue(records.db, accountId, name);
    await sql`update api_tokens set created_at = now() - interval '1 year'`.execute(records.db);
    await sql`update api_tokens set revoked_at = now() - interval '91 days' where name = 'old'`.execute(
      records.db,
    );
    await sql`update api_tokens set revoked_at = now() - interval '89 days' where name = 'recent'`.execute(
      records.db,
    );
    const { revokedTokens } = await purge(records.db, { days: 90, historyDays: 1100 });
    expect(revokedTokens).to.equal(1);
    const left = await tokens.list(records.db, accountId);
    expect(left.map(({ name }) => name)).to.deep.equal(['recent']);
  });

  it('includes activity older than 400 days', async () => {
    const { db } = records;
    const accountId = await records.account();
    for (const about of ['old', 'recent']) {
      await activity.record(db, { accountId, what: 'token_made', by: activity.operator, about });
    }
    await sql`update activity set noted_at = now() - case about when 'old' then 401 else 399 end * interval '1 day'
      where account_id = ${accountId}`.execute(db);
    expect(await purge(db, { days: 90, historyDays: 1100 })).to.include({ activity: 1 });
    const left = await activity.list(db, accountId, { limit: 9 });
    expect(left.map(({ about }) => about)).to.deep.equal(['recent']);
  });

  it('stays while the ledger of its account has a fault', async () => {
    const { db } = records;
    const retention = { days: 90, historyDays: 1100 };
    const accountId = await records.account();
    await insertHistory(db, accountId, 5, '100 days');
    await sql`update accounts set credits = credits + 1 where account_id = ${accountId}`.execute(db);
    for (const chore of [changedAccountsChore, allAccountsChore]) await claim(db, chore, 1);
    expect(await verifyAllAccounts(db)).to.have.lengthOf(1);
    const other = await records.account();
    await insertHistory(db, other, 50, '100 days');
    let steps = 0;
    const stepped = async () => void steps++;
    expect(await purge(db, retention, { stepMax: 1, stepped })).to.include({ batches: 50, singleChecks: 50 });
    // Each batch and each check is a step, so that the purge can be stopped in between.
    expect(steps).to.be.at.least(100);

    await sql`update accounts set credits = credits - 1 where account_id = ${accountId}`.execute(db);
    expect(await purge(db, retention)).to.include({ batches: 0, singleChecks: 0 });
    expect(await verifyChangedAccounts(db)).to.deep.equal([]);
    expect(await purge(db, retention)).to.include({ batches: 5, singleChecks: 5 });
    expect((await verify(db)).faults).to.deep.equal([]);
  });

  describe('of more than fifty steps', () => {
    const retention = { days: 90, historyDays: 1100 };

    beforeEach(async () => {
      const accountId = await records.account();
      await sql`delete from idempotency_keys`.execute(records.db);
      await sql`
        insert into idempotency_keys (account_id, key, fingerprint, created_at)
        select ${accountId}, number::text, sha256(''), now() - interval '2 days' from generate_series(1, 300) as number
        `.execute(records.db);
    });

    const keysLeft = async () =>
      (await records.db.selectFrom('idempotencyKeys').select('key').execute()).length;

    it('is deleted in steps, until nothing is left', async () => {
      let steps = 0;
      const stepped = async () => {
        steps += 1;
        expect(await keysLeft()).to.equal(300 - 5 * steps);
      };
      const { idempotencyKeys } = await purge(records.db, retention, { stepMax: 5, stepped });
      expect({ idempotencyKeys, steps }).to.deep.equal({ idempotencyKeys: 300, steps: 60 });
    });

    it('is deleted later if the purge is stopped', async () => {
      const stopping = new AbortController();
      const stepped = async () => stopping.abort();
      const { signal } = stopping;
      expect(await purge(records.db, retention, { stepMax: 5, stepped, signal })).to.include({
        idempotencyKeys: 5,
      });
      expect(await keysLeft()).to.equal(295);
      expect(await purge(records.db, retention)).to.include({ idempotencyKeys: 295 });
    });
  });
});
