import { expect } from 'chai';
import { sql } from 'kysely';
import { confirm } from '../../db/accounts/user-emails.ts';
import * as users from '../../db/accounts/users.ts';
import { verify } from '../../db/ledger/verification.ts';
import * as digests from '../../db/notifications/digests.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { advance, startDueRun } from '../../monitors/run.ts';
import { httpAnswer } from '../support/answers.ts';
import { PostgresProxy } from '../support/postgres-proxy.ts';
import { borrowRecords, type Records } from '../support/records.ts';
import { createRunStepper, type RunStepper } from '../support/run-stepper.ts';

const hourMs = 3_600_000;
/** Maximum round trips. No act needs as many. */
const tripsMax = 60;

describe('a process that loses its connection during a run', () => {
  let records: Records;
  let proxy: PostgresProxy;
  /** A process whose connection is cut, and another one that continues its work. */
  let doomed: RunStepper;
  let sound: RunStepper;
  let direct: Records;
  let now = Date.UTC(2026, 10, 20);

  before(async () => {
    proxy = new PostgresProxy();
    direct = await borrowRecords();
    records = await borrowRecords(
      1,
      (url) => proxy.open(url),
      async () => ({ url: direct.url, giveBack: async () => {} }),
    );
    doomed = await createRunStepper({ db: records.db, url: direct.url });
    sound = await createRunStepper(direct);
  });
  after(async () => {
    await doomed.close();
    await sound.close();
    await records.giveBack();
    await proxy.close();
    await direct.giveBack();
  });

  const make = async () => {
    await sound.moveClock(new Date(now));
    const accountId = await direct.account(10_000);
    return sound.make(accountId, {
      notify: { when: 'always', webhook_url: 'http://receiver.invalid/', email: true },
    });
  };
  /** Sends all events to an owner in one mail a day. */
  const mailDaily = async (accountId: number) => {
    sound.deps.mail = doomed.deps.mail = 'smtp';
    await inTransaction(direct.db, async (trx) => {
      const email = 'owner@example.com';
      const owner = await users.create(trx, { accountId, email, passwordHash: null, role: 'owner' });
      await confirm(trx, owner);
      await digests.change(trx, accountId, { at: '08:00', timezone: 'Europe/Berlin' });
    });
  };
  /** Repeats an act. Each time, the connection is cut one round trip later, until the act completes before the cut. */
  const cutOffEverywhere = async (
    prepare: () => Promise<void>,
    act: () => Promise<unknown>,
    look: () => Promise<void>,
  ) => {
    // If a statement gets no answer, the rows are the same as if the next statement were not sent. A few such cases are
    // enough.
    const steps = { unsent: 4, unanswered: 1 } as const;
    for (const when of ['unsent', 'unanswered'] as const) {
      for (let nth = 1; ; nth += steps[when]) {
        expect(nth, 'trips').to.be.below(tripsMax);
        await prepare();
        // The last act was cut off: a new connection must exist before the count starts.
        await sql`select 1`.execute(records.db);
        proxy.cutAt(nth, when);
        await act().catch(() => {});
        const wasCut = proxy.wasCut;
        proxy.cutAt(Number.POSITIVE_INFINITY, when);
        await look();
        if (!wasCut) break;
      }
    }
  };

  it('has begun a run with its charge, batch and jobs, or nothing, and another begins it once', async () => {
    const monitor = await make();
    let begun = 0;
    await cutOffEverywhere(
      async () => {
        now += hourMs;
        await sound.moveClock(new Date(now));
      },
      async () => {
        await startDueRun(doomed.deps, monitor);
      },
      async () => {
        const { rows } = await sql<{ runs: number; charges: number; batches: number; jobs: number }>`
          select (select count(*) from monitor_runs where account_id = ${monitor.accountId}) as runs,
            (select count(*) from ledger_entries where account_id = ${monitor.accountId} and kind = 'charge') as charges,
            (select count(*) from batches where account_id = ${monitor.accountId}) as batches,
            (select count(*) from chunks where account_id = ${monitor.accountId}) as jobs`.execute(direct.db);
        const [counts] = rows;
        expect(counts?.runs).to.be.oneOf([begun, begun + 1]);
        expect(new Set(Object.values(counts ?? {})), JSON.stringify(counts)).to.have.length(1);
        const passed = await sound.pass();
        expect(passed.started).to.equal(counts?.runs === begun ? 1 : 0);
        begun += 1;
        await sql`update monitor_runs set status = 'failed', failed = subjects, finished_at = now()
          where finished_at is null`.execute(direct.db);
      },
    );
    const dues = (
      await sql<{
        dueAt: Date;
      }>`select due_at from monitor_runs where account_id = ${monitor.accountId}`.execute(direct.db)
    ).rows;
    expect(new Set(dues.map(({ dueAt }) => dueAt.getTime()))).to.have.length(begun);
    expect(begun).to.be.above(10);
  });

  it('has ended a run and sent its event, or neither, and another ends it once', async () => {
    const monitor = await make();
    await mailDaily(monitor.accountId);
    let ended = 0;
    await cutOffEverywhere(
      async () => {
        now += hourMs;
        await sound.moveClock(new Date(now));
        await sound.pass();
        const run = (await sound.runsOf(monitor)).at(-1);
        if (!run) throw new Error('no run was begun');
        await sound.answer(run, () => httpAnswer());
      },
      async () => {
        const run = (await sound.runsOf(monitor)).at(-1);
        await advance(doomed.deps, run ?? (monitor as never));
      },
      async () => {
        await sound.advanceAll();
        ended += 1;
        const runs = await sound.runsOf(monitor);
        expect(runs.map(({ status }) => status)).to.deep.equal(Array(ended).fill('completed'));
        const told = await sound.eventsOf(monitor);
        expect(told).to.have.length(ended);
        const { rows } = await sql<{ tallies: number; deliveries: number }>`
          select (select count(*) from run_tallies where account_id = ${monitor.accountId}) as tallies,
            (select count(*) from deliveries where account_id = ${monitor.accountId}) as deliveries`.execute(
          direct.db,
        );
        expect(rows[0]).to.deep.equal({ tallies: ended, deliveries: ended });
        const { rows: enqueued } = await sql<{ about: string }>`
          select ids->>'about' as about from mails where account_id = ${monitor.accountId}`.execute(
          direct.db,
        );
        expect(enqueued.map(({ about }) => about)).to.deep.equal([runs.map(({ runId }) => runId).join(' ')]);
      },
    );
    expect(ended).to.be.above(10);
  });

  it('leaves the ledger right', async () => {
    expect((await verify(direct.db)).ok).to.equal(true);
  });
});
