import { expect } from 'chai';
import { sql } from 'kysely';
import { refusal, useRecords } from '../support/records.ts';

describe('the constraints reject', () => {
  const records = useRecords();
  let accountId: number;
  const batchId = '00000000-0000-4000-8000-000000000001';

  before(async () => {
    accountId = await records.account(10);
    const batch = { accountId, batchId, type: 'http' as const, firstRequestId: 1, total: 3 };
    await records.db.insertInto('batches').values(batch).execute();
  });

  const update = (set: string) =>
    sql`update batches set ${sql.raw(set)} where account_id = ${accountId} and batch_id = ${batchId}`.execute(
      records.db,
    );

  const refused: Array<[what: string, set: string, by: RegExp]> = [
    ['more outcomes than items', 'successful = 4', /batch_counters_add_up/],
    [
      'finished but not counted out',
      "status = 'completed', completed_at = now()",
      /finished_when|status_tells/,
    ],
    ['counted out but not finished', 'successful = 3', /finished_when_counted_out|status_tells/],
    ['failed with successes', "successful = 3, status = 'failed', completed_at = now()", /status_tells/],
    [
      'completed with failures',
      "successful = 2, failed = 1, status = 'completed', completed_at = now()",
      /status_tells/,
    ],
    ['processing that never started', "status = 'processing'", /status_tells/],
    ['canceled but running', 'canceled_at = now()', /canceled_is_finished/],
    ['fewer failures than skipped entries', 'skipped = 1', /batch_counters_add_up/],
    ['an unknown status', "status = 'done'", /status/],
    ['an invalid type', "type = 'HTTP status'", /batches_type_form/],
  ];

  for (const [what, set, by] of refused) {
    it(what, async () => {
      expect(await refusal(update(set))).to.match(by);
    });
  }

  it('counters that decrease', async () => {
    await update("successful = 1, started_at = now(), status = 'processing'");
    expect(await refusal(update('successful = 0'))).to.match(/cannot decrease/);
  });

  it('a second end', async () => {
    await update("successful = 2, failed = 1, status = 'partial', completed_at = now()");
    expect(await refusal(update("status = 'failed', successful = 2"))).to.match(/has ended/);
    expect(await refusal(update("completed_at = now() + interval '1 second'"))).to.match(/has ended/);
    await update("retried_as = '00000000-0000-4000-8000-000000000002', purged_at = now()");
  });

  it('an item with an answer and an error, or with neither', async () => {
    const item = { accountId, requestId: 1, type: 'http' as const, input: '{}' };
    const insert = (values: object) =>
      records.db
        .insertInto('items')
        .values({ ...item, ...values } as never)
        .execute();
    expect(await refusal(insert({ state: 'success', outcome: '{}', error: 'canceled' }))).to.match(
      /answer_or_error/,
    );
    expect(await refusal(insert({ state: 'success' }))).to.match(/answer_or_error/);
    expect(await refusal(insert({ state: 'failed' }))).to.match(/answer_or_error/);
  });

  it('an item whose outcome changes', async () => {
    const item = {
      accountId,
      requestId: 2,
      type: 'http' as const,
      input: '{}',
      state: 'success' as const,
      outcome: '{}',
    };
    await records.db.insertInto('items').values(item).execute();
    expect(await refusal(sql`update items set state = 'failed'`.execute(records.db))).to.match(
      /has its outcome/,
    );
  });

  it('credits below zero', async () => {
    expect(await refusal(sql`update accounts set credits = -1`.execute(records.db))).to.match(/credits/);
  });
});
