import { expect } from 'chai';
import { sql } from 'kysely';
import * as activity from '../../db/accounts/activity.ts';
import * as tokens from '../../db/accounts/tokens.ts';
import { list as listFaults } from '../../db/ledger/ledger-faults.ts';
import { claim } from '../../db/queue/chores.ts';
import { ledgerChore, watchLedger } from '../../upkeep/ledger-watch.ts';
import { purge } from '../../upkeep/retention.ts';
import { liveThrough } from '../support/history.ts';
import { borrowRecords, type Records } from '../support/records.ts';

describe('what has been kept long enough', () => {
  // Without a process, whose purge could come between.
  let records: Records;

  before(async () => {
    records = await borrowRecords();
  });

  after(() => records.giveBack());

  it('takes revoked tokens with it, and no other', async () => {
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

  it('takes activity of 400 days ago with it', async () => {
    const { db } = records;
    const accountId = await records.account();
    for (const about of ['old', 'recent']) {
      await activity.note(db, { accountId, what: 'token_made', by: activity.operator, about });
    }
    await sql`update activity set noted_at = now() - case about when 'old' then 401 else 399 end * interval '1 day'
      where account_id = ${accountId}`.execute(db);
    expect(await purge(db, { days: 90, historyDays: 1100 })).to.include({ activity: 1 });
    const left = await activity.list(db, accountId, { limit: 9 });
    expect(left.map(({ about }) => about)).to.deep.equal(['recent']);
  });

  it('is verified once more before it goes, and stays when it does not add up', async () => {
    const { db } = records;
    const accountId = await records.account();
    await liveThrough(db, accountId, 50, '100 days');
    const gone = [20 * 17, 20 * 18 + 11];
    await sql`delete from items where account_id = ${accountId} and request_id = any(${gone}::bigint[])`.execute(
      db,
    );
    const retention = { days: 90, historyDays: 1100 };
    let steps = 0;
    const stepped = async () => void steps++;
    const purged = await purge(db, retention, { stepMax: 1, stepped });
    expect(purged).to.include({ batches: 49, singleChecks: 49 });
    // A step each, of the doubtful ones too, so that it can be stopped there.
    expect(steps).to.be.at.least(100);
    expect(await purge(db, retention)).to.include({ batches: 0, singleChecks: 0 });
    const faults = await listFaults(db, 10);
    expect(faults.map(({ what, expected, found }) => [what, expected, found])).to.have.deep.members([
      ['batch_items', 11, 10],
      ['single_checks', 0, 1],
    ]);
    const left = await db
      .selectFrom('items')
      .select('requestId')
      .where('accountId', '=', accountId)
      .execute();
    expect(left.length).to.equal(10);

    await sql`
      insert into items (account_id, request_id, batch_id, position, type, state, input, outcome)
      select ${accountId}, request_id - 1, batch_id, 0, type, state, input, outcome from items
      where account_id = ${accountId} and position = 1`.execute(db);
    await claim(db, ledgerChore, 1);
    expect((await watchLedger(db)).faults).to.have.lengthOf(1);
    expect(await purge(db, retention)).to.include({ batches: 1, singleChecks: 0 });
  });

  describe('that is more than fits into fifty steps', () => {
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

    it('goes in steps, until nothing is left', async () => {
      let steps = 0;
      const stepped = async () => {
        steps += 1;
        expect(await keysLeft()).to.equal(300 - 5 * steps);
      };
      const { idempotencyKeys } = await purge(records.db, retention, { stepMax: 5, stepped });
      expect({ idempotencyKeys, steps }).to.deep.equal({ idempotencyKeys: 300, steps: 60 });
    });

    it('stops when it is to, and goes on another time', async () => {
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
