import { expect } from 'chai';
import { sql } from 'kysely';
import type * as runs from '../../db/monitors/monitor-runs.ts';
import type * as monitors from '../../db/monitors/monitors.ts';
import { borrowRecords, type Records } from '../support/records.ts';
import { createRunStepper, createSteps, type RunStepper } from '../support/run-stepper.ts';

const another = '00000000-0000-4000-8000-000000000002';

describe('the constraints of monitors reject', () => {
  let records: Records;
  let stepper: RunStepper;
  let monitor: monitors.MonitorRow;
  let ended: runs.RunRow;
  let atWork: runs.RunRow;

  before(async () => {
    records = await borrowRecords();
    stepper = await createRunStepper(records);
    const { at, last, runAt } = createSteps(stepper);
    await at(1, 0);
    monitor = await stepper.make(await records.account(100));
    ended = await runAt(1, monitor);
    await at(2);
    await stepper.pass();
    atWork = await last(monitor);
  });
  after(async () => {
    await stepper.close();
    await records.giveBack();
  });

  /** Inserts a run of the monitor with these changes. */
  const run = (over: Record<string, unknown>) => {
    const row = {
      account_id: monitor.accountId,
      run_id: another,
      monitor_id: monitor.monitorId,
      kind: 'check',
      status: 'skipped',
      reason: 'overlap',
      finished_at: '2026-11-20T05:00:00Z',
      ...over,
    };
    const [names, values] = [Object.keys(row), Object.values(row)];
    return sql`insert into monitor_runs (${sql.join(names.map((name) => sql.id(name)))})
      values (${sql.join(values)})`.execute(records.db);
  };
  /** Inserts a failed run with the charge and the batch of the ended run. */
  const begun = (over: Record<string, unknown>) =>
    run({
      ...{ status: 'failed', reason: null, started_at: '2026-11-20T05:00:00Z', credits_charged: 2 },
      ...{ batch_id: ended.batchId, batch_ids: ended.batchIds, entry_no: ended.entryNo },
      ...{ subjects: 2, failed: 2, ...over },
    });
  const change = (over: Record<string, unknown>) => {
    const { kind, request, told } = { kind: 'status_changed', request: 1, told: 1, ...over };
    return sql`insert into changes (account_id, monitor_id, run_id, told_by, subject_id, kind, before, after, request_id, at)
      select ${monitor.accountId}::bigint, ${monitor.monitorId}::uuid, ${ended.runId}::uuid, ${ended.runId}::uuid, 1,
        ${kind}::text, '{}', '{}', ${request}::bigint, now()
      from generate_series(1, ${told}::int)`.execute(records.db);
  };

  // A trigger, whose message does not contain its name.
  const unpaid = 'run_names_its_charge|names no charge of its batch';
  const refused: Array<[what: string, how: () => Promise<unknown>, by: string]> = [
    ['a second run for a due time', () => run({ due_at: ended.dueAt }), 'run_once_per_due_time'],
    [
      'a second run at work',
      () => run({ status: 'preparing', reason: null, finished_at: null }),
      'run_one_at_work',
    ],
    ['a run that began without a charge', () => begun({ entry_no: null }), 'run_is_charged'],
    ['a run that began for 0 credits', () => begun({ credits_charged: 0 }), 'run_is_charged'],
    ['a run that began without a batch', () => begun({ batch_id: null, batch_ids: [] }), unpaid],
    ['a run whose charge is not there', () => begun({ entry_no: 99 }), unpaid],
    ['a run with the charge of another batch', () => begun({ entry_no: atWork.entryNo }), unpaid],
    ['a run that was skipped and charged', () => run({ entry_no: ended.entryNo }), unpaid],
    ['a run that was skipped without a reason', () => run({ reason: null }), 'run_skipped_for_a_reason'],
    ['a run that has ended and has no end', () => begun({ finished_at: null }), 'run_finished_or_at_work'],
    ['a run that lost some of its subjects', () => begun({ failed: 1 }), 'run_counts_add_up'],
    [
      'a run that is completed and failed',
      () => begun({ status: 'completed' }),
      'run_status_tells_the_counters',
    ],
    ['a run that is late without a due time', () => run({ late: true }), 'run_late_for_a_time'],
    ['a confirmation of nothing', () => run({ kind: 'confirmation' }), 'run_confirms_another'],
    [
      'a second confirmation of a run',
      async () => {
        await run({ kind: 'confirmation', confirms: ended.runId, run_id: ended.batchId });
        await run({ kind: 'confirmation', confirms: ended.runId });
      },
      'run_confirmed_once',
    ],
    [
      'a run of a monitor that is not there',
      () => run({ monitor_id: another }),
      'monitor_runs_account_id_monitor_id_fkey',
    ],
    ['a change without an answer', () => change({ request: null }), 'changes_need_an_answer'],
    ['a sitemap change with an answer', () => change({ kind: 'left_sitemap' }), 'changes_need_an_answer'],
    ['a second change of a subject in a run', () => change({ told: 2 }), 'changes_one_per_fact'],
    [
      'a monitor that is active and never due',
      () =>
        sql`update monitors set next_run_at = null where account_id = ${monitor.accountId}`.execute(
          records.db,
        ),
      'monitor_due_when_active',
    ],
    [
      'a monitor with more subjects than it may check',
      () =>
        sql`update monitors set subjects = 10001 where account_id = ${monitor.accountId}`.execute(records.db),
      'monitor_subjects_bounded',
    ],
  ];

  for (const [what, how, by] of refused) {
    it(what, async () => {
      expect(await findViolated(how())).to.match(new RegExp(by));
    });
  }

  it('nothing that is valid', async () => {
    await change({});
    await run({ due_at: '2026-11-20T04:15:00Z', run_id: '00000000-0000-4000-8000-000000000003' });
  });
});

/** Returns the constraint and the message of the rejection. On Citus, only the message names the constraint. */
async function findViolated(act: Promise<unknown>): Promise<string> {
  return act.then(
    () => {
      throw new Error('it was stored');
    },
    (error: { constraint?: string; message: string }) => `${error.constraint} ${error.message}`,
  );
}
