import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { sql } from 'kysely';
import * as tokens from '../../db/accounts/tokens.ts';
import { verify } from '../../db/ledger/verification.ts';
import { operations } from '../../schemas/openapi.ts';
import { type Answer, useService } from '../support/service.ts';

type Kind = 'live' | 'test';

/** An act on the nth batch, which is a test or a live one. */
interface Step {
  by: Kind;
  act: 'single' | 'bulk' | 'cancel' | 'retry' | 'again' | 'rename' | 'resend' | 'read';
  nth: number;
  host: string;
  /**
   * Two requests with one key are one repeated request if their tokens have the same kind. With a test and a live
   * token, they are two requests, and the second is rejected.
   */
  key: string | null;
}

const step = fc.record<Step>({
  by: fc.constantFrom('live', 'test'),
  act: fc.constantFrom('single', 'bulk', 'cancel', 'retry', 'again', 'rename', 'resend', 'read'),
  nth: fc.nat(5),
  host: fc.constantFrom('a.example', 'indexed.example', 'unreachable.example'),
  key: fc.constantFrom(null, null, 'one', 'two'),
});

/** Steps that resend the delivery of a canceled test batch, by either token. */
const onFirst = { nth: 0, host: 'a.example', key: null };
const resendBy = (by: Kind): Step[] => [
  ...(['bulk', 'cancel'] as const).map((act) => ({ ...onFirst, by: 'test' as const, act })),
  { ...onFirst, by, act: 'resend' },
];

/** Paths of lists of work, which any token of the account can read. */
const lists = operations
  .filter(
    ({ method, path, isOpen, scope }) =>
      method === 'get' && !isOpen && scope !== 'manage' && !path.includes('{'),
  )
  .map(({ path }) => path.replace('/api/v1', ''))
  // A workbook contains the time at which it was made.
  .filter((path) => !path.endsWith('.xlsx'))
  // These contain data of the account, which both kinds of tokens may read.
  .filter((path) => !/^\/(me|activity|members|credits)/.test(path));

describe('test work and live work', () => {
  // This service has no worker. Queued work stays, and only requests have effects.
  const service = useService();

  it('never mix, in any sequence of acts by either token, on batches of the other and with its keys', async () => {
    // Returns the text of each list, as one kind of token sees it.
    const seenBy = (token: string) =>
      Promise.all(
        lists.map(async (path) => {
          const headers = { Authorization: `Bearer ${token}` };
          const answer = await fetch(`${service.baseUrl}/api/v1${path}`, { headers });
          return `${path} ${await answer.text()}`;
        }),
      );
    const countRows = async (accountId: number) => {
      const { rows } = await sql`
        select (select count(*) from ledger_entries where account_id = ${accountId}) as entries,
          (select credits from accounts where account_id = ${accountId}) as credits,
          (select count(*) from history where account_id = ${accountId}) as history,
          (select count(*) from monitors where account_id = ${accountId}) as monitors,
          (select coalesce(sum(pages), 0) from provider_usage) as pages`.execute(service.db);
      return rows[0];
    };
    let [refused, done] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 6 }), async (steps) => {
        const account = await service.account(100);
        const { accountId } = account;
        const token: Record<Kind, string> = {
          live: account.token,
          test: await tokens.issue(service.db, accountId, 'trial', { isTest: true }),
        };
        const made: Array<{ by: Kind; batchId: string }> = [];
        for (const { by, act, nth, host, key } of steps) {
          const other: Kind = by === 'live' ? 'test' : 'live';
          const before = await seenBy(token[other]);
          const rows = await countRows(accountId);
          const subject = made[nth % (made.length || 1)] ?? { by: other, batchId: randomUUID() };
          const call = (path: string, method: string, body?: object): Promise<Answer> =>
            service.call(path, {
              token: token[by],
              method,
              body,
              headers: key ? { 'Idempotency-Key': key } : {},
            });
          const answer = await {
            single: () => call('/http-status', 'POST', { url: `http://127.0.0.1:9/${host}` }),
            bulk: () =>
              call('/check/bulk', 'POST', { urls: [`https://${host}/`], webhook_url: 'http://127.0.0.1:9/' }),
            cancel: () => call(`/batch/${subject.batchId}/cancel`, 'POST'),
            retry: () => call(`/batch/${subject.batchId}/retry`, 'POST'),
            again: () => call(`/batch/${subject.batchId}/again`, 'POST'),
            rename: () => call(`/batch/${subject.batchId}/rename`, 'POST', { name: host }),
            resend: () => call(`/webhooks/deliveries/${subject.batchId}/resend`, 'POST'),
            read: () => call(`/batch/${subject.batchId}`, 'GET'),
          }[act]();
          const isOfSubject = act !== 'single' && act !== 'bulk';
          if (isOfSubject && subject.by === other) {
            // A key of another request is rejected before the lookup.
            expect([404, 409], act).to.include(answer.status);
            refused += 1;
          } else if (answer.status < 300) done += 1;
          if (answer.status < 300) {
            const { success: _, ...said } = answer.body;
            // A delivery names its batch, and nothing else.
            if (act !== 'resend')
              expect(said.simulated ?? said.is_test ?? false, act).to.equal(by === 'test');
            if (
              said.batch_id &&
              said.batch_id !== subject.batchId &&
              !made.some(({ batchId }) => batchId === said.batch_id)
            )
              made.push({ by, batchId: said.batch_id });
          }
          expect(await seenBy(token[other]), `${act} by ${by}`).to.deep.equal(before);
          if (by === 'test') expect(await countRows(accountId), act).to.deep.equal(rows);
        }
        const { rows: batches } = await sql<{ batchId: string; isTest: boolean }>`
          select batch_id, is_test from batches where account_id = ${accountId}`.execute(service.db);
        const isTest = new Map(made.map(({ by, batchId }) => [batchId, by === 'test']));
        for (const batch of batches) expect(batch.isTest).to.equal(isTest.get(batch.batchId));
      }),
      { numRuns: 8, includeErrorInReport: true, examples: [[resendBy('test')], [resendBy('live')]] },
    );
    // The acts must have been effective.
    expect(lists.length).to.be.at.least(4);
    expect(Math.min(refused, done)).to.be.greaterThan(5);
    expect((await verify(service.db)).faults).to.deep.equal([]);
  });
});
