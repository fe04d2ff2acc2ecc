import { expect } from 'chai';
import { feed, glance } from '../../monitors/glance.ts';
import { indexAnswer } from '../support/answers.ts';
import { monitored } from '../support/monitored.ts';
import { borrowRecords, type Records } from '../support/records.ts';

describe('monitors at a glance', () => {
  let records: Records;

  before(async () => {
    records = await borrowRecords();
  });

  after(() => records.giveBack());

  it('are their last run and what they told since, those of one account', async () => {
    const [accountId, stranger] = [await records.account(), await records.account()];
    const made = [];
    for (const owner of [accountId, accountId, stranger])
      made.push(
        await monitored(records, owner, 'index', [{ url: 'https://example.com/' }], { confirmLosses: false }),
      );
    const [shop, unused, theirs] = made;
    if (!shop || !unused || !theirs) throw new Error('three were made');
    for (const monitor of [shop, theirs]) {
      await monitor.run(new Date('2026-01-01T06:00:00Z'), [indexAnswer(false)]);
      await monitor.run(new Date('2026-01-02T06:00:00Z'), [indexAnswer(true)]);
    }
    const monitors = [shop, unused, theirs].map(({ monitorId }) => ({ monitorId, type: 'index' as const }));
    const hourAgo = new Date(Date.now() - 3_600_000);
    const seen = await glance(records.db, accountId, monitors, hourAgo);
    expect(seen.get(shop.monitorId)?.latest).to.deep.include({ answered: 1, indexed: 1, share_indexed: 1 });
    expect(seen.get(shop.monitorId)?.changes).to.deep.equal([{ kind: 'indexed', changes: 1 }]);
    expect(seen.get(unused.monitorId)).to.deep.equal({ latest: null, changes: [] });
    expect(seen.get(theirs.monitorId)).to.deep.equal({ latest: null, changes: [] });

    const told = await feed(records.db, accountId, { since: hourAgo, limit: 10 });
    expect(told.map(({ monitor_id, kind }) => [monitor_id, kind])).to.deep.equal([
      [shop.monitorId, 'indexed'],
    ]);
    const later = new Date(Date.now() + 3_600_000);
    expect(await feed(records.db, accountId, { since: later, limit: 10 })).to.deep.equal([]);
  });
});
