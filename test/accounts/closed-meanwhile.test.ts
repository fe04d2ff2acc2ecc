import { expect } from 'chai';
import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import { close } from '../../accounts/close.ts';
import * as accounts from '../../db/accounts/accounts.ts';
import * as tokens from '../../db/accounts/tokens.ts';
import { eventually } from '../support/eventually.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { type CallOptions, TestService } from '../support/service.ts';
import { tracesOf } from '../support/traces.ts';

const hook = 'https://ann.invalid/hook';
const urls = ['https://ann.invalid/'];
const batch = { urls, reference: 'for Ann', webhook_url: hook };
const schedule = { every: 'day' };

interface Asked extends Pick<CallOptions, 'method' | 'body'> {
  path: string;
  isTest?: boolean;
  /** Where it is written late, and what it is then answered. */
  written?: string;
  answered?: number;
}

const requests: Record<string, Asked> = {
  'a batch': { path: '/http-status/bulk', body: batch, written: 'chunks', answered: 202 },
  'a batch of skipped entries': {
    path: '/check/bulk',
    body: { ...batch, urls: ['nonsense'], on_invalid: 'skip' },
    written: 'items',
    answered: 202,
  },
  'a batch of a test': {
    path: '/http-status/bulk',
    body: batch,
    isTest: true,
    written: 'chunks',
    answered: 202,
  },
  'a single check': { path: '/http-status', body: { url: urls[0] }, written: 'chunks', answered: 200 },
  'a single check of a test': {
    path: '/http-status',
    body: { url: 'https://ok.sonde.test/' },
    isTest: true,
    written: 'chunks',
    answered: 200,
  },
  'a monitor': { path: '/monitors', body: { name: 'Ann', type: 'http', urls, schedule } },
  'a token': { path: '/tokens', body: { name: 'Ann' } },
  'an alert': { path: '/credits/alert', method: 'PATCH', body: { threshold: 1, webhook_url: hook } },
  'another webhook secret': { path: '/webhooks/secret/rotate', method: 'POST' },
};

describe('what is asked for while its account is closed', () => {
  let service: TestService;
  let boss: PgBoss;

  before(async () => {
    service = await TestService.start();
    boss = await service.boss();
  });

  after(async () => {
    await service.addWorker();
    await service.quiet();
    expect(await service.problems()).to.deep.equal([]);
    await service.stop();
  });

  for (const [name, { written, answered, ...request }] of Object.entries(requests)) {
    if (written)
      itOnOneServer(`${name} that was begun before leaves nothing behind`, async () => {
        const { accountId, ask } = await asking(request);
        const { answer, closed } = await service.db.transaction().execute(async (trx) => {
          await sql`lock table ${sql.table(written)} in exclusive mode`.execute(trx);
          const answer = ask();
          await waiting(1);
          const closed = close(service.db, post(), accountId);
          await Promise.race([closed, waiting(2)]);
          return { answer, closed };
        });
        await closed;
        expect((await answer).status).to.equal(answered);
        expect(await tracesOf(service.db, accountId, /Ann|ann\.invalid|rotated"/)).to.deep.equal([]);
      });

    itOnOneServer(`${name} is refused from then on`, async () => {
      const { accountId, ask } = await asking(request);
      const asked = await service.db.transaction().execute(async (trx) => {
        await sql`select from accounts where account_id = ${accountId} for update`.execute(trx);
        const answer = ask();
        // Who asks is known by now.
        await Promise.race([answer, waiting(1)]);
        await accounts.disable(trx, accountId);
        return { answer };
      });
      const { status, body } = await asked.answer;
      expect([status, body.error]).to.deep.equal([401, 'unauthorized']);
      expect(await tracesOf(service.db, accountId, /Ann|ann\.invalid|rotated"/)).to.deep.equal([]);
    });
  }

  const post = () => ({ boss, mail: 'off' as const });

  async function asking({ path, isTest = false, ...request }: Asked) {
    const { accountId, token: live } = await service.account();
    const token = isTest ? await tokens.issue(service.db, accountId, 'of a test', { isTest }) : live;
    const headers = { 'Idempotency-Key': path };
    return { accountId, ask: () => service.call(path, { token, headers, ...request }) };
  }

  /** Until so many wait for a lock. */
  const waiting = (count: number) =>
    eventually(async () => {
      const { rows } = await sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(service.db);
      return rows.length >= count || null;
    });
});
