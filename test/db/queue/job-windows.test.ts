import { expect } from 'chai';
import { sql } from 'kysely';
import * as chunks from '../../../db/batches/chunks.ts';
import { TestWindows } from '../../support/windows.ts';

describe('a sweep of job windows', () => {
  let windows: TestWindows;

  before(async () => {
    windows = await TestWindows.open();
  });

  after(() => windows.close());

  it('fills a window that has no jobs left', async () => {
    const accountId = await windows.records.account(500);
    await windows.submit(accountId, 500);
    for (const chunk of await windows.queuedOf(accountId)) await windows.settleWithoutSuccessor(chunk);
    expect(await windows.queuedOf(accountId)).to.deep.equal([]);
    await windows.sweep();
    expect(await windows.queuedOf(accountId)).to.have.length(20);
    await windows.expectConsistent(accountId);
  });

  it('ignores a waiting chunk, which has no job to lose', async () => {
    const accountId = await windows.records.account(500);
    await windows.submit(accountId, 500);
    await sql`update chunks set created_at = now() - interval '1 day'
      where account_id = ${accountId}`.execute(windows.records.db);
    expect(await chunks.findOrphanedChunks(windows.records.db, 1000)).to.deep.equal([]);
  });
});
