import { expect } from 'chai';
import { sql } from 'kysely';
import * as accounts from '../../db/accounts/accounts.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { verify } from '../../db/ledger/proofs.ts';
import * as monitors from '../../db/monitors/monitors.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { httpAnswer } from '../support/answers.ts';
import { deskOfSuite } from '../support/desk-of-suite.ts';
import { stepsOf } from '../support/run-desk.ts';
import { expectToldAsDocumented } from '../support/told-events.ts';

describe('runs, step by step', () => {
  const held = deskOfSuite();

  const fine = () => httpAnswer();
  const { at, last, runAt, told } = stepsOf(() => held.desk);

  it('a row of shortfalls is told once, an overlap between them or not', async () => {
    await at(1, 0);
    const accountId = await held.records.account(2);
    const monitor = await held.desk.make(accountId);
    await runAt(1, monitor);
    await at(2);
    await held.desk.pass();
    await inTransaction(held.records.db, (trx) => ledger.grant(trx, accountId, 2, null));
    await at(3);
    await held.desk.pass();
    await at(4);
    await held.desk.pass();
    const reasons = (await held.desk.runsOf(monitor)).map(({ reason }) => reason);
    expect(reasons).to.deep.equal([null, 'insufficient_credits', null, 'overlap']);
    await held.desk.answer((await held.desk.runsOf(monitor))[2] ?? (monitor as never), fine);
    await held.desk.advanceAll();
    await at(5);
    await held.desk.pass();
    await sql`insert into monitor_runs (account_id, run_id, monitor_id, kind, status, reason, due_at, finished_at)
      values (${accountId}, gen_random_uuid(), ${monitor.monitorId}, 'check', 'skipped', 'overlap',
        '2026-11-20T05:30:00Z', now())`.execute(held.records.db);
    await at(6);
    await held.desk.pass();
    const skips = (await held.desk.toldOf(monitor)).filter(({ event }) => event === 'monitor.run_skipped');
    const of = skips.map(({ body }) => (body.run as { reason: string }).reason);
    expect(of).to.deep.equal(['insufficient_credits', 'overlap', 'insufficient_credits']);
  });

  it('losses that had gone ten minutes later are not told, those that stood are, under the run that saw them', async () => {
    await at(1, 0);
    const monitor = await held.desk.make(await held.records.account(100));
    await runAt(1, monitor);
    const run = await runAt(2, monitor, () => httpAnswer({ status: 0, error: 'connect_timeout' }));
    expect(await told(monitor)).to.deep.equal([]);
    expect(run.confirmSubjects).to.have.length(2);
    await at(2, 20);
    expect((await held.desk.pass()).confirmed).to.equal(0);
    await at(2, 25);
    const [one, other] = await Promise.all([held.desk.pass(), held.desk.pass()]);
    expect(one.confirmed + other.confirmed).to.equal(1);
    const confirmation = await last(monitor);
    expect([confirmation.kind, confirmation.confirms]).to.deep.equal(['confirmation', run.runId]);
    // It is no overlap, and hinders none.
    await held.desk.answer(confirmation, (input) =>
      'url' in input && input.url.endsWith('1')
        ? httpAnswer()
        : httpAnswer({ status: 0, error: 'connect_timeout' }),
    );
    await held.desk.advanceAll();
    const [event, ...others] = await held.desk.toldOf(monitor);
    expect(others).to.deep.equal([]);
    expect(event?.body).to.include({ event: 'monitor.changed' });
    expect(event?.body.counts).to.deep.equal({ unreachable: 1 });
    const [change] = (event?.body.changes ?? []) as Array<{ run_id: string }>;
    expect(change?.run_id).to.equal(run.runId);
    await at(3, 0);
    expect((await held.desk.pass()).confirmed).to.equal(0);
  });

  it('a confirmation that nothing is left to pay for leaves it to the next run', async () => {
    await at(1, 0);
    const accountId = await held.records.account(4);
    const monitor = await held.desk.make(accountId);
    await runAt(1, monitor);
    const lost = () => httpAnswer({ status: 0, error: 'connect_timeout' });
    await runAt(2, monitor, lost);
    await at(2, 25);
    await held.desk.pass();
    expect(await last(monitor)).to.include({ kind: 'confirmation', reason: 'insufficient_credits' });
    expect(await told(monitor)).to.deep.equal([]);
    await inTransaction(held.records.db, (trx) => ledger.grant(trx, accountId, 2, null));
    await runAt(3, monitor, lost);
    expect(await told(monitor)).to.deep.equal(['monitor.changed']);
  });

  it('an account without allowance has its runs skipped, told once', async () => {
    await at(1, 0);
    const accountId = await held.records.account(100);
    const monitor = await held.desk.make(accountId);
    await sql`insert into allowances (account_id, weight) values (${accountId}, 1000000)`.execute(
      held.records.db,
    );
    for (const hour of [1, 2]) {
      await at(hour);
      await held.desk.pass();
      expect(await last(monitor)).to.include({ status: 'skipped', reason: 'allowance_exhausted' });
    }
    expect(await told(monitor)).to.deep.equal(['monitor.run_skipped']);
  });

  it('every hour with 2,000 addresses and 10 credits costs nothing, and is paused after three', async () => {
    await at(1, 0);
    const inputs = Array.from({ length: 2000 }, (_, nth) => ({ url: `https://example.com/${nth}` }));
    const accountId = await held.records.account(10);
    const monitor = await held.desk.make(accountId, { inputs });
    for (const hour of [1, 2, 3, 4]) {
      await at(hour);
      await held.desk.pass();
    }
    expect(await held.desk.runsOf(monitor)).to.have.length(3);
    expect(await monitors.find(held.records.db, monitor)).to.include({ status: 'paused' });
    expect(await inTransaction(held.records.db, (trx) => ledger.balance(trx, accountId))).to.equal(10);
  });

  it('a run whose job is gone is gone on with by the pass', async () => {
    await at(1, 0);
    const monitor = await held.desk.make(await held.records.account(100));
    await at(1);
    await held.desk.pass();
    const run = await last(monitor);
    await held.desk.answer(run, fine);
    expect((await held.desk.pass()).sweptRuns).to.equal(0);
    await sql`update monitor_runs set created_at = now() - interval '2 minutes' where run_id = ${run.runId}`.execute(
      held.records.db,
    );
    await sql`alter table batches disable trigger batch_ends_once`.execute(held.records.db);
    await sql`update batches set completed_at = now() - interval '2 minutes',
      started_at = now() - interval '2 minutes', created_at = now() - interval '2 minutes'
      where run_id = ${run.runId}`.execute(held.records.db);
    await sql`alter table batches enable trigger batch_ends_once`.execute(held.records.db);
    expect((await held.desk.pass()).sweptRuns).to.equal(1);
    await held.desk.advanceAll();
    expect((await last(monitor)).status).to.equal('completed');
  });

  it('an account that is disabled in the middle of a run has it ended, and no other', async () => {
    await at(1, 0);
    const accountId = await held.records.account(100);
    const monitor = await held.desk.make(accountId);
    await at(1);
    await held.desk.pass();
    await accounts.disable(held.records.db, accountId);
    await held.desk.answer(await last(monitor), fine);
    await held.desk.advanceAll();
    expect((await last(monitor)).status).to.equal('completed');
    await at(2);
    await held.desk.pass();
    expect(await held.desk.runsOf(monitor)).to.have.length(1);
  });

  it('leave the ledger sound', async () => {
    expect((await verify(held.records.db)).ok).to.equal(true);
  });

  it('has told what it told as the document says', () => expectToldAsDocumented(held.records.db));
});
