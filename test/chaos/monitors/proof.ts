import { sql } from 'kysely';
import type { Db } from '../../../db/postgres/connect.ts';
import { jobProblems, ledgerProblems, settlementProblems, some } from '../proof.ts';
import type { Received } from '../world.ts';
import type { Owner } from './owner.ts';

/** A due time that came to all monitors, and how their runs of it must be. */
export interface Due {
  at: Date;
  isLate: boolean;
  /** How many due times after it went by with it, for which there is to be no other run. */
  missed: number;
}

/** What the records say, and what in them is not as it was promised. */
export interface MonitorProof {
  problems: string[];
  dueTimes: number;
  runs: number;
  byHand: number;
  late: number;
  overlaps: number;
  told: number;
  received: number;
  charged: number;
}

interface Run {
  runId: string;
  monitorId: string;
  dueAt: Date | null;
  late: boolean;
  status: string;
  reason: string | null;
  batchIds: string[];
  subjects: number;
  creditsCharged: number;
}

/** Holds every due time of every monitor against its runs, and each run against its charge and its message. */
export async function prove(
  db: Db,
  owners: Owner[],
  dues: Due[],
  received: Map<string, Received>,
): Promise<MonitorProof> {
  const runs = await db
    .selectFrom('monitorRuns')
    .select([
      'runId',
      'monitorId',
      'dueAt',
      'late',
      'status',
      'reason',
      'batchIds',
      'subjects',
      'creditsCharged',
    ])
    .execute();
  const watched = owners.flatMap(({ monitors }) => monitors);
  const messages = await db.selectFrom('events').select(['messageId', 'monitorId']).execute();
  const seen = new Set([...received.values()].flatMap(({ ids }) => [...ids]));
  const problems = [
    ...owners.flatMap(({ complaints }) => complaints),
    ...some(
      dueProblems(
        runs,
        watched.map(({ monitorId }) => monitorId),
        dues,
      ),
      (problem) => problem,
    ),
    ...some(
      handProblems(
        runs,
        owners.flatMap(({ promised }) => promised),
      ),
      (problem) => problem,
    ),
    ...some(await batchProblems(db, runs), (problem) => problem),
    ...some(
      messageProblems(
        runs,
        messages.map(({ messageId }) => messageId),
        seen,
      ),
      (problem) => problem,
    ),
    ...(await deliveryProblems(db)),
    ...(await ledgerProblems(db)),
    ...(await settlementProblems(db)),
    ...(await jobProblems(db)),
  ];
  return {
    problems,
    dueTimes: dues.length * watched.length,
    runs: runs.length,
    byHand: runs.filter(({ dueAt }) => dueAt === null).length,
    late: runs.filter(({ late }) => late).length,
    overlaps: runs.filter(({ reason }) => reason === 'overlap').length,
    told: messages.length,
    received: [...received.values()].reduce((sum, { times }) => sum + times, 0),
    charged: runs.reduce((sum, { creditsCharged }) => sum + creditsCharged, 0),
  };
}

/** Each due time of each monitor has one run, or one that says why not; what nobody was there for has none. */
function dueProblems(runs: Run[], monitorIds: string[], dues: Due[]): string[] {
  const problems: string[] = [];
  const expected = new Set(dues.map(({ at }) => at.getTime()));
  for (const monitorId of monitorIds) {
    const own = runs.filter((run) => run.monitorId === monitorId && run.dueAt !== null);
    for (const { at, isLate } of dues) {
      const found = own.filter(({ dueAt }) => dueAt?.getTime() === at.getTime());
      const what = `monitor ${monitorId} at ${at.toISOString()}`;
      if (found.length !== 1) problems.push(`${what} has ${found.length} runs`);
      for (const { status, reason, late } of found) {
        if (late !== isLate) problems.push(`${what} is ${late ? '' : 'not '}late`);
        if (reason !== null && reason !== 'overlap') problems.push(`${what} was skipped: ${reason}`);
        if (status !== 'completed' && status !== 'skipped') problems.push(`${what} ended as ${status}`);
      }
    }
    for (const { dueAt } of own)
      if (!expected.has(dueAt?.getTime() ?? 0))
        problems.push(`monitor ${monitorId} has a run for ${dueAt?.toISOString()}, when none was due`);
  }
  return problems;
}

/** Every run by hand that was promised is there, and none that nobody was promised. */
function handProblems(runs: Run[], promised: string[]): string[] {
  const found = new Set(runs.filter(({ dueAt }) => dueAt === null).map(({ runId }) => runId));
  const wanted = new Set(promised);
  return [
    ...[...wanted].filter((id) => !found.has(id)).map((id) => `run ${id} was promised and is not there`),
    ...[...found].filter((id) => !wanted.has(id)).map((id) => `run ${id} was begun and promised to nobody`),
    ...(wanted.size === promised.length ? [] : ['one run was promised for two']),
  ];
}

/** Each batch is of one run, and each run that began has the batch it paid for, ended. */
async function batchProblems(db: Db, runs: Run[]): Promise<string[]> {
  const batches = await db
    .selectFrom('batches')
    .select(['batchId', 'runId', 'total', 'completedAt'])
    .execute();
  const of = new Map(batches.map((batch) => [batch.batchId, batch]));
  const begun = runs.filter(({ status }) => status !== 'skipped');
  const wrong = begun.flatMap(({ runId, batchIds, subjects, creditsCharged }) => {
    const own = batchIds.map((id) => of.get(id));
    const isWhole = own.every((batch) => batch?.runId === runId && batch.completedAt !== null);
    const total = own.reduce((sum, batch) => sum + (batch?.total ?? 0), 0);
    return isWhole && total === subjects && total === creditsCharged
      ? []
      : [`run ${runId} is not what it paid for`];
  });
  if (batches.length !== begun.length) wrong.push(`${batches.length} batches for ${begun.length} runs`);
  return wrong;
}

/** Every run was told once, under its own message id, and every message was received. */
function messageProblems(runs: Run[], messages: string[], seen: Set<string>): string[] {
  const expected = new Set(
    runs.map(({ runId, status }) => (status === 'skipped' ? `msg_${runId}_skipped` : `msg_${runId}`)),
  );
  const owed = new Set(messages);
  return [
    ...[...expected].filter((id) => !owed.has(id)).map((id) => `${id} was not owed`),
    ...[...owed].filter((id) => !expected.has(id)).map((id) => `${id} was owed for nothing`),
    ...[...owed].filter((id) => !seen.has(id)).map((id) => `${id} was never received`),
    ...[...seen].filter((id) => !owed.has(id)).map((id) => `${id} was received and never owed`),
  ];
}

async function deliveryProblems(db: Db): Promise<string[]> {
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*) as count from deliveries where state <> 'delivered' group by state`.execute(db);
  return rows.map(({ state, count }) => `${count} deliveries are ${state}`);
}
