import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import { createAllowance } from '../../accounts/allowance.ts';
import { recordBatchOutcomes } from '../../batches/record.ts';
import * as batches from '../../db/batches/batches.ts';
import * as chunks from '../../db/batches/chunks.ts';
import { createRequestIds } from '../../db/batches/request-ids.ts';
import * as runs from '../../db/monitors/monitor-runs.ts';
import type * as monitors from '../../db/monitors/monitors.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { type DueWorkCounts, processDueMonitors } from '../../monitors/due-work.ts';
import { type CreateMonitorInput, createMonitor, defaultSubjectsMax } from '../../monitors/monitor.ts';
import { advance, type RunDeps } from '../../monitors/run.ts';
import type { ReadSitemap } from '../../monitors/sitemap.ts';
import type { AnswerOf, CheckType, InputOf } from '../../schemas/check-types.ts';
import { httpAnswer } from './answers.ts';
import { createTestBoss } from './boss.ts';
import { borrowRecords, type Records } from './records.ts';
import type { TestService } from './service.ts';

type Answer = AnswerOf<CheckType> | null;

/** Executes runs of monitors step by step, without a process: the test sets the clock, the answers and the sitemaps. */
export interface RunStepper {
  deps: RunDeps & { readSitemap: ReadSitemap };
  /** URLs in every sitemap until changed; null: it cannot be read. */
  sitemap: { listed: string[] | null; readings: number };
  moveClock(to: string | Date): Promise<void>;
  make(accountId: number, of?: Partial<CreateMonitorInput>): Promise<monitors.MonitorRow>;
  /** Handles due monitors. Throws failures by default. */
  pass(failed?: (error: unknown) => void): Promise<DueWorkCounts>;
  /** Answers all checks of a run; null: a failure. */
  answer(run: runs.RunRef, by: (input: InputOf) => Answer): Promise<void>;
  /** Advances every unfinished run. */
  advanceAll(): Promise<void>;
  /** Returns the runs of a monitor, oldest first. */
  runsOf(ref: monitors.MonitorRef): Promise<runs.RunRow[]>;
  /** Returns the events of a monitor, oldest first. */
  eventsOf(ref: monitors.MonitorRef): Promise<Array<{ event: string; body: Record<string, unknown> }>>;
  close(): Promise<void>;
}

/** Creates a stepper over a database of the test. */
export async function createRunStepper({ db, url }: Pick<Records, 'db' | 'url'>): Promise<RunStepper> {
  const boss = createTestBoss({ url, backend: 'postgres', max: 1, role: 'web' });
  await boss.start();
  return { ...stepWith(db, boss), close: () => boss.stop({ graceful: false }) };
}

function stepWith(db: Records['db'], boss: PgBoss): Omit<RunStepper, 'close'> {
  const allowance = createAllowance(db, { isOff: false });
  const sitemap: RunStepper['sitemap'] = { listed: null, readings: 0 };
  const readSitemap = async () => {
    sitemap.readings += 1;
    return sitemap.listed;
  };
  const deps = {
    ...{ db, boss, allowance, readSitemap },
    requestIds: createRequestIds(db),
    mail: 'off' as const,
    baseUrl: 'http://localhost',
  };
  return {
    deps,
    sitemap,
    moveClock: async (to) => {
      const at = new Date(to).toISOString();
      const body = `$$select '${at}'::timestamptz$$`;
      await sql
        .raw(`create or replace function clock() returns timestamptz language sql stable as ${body}`)
        .execute(db);
    },
    make: (accountId, of) => {
      const asked = { ...usual, accountId, ...of };
      const { subjectsMax = defaultSubjectsMax(asked.sitemapUrl, asked.inputs.length) } = asked;
      const request = { ...asked, subjectsMax };
      return inTransaction(db, (trx) => createMonitor(trx, { allowance, monitorsMax: 1000 }, request));
    },
    pass: (failed = rethrow) =>
      processDueMonitors(deps, { failed, signal: new AbortController().signal, stepped: async () => {} }),
    answer: async (ref, by) => {
      const run = await runs.find(db, ref);
      const { accountId } = ref;
      for (const batchId of run?.batchIds ?? []) {
        const batch = await batches.find(db, { accountId, batchId });
        if (!batch) continue;
        await sql`update batches set started_at = now(), status = 'processing'
          where account_id = ${accountId} and batch_id = ${batchId}`.execute(db);
        const items = (await chunks.listUnsettled(db, batch)).map(
          ({ request_id: requestId, chunkId, position, input }) => {
            const outcome = by(input);
            return {
              ...{ requestId, chunkId, position, input },
              result: outcome ? { outcome, tally: [] } : { error: 'checker_failed' as const },
            };
          },
        );
        await inTransaction(db, (trx) => recordBatchOutcomes(trx, deps, batch, items as never));
      }
    },
    advanceAll: async () => {
      const open = await db
        .selectFrom('monitorRuns')
        .select(['accountId', 'runId'])
        .where('finishedAt', 'is', null)
        .execute();
      for (const ref of open) await advance(deps, ref);
    },
    runsOf: async (ref) => (await runs.list(db, ref, { limit: 100 })).toReversed(),
    eventsOf: async ({ accountId, monitorId }) =>
      (await db
        .selectFrom('events')
        .select(['event', 'body'])
        .where('accountId', '=', accountId)
        .where('monitorId', '=', monitorId)
        .orderBy('createdAt')
        .execute()) as never,
  };
}

/**
 * Creates a stepper with a database for a suite, and deletes its monitors after each test. Its fields are set when the
 * suite's hooks have run.
 */
export function useRunStepper(): RunStepper & { readonly records: Records } {
  const stepper = {} as RunStepper & { records: Records };
  before(async () => {
    const records = await borrowRecords();
    Object.assign(stepper, { records }, await createRunStepper(records));
  });
  afterEach(() => deleteMonitors(stepper.records.db));
  after(async () => {
    await stepper.close();
    await stepper.records.giveBack();
  });
  return stepper;
}

/**
 * Creates a stepper for the monitors of a service, which starts none of them itself. Deletes them after each test. Its
 * fields are set when the suite's hooks have run.
 */
export function useServiceStepper(service: TestService): Omit<RunStepper, 'close'> {
  const stepper = {} as Omit<RunStepper, 'close'>;
  before(async () => {
    await service.pauseMonitors();
    Object.assign(stepper, stepWith(service.db, await service.boss()));
  });
  afterEach(() => deleteMonitors(service.db));
  return stepper;
}

export const deleteMonitors = (db: Records['db']) =>
  sql`update monitors set deleted_at = now(), next_run_at = null`.execute(db);

function rethrow(error: unknown): never {
  throw error;
}

/** Creates steps by the hours of one day. */
export function createSteps(stepper: Omit<RunStepper, 'close'>) {
  const two = (number: number) => String(number).padStart(2, '0');
  const at = (hour: number, minute = 15) => stepper.moveClock(`2026-11-20T${two(hour)}:${two(minute)}:00Z`);
  const last = async (ref: monitors.MonitorRef) => {
    const run = (await stepper.runsOf(ref)).at(-1);
    if (!run) throw new Error('there is no run');
    return run;
  };
  /** Starts the run of an hour, answers and ends it. */
  const runAt = async (
    hour: number,
    ref: monitors.MonitorRef,
    by: (input: InputOf) => Answer = () => httpAnswer(),
  ) => {
    await at(hour);
    await stepper.pass();
    await stepper.advanceAll();
    await stepper.answer(await last(ref), by);
    await stepper.advanceAll();
    return last(ref);
  };
  const eventNames = async (ref: monitors.MonitorRef) =>
    (await stepper.eventsOf(ref)).map(({ event }) => event);
  return { at, last, runAt, eventNames };
}

const usual: Omit<CreateMonitorInput, 'accountId' | 'subjectsMax'> = {
  type: 'http',
  name: 'Shop',
  sitemapUrl: null,
  schedule: { every: 'hour', at: '00:15', on: null, timezone: 'UTC' },
  options: {},
  stopWhen: null,
  notify: { when: 'changed', webhook_url: 'http://receiver.invalid/', email: false },
  rankThreshold: 3,
  confirmLosses: true,
  reference: null,
  tokenId: null,
  inputs: [{ url: 'https://example.com/1' }, { url: 'https://example.com/2' }],
};
