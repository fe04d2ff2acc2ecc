import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { sql } from 'kysely';
import { findLast } from '../../../db/monitors/points.ts';
import { rankAnswer, rankQuery } from '../../support/answers.ts';
import { monitored } from '../../support/monitored.ts';
import { useRecords } from '../../support/records.ts';

const migration = fileURLToPath(new URL('../../../db/migrations/0014-rival-ranks.sql', import.meta.url));

describe('the migration of ranks of competitors', () => {
  const records = useRecords({ isForEach: true });

  it('converts ranks by position with the competitors of the query', async () => {
    const { db } = records;
    const lists = [
      ['b.example', 'https://a.example/x_y'],
      ['added.example', 'late.example'],
      ['removed.example'],
      [],
    ];
    const inputs = lists.map((urls, nth) =>
      rankQuery({ keyword: `k${nth}`, ...(urls.length > 0 ? { competitor_urls: urls } : {}) }),
    );
    const stored = ['{7,null}', '{3}', '{4,5}', null];
    const accountIds = [await records.account(), await records.account()];
    const monitors = [];
    for (const accountId of accountIds) {
      const monitor = await monitored(records, accountId, 'keyword', inputs);
      await monitor.run(
        new Date(),
        inputs.map(() => rankAnswer(1)),
      );
      monitors.push(monitor);
    }
    for (const { accountId, subjects } of monitors)
      for (const [nth, { subjectId }] of subjects.entries())
        await sql`update points set rivals = ${stored[nth]}::smallint[], rival_ranks = null
          where account_id = ${accountId} and subject_id = ${subjectId}`.execute(db);
    const text = await readFile(migration, 'utf8');
    await sql.raw(text.slice(text.indexOf('update points'))).execute(db);
    for (const { accountId, subjects } of monitors) {
      const ids = subjects.map(({ subjectId }) => subjectId);
      const found = await findLast(db, accountId, ids);
      expect(ids.map((id) => found.get(id)?.rivals)).to.deep.equal([
        { 'b.example': 7, 'https://a.example/x_y': null },
        { 'added.example': 3 },
        { 'removed.example': 4 },
        null,
      ]);
    }
  });
});
