import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { sql } from 'kysely';
import * as tokens from '../../../db/accounts/tokens.ts';
import { eventually } from '../../support/eventually.ts';
import { TestService, useAccount, useService } from '../../support/service.ts';

describe('polling a batch', () => {
  const service = useService({ RATE_LIMIT_PER_MINUTE: '0' });
  const account = useAccount(service, 1000);

  const call = (path: string, options = {}) => service.call(path, { token: account.token, ...options });
  const cancel = (id: string) => call(`/batch/${id}/cancel`, { method: 'POST' });

  async function submit(): Promise<string> {
    const urls = ['https://example.com/', 'shoes'];
    return (await call('/http-status/bulk', { body: { urls, on_invalid: 'skip' } })).body.batch_id;
  }

  async function timed(path: string, options = {}) {
    const startedMs = performance.now();
    const answer = await call(path, options);
    return { answer, tookMs: performance.now() - startedMs };
  }

  it('answers 304 without a body while nothing has changed', async () => {
    const id = await submit();
    const first = await call(`/batch/${id}`);
    const tag = first.headers.get('etag') ?? '';
    expect(tag).to.match(/^W\/"[\w-]+"$/);
    for (const known of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) {
      const again = await call(`/batch/${id}`, { headers: { 'If-None-Match': known } });
      expect([again.status, again.text, again.headers.get('etag')], known).to.deep.equal([304, '', tag]);
      expect(again.headers.get('retry-after')).to.equal('2');
    }
    await cancel(id);
    const ended = await call(`/batch/${id}`, { headers: { 'If-None-Match': tag } });
    expect(ended.status).to.equal(200);
    expect(ended.headers.get('retry-after')).to.equal(null);
    expect(ended.headers.get('etag')).to.not.equal(tag);
  });

  it('has a different ETag for each selection of results, and after each visible change', async () => {
    const id = await submit();
    await cancel(id);
    const getEtag = async (query: string) => (await call(`/batch/${id}${query}`)).headers.get('etag');
    const whole = await getEtag('');
    expect(await getEtag('?results=partial')).to.equal(whole);
    expect(await getEtag('?results=none')).to.not.equal(whole);
    await call(`/batch/${id}/retry`, { method: 'POST' });
    const retried = await getEtag('');
    expect(retried).to.not.equal(whole);
    await sql`update batches set purged_at = now() where batch_id = ${id}`.execute(service.db);
    expect(await getEtag('')).to.not.equal(retried);
  });

  it('waits until the batch ends', async () => {
    const id = await submit();
    let isAnswered = false;
    const waiting = call(`/batch/${id}?wait=20`).finally(() => {
      isAnswered = true;
    });
    await pause(300);
    expect(isAnswered).to.equal(false);
    await cancel(id);
    const answer = await waiting;
    expect(answer.body).to.include({ status: 'failed', processed: 2 });
    expect(answer.body.results).to.have.lengthOf(2);
    // An ended batch is answered at once.
    expect((await timed(`/batch/${id}?wait=20`)).tookMs).to.be.below(15_000);
  });

  it('shows nothing to a token that is revoked during the wait', async () => {
    const id = await submit();
    const token = await tokens.issue(service.db, account.accountId, 'revoked');
    const tokenId = (await tokens.findCaller(service.db, token))?.tokenId ?? 0;
    const sentMs = Date.now();
    const waiting = call(`/batch/${id}?wait=25`, { token });
    await eventually(async () => (await listQueriesSince(sentMs)).length > 0 || null);
    await tokens.revoke(service.db, account.accountId, tokenId);
    await cancel(id);
    const { status, body } = await waiting;
    expect([status, body.error]).to.deep.equal([401, 'unauthorized']);
  });

  it('ends at the requested time, with the present state', async () => {
    const id = await submit();
    const { answer, tookMs } = await timed(`/batch/${id}?wait=1&results=partial`);
    expect(answer.body).to.include({ status: 'pending', processed: 1 });
    expect(answer.body.results).to.have.lengthOf(1);
    expect(tookMs).to.be.above(950);
    const tag = answer.headers.get('etag') ?? '';
    const unchanged = await timed(`/batch/${id}?wait=1&results=partial`, {
      headers: { 'If-None-Match': tag },
    });
    expect(unchanged.answer.status).to.equal(304);
    expect(unchanged.tookMs).to.be.above(950);
    expect((await call(`/batch/${id}?wait=0`)).body.status).to.equal('pending');
  });

  it('rejects waits outside of 0 to 25 seconds, and unknown batches', async () => {
    const id = await submit();
    for (const wait of ['26', '-1', '1.5', 'long', '1e1', '20&wait=20']) {
      const { status, body } = await call(`/batch/${id}?wait=${wait}`);
      expect([status, Object.keys(body.errors)], wait).to.deep.equal([422, ['wait']]);
    }
    const { answer } = await timed('/batch/00000000-0000-4000-8000-000000000000?wait=20');
    expect(answer.status).to.equal(404);
  });

  it('queries the database once per second for all waiting requests, at most 50 per account, without those who left', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, submit));
    const headers = { Authorization: `Bearer ${account.token}` };
    const hangingUp = new AbortController();
    const options = { headers, signal: hangingUp.signal };
    let refusals = 0;
    // A request that is answered after 25 seconds is sent again. In this way, 50 requests wait at once even on a busy
    // machine.
    const wait = (id = '') => {
      const waiting = request(`${service.baseUrl}/api/v1/batch/${id}?wait=25`, options);
      waiting.on('response', (response) => {
        response.resume();
        if (response.statusCode === 429) refusals += 1;
        else wait(id);
      });
      waiting.on('error', () => {}).end();
    };
    for (let count = 0; count < 53; count++) wait(ids[count % 10]);
    await eventually(async () => (refusals === 3 ? true : null));
    const refused = await eventually(async () => {
      const answer = await call(`/batch/${ids[0]}?wait=1`);
      if (answer.status !== 200) return answer;
      // This request takes the slot of the request that was just answered.
      wait(ids[0]);
      return null;
    });
    expect(refused.body).to.include({ success: false, error: 'too_many_waiting' });
    expect(refused.headers.get('retry-after')).to.equal('2');
    expect((await call(`/batch/${ids[0]}`)).status).to.equal(200);

    // The process sends one query per second for all fifty requests.
    const beforeMs = Date.now();
    await eventually(async () => ((await listQueriesSince(beforeMs)).length > 0 ? true : null));
    const beganMs = performance.now();
    const queries = await countQueriesWithin(1_500);
    expect(queries).to.be.below((performance.now() - beganMs) / 250);

    hangingUp.abort();
    await eventually(async () => ((await call(`/batch/${ids[0]}?wait=1`)).status === 200 ? true : null));
    await eventually(async () => ((await countQueriesWithin(1_100)) === 0 ? true : null));
  });

  it('is answered at once when the process stops', async () => {
    const other = await TestService.start();
    const { token } = await other.account(10);
    const body = { urls: ['https://example.com/'] };
    const { body: accepted } = await other.call('/http-status/bulk', { token, body });
    const waiting = other.call(`/batch/${accepted.batch_id}?wait=25`, { token });
    await eventually(async () => ((await listQueriesSince(0, other)).length > 0 ? true : null));
    const startedMs = performance.now();
    const stopped = other.stop();
    expect((await waiting).body.status).to.equal('pending');
    expect(performance.now() - startedMs).to.be.below(15_000);
    await stopped;
  });

  /** Counts the queries for ended batches within a period. */
  async function countQueriesWithin(ms: number): Promise<number> {
    const beganMs = Date.now();
    const queries = new Set<string>();
    while (Date.now() - beganMs < ms) {
      for (const query of await listQueriesSince(beganMs)) queries.add(query);
      await pause(25);
    }
    return queries.size;
  }

  /** Returns the queries for ended batches since a time. Sees only the last statement of each connection. */
  async function listQueriesSince(sinceMs: number, { db } = service): Promise<string[]> {
    const { rows } = await sql<{ query: string }>`
      select concat(pid, ' ', query_start) as query from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and query like '%as asked (account_id%' and query_start > to_timestamp(${sinceMs / 1000})`.execute(
      db,
    );
    return rows.map(({ query }) => query);
  }
});
