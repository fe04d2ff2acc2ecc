import { randomUUID } from 'node:crypto';
import { toHttpTally as tallyOfStatus } from '../../checks/http/http-status.ts';
import { toRankTally as tallyOfRank } from '../../checks/search/rank-check.ts';
import * as monitors from '../../db/monitors/monitors.ts';
import * as subjects from '../../db/monitors/subjects.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { type RunResults, recordResults } from '../../monitors/record-results.ts';
import type { AnswerOf, CheckType, InputOf } from '../../schemas/check-types.ts';
import { batchSizeMax } from '../../schemas/common.ts';
import { storeBatch } from './ended-batch.ts';
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

/** Creates a monitor with its subjects. */
export async function monitored<T extends CheckType>(
  { db }: Pick<Records, 'db'>,
  accountId: number,
  type: T,
  inputs: InputOf<T>[],
  { rankThreshold = 3, confirmLosses = true } = {},
): Promise<Monitored<T>> {
  const ref = { accountId, monitorId: randomUUID() };
  const schedule = { every: 'day', at: null, on: null, timezone: 'UTC' } as const;
  await inTransaction(db, async (trx) => {
    await monitors.create(trx, {
      ...ref,
      type,
      name: 'Shop',
      sitemapUrl: null,
      schedule,
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
      for (let first = 0; first < asked.length; first += batchSizeMax) {
        const entries = asked
          .slice(first, first + batchSizeMax)
          .map(({ input, outcome }): [object, object | null] => [input, outcome]);
        const summary = summaryOf(
          type,
          entries.flatMap(([, outcome]) => outcome ?? []),
        );
        const run = { monitorId: ref.monitorId, runId, name: 'Shop' };
        batchIds.push(await storeBatch({ db }, { accountId, type, entries, summary, run }));
      }
      const run = { runId, confirms: confirms ?? null, startedAt: at, batchIds };
      const monitor = { ...ref, type, schedule, rankThreshold, confirmLosses };
      const startedMs = performance.now();
      const results = await inTransaction(db, (trx) => recordResults(trx, monitor, run));
      return { runId, batchIds, settledMs: performance.now() - startedMs, ...results };
    },
  };
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
