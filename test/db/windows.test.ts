import { expect } from 'chai';
import { sql } from 'kysely';
import type * as chunks from '../../db/chunks.ts';
import * as orphans from '../../db/orphans.ts';
import { TestWindows } from '../support/windows.ts';

describe('a window beside processes that know none', () => {
  let windows: TestWindows;

  before(async () => {
    windows = await TestWindows.open();
  });

  after(() => windows.close());

  it('is filled by one sweep where a process of before has left no successors', async () => {
    const accountId = await windows.records.account(500);
    await windows.submit(accountId, 500);
    for (const chunk of await windows.queuedOf(accountId)) await windows.settleAsBefore(chunk);
    expect(await windows.queuedOf(accountId)).to.deep.equal([]);
    await windows.sweep();
    expect(await windows.queuedOf(accountId)).to.have.length(40);
    await windows.expectWhole(accountId);
  });

  it('takes no more while a process of before has written a job for every chunk', async () => {
    const accountId = await windows.records.account(1110);
    await windows.submit(accountId, 1100);
    // As one goes back to that version, too: whose job is gone gets a new one.
    await sql`
      update chunks set job_id = md5(chunk_id::text)::uuid
      where account_id = ${accountId} and job_id is null`.execute(windows.records.db);
    expect((await windows.sweep()).chunksReenqueued).to.equal(100);
    await windows.submit(accountId, 10);
    const queued = await windows.queuedOf(accountId);
    expect(queued).to.have.length(110);
    for (const chunk of queued.slice(0, 10)) await windows.settle(chunk);
    expect(await windows.waitingOf(accountId)).to.equal(1);
    await windows.settle(queued[10] as chunks.ChunkRef);
    expect(await windows.waitingOf(accountId)).to.equal(0);
    await windows.expectWhole(accountId);
  });

  it('leaves a chunk that waits alone, which has no job to lose', async () => {
    const accountId = await windows.records.account(500);
    await windows.submit(accountId, 500);
    await sql`update chunks set created_at = now() - interval '1 day'
      where account_id = ${accountId}`.execute(windows.records.db);
    expect(await orphans.findChunks(windows.records.db, 1000)).to.deep.equal([]);
  });
});
