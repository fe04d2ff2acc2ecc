import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { toHttpTally as tallyOfStatus } from '../../checks/http/http-status.ts';
import { toRankTally as tallyOfRank } from '../../checks/search/rank-check.ts';
import * as monitors from '../../db/monitors/monitors.ts';
import * as subjects from '../../db/monitors/subjects.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { type RunResults, recordResults } from '../../monitors/record-results.ts';
import type { AnswerOf, CheckType, InputOf } from '../../schemas/check-types.ts';
import { batchSizeMax } from '../../schemas/common.ts';
import type { Records } from './records.ts';

/** A monitor whose results a test sets, without a service. */
export interface Monitored<T extends CheckType> {
  accountId: number;
  monitorId: string;
  subjects: subjects.Subject[];
  /**
   * Records a run with these answers; null: a failed check. `confirms`: the run whose losses it confirms.
   * `changed`: the inputs in the same order, if the list was edited.
   */
  run(
    at: Date,
    answers: Array<AnswerOf<T> | null>,
    of?: { confirms?: string; only?: number[]; changed?: InputOf<T>[] },
  ): Promise<RunResults & { runId: string; batchIds: string[]; settledMs: number }>;
}

let lastRequestId = 1_000_000;

/** Creates a monitor with its subjects. */
export async function monitored<T extends CheckType>(
  { db }: Pick<Records, 'db'>,
  accountId: number,
  type: T,
  inputs: InputOf<T>[],
  { rankThreshold = 3, confirmLosses = true } = {},
): Promise<Monitored<T>> {
  const ref = { accountId, monitorId: randomUUID() };
  await inTransaction(db, async (trx) => {
    await monitors.create(trx, {
      ...ref,
      type,
      name: 'Shop',
      sitemapUrl: null,
      schedule: { every: 'day', at: null, on: null, timezone: 'UTC' },
      options: {},
      stopWhen: null,
      notify: { when: 'changed', webhook_url: null, email: false },
      rankThreshold,
      confirmLosses,
      subjectsMax: 10_000,
      reference: null,
      subjects: inputs.length,
      nextRunAt: new Date(),
      sitemapReadAt: null,
      tokenId: null,
    });
    await subjects.replace(trx, ref, { inputs, removalReason: 'removed', runId: null });
  });
  const known = await subjects.listCurrent(db, ref);
  return {
    ...ref,
    subjects: known,
    run: async (at, answers, { confirms, only, changed = inputs } = {}) => {
      const runId = randomUUID();
      const asked = changed
        .map((input, place) => ({ input, outcome: answers[place] ?? null, subject: known[place] }))
        .filter(({ subject }) => !only || only.includes(subject?.subjectId ?? 0));
      const batchIds: string[] = [];
      for (let first = 0; first < asked.length; first += batchSizeMax)
        batchIds.push(
          await storeBatch(db, { ...ref, type, runId }, asked.slice(first, first + batchSizeMax)),
        );
      const run = { runId, confirms: confirms ?? null, startedAt: at, batchIds };
      const monitor = { ...ref, type, rankThreshold, confirmLosses };
      const startedMs = performance.now();
      const results = await inTransaction(db, (trx) => recordResults(trx, monitor, run));
      return { runId, batchIds, settledMs: performance.now() - startedMs, ...results };
    },
  };
}

/** Stores an ended batch of a run. */
async function storeBatch(
  db: Records['db'],
  {
    accountId,
    monitorId,
    type,
    runId,
  }: { accountId: number; monitorId: string; type: CheckType; runId: string },
  asked: Array<{ input: object; outcome: object | null }>,
): Promise<string> {
  const batchId = randomUUID();
  const failed = asked.filter(({ outcome }) => outcome === null).length;
  const summary = summaryOf(
    type,
    asked.flatMap(({ outcome }) => outcome ?? []),
  );
  const status = failed === 0 ? 'completed' : failed === asked.length ? 'failed' : 'partial';
  await sql`
    insert into batches (account_id, batch_id, monitor_id, run_id, submission_id, name, type, first_request_id, total,
      successful, failed, summary, status, started_at, completed_at)
    select ${accountId}, ${batchId}, monitor_id, ${runId}, ${runId}, name, ${type}, ${lastRequestId + 1}, ${asked.length},
      ${asked.length - failed}, ${failed}, ${JSON.stringify(summary)}::jsonb, ${status}, now(), now()
    from monitors where account_id = ${accountId} and monitor_id = ${monitorId}`.execute(db);
  const rows = asked.map(({ input, outcome }, position) => {
    lastRequestId += 1;
    return { request_id: lastRequestId, position, input, outcome };
  });
  await sql`
    insert into items (account_id, request_id, batch_id, position, type, state, input, outcome, error)
    select ${accountId}, request_id, ${batchId}, position, ${type},
      case when outcome is null then 'failed' else 'success' end, input, outcome,
      case when outcome is null then 'checker_failed' end
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as row (request_id bigint, position int, input json, outcome json)`.execute(db);
  return batchId;
}

/** Returns the summary of a batch with these answers. */
export function summaryOf(type: CheckType, answers: object[]): Record<string, number> {
  const summary: Record<string, number> = {};
  for (const word of answers.flatMap((answer) => tallies[type](answer as never))) {
    summary[word] = (summary[word] ?? 0) + 1;
  }
  return summary;
}

const tallies: { [T in CheckType]: (answer: AnswerOf<T>) => string[] } = {
  http: tallyOfStatus,
  index: ({ is_indexed: isIndexed }) => [isIndexed ? 'indexed' : 'not_indexed'],
  keyword: tallyOfRank,
};
