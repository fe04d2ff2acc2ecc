import { sql } from 'kysely';
import type { Client } from './client.ts';
import type { Crew } from './crew.ts';
import type { Customer } from './customer.ts';
import type { ChaosDatabase } from './database.ts';
import type { Journal } from './journal.ts';
import type { Plan, Scale } from './plan.ts';
import type { World } from './world.ts';

/** The parts that each step of the run may use. */
export interface Stage {
  journal: Journal;
  /** Aborts at the end of the run: at its time limit or on Ctrl-C. */
  over: AbortSignal;
  world: World;
  database: ChaosDatabase;
  crew: Crew;
  client: Client;
  plan: Plan;
  scale: Scale;
  customers: Customer[];
  /** Customer for the checks of the run itself. */
  prober: Customer;
  nextBatch: () => number;
}

/** Polls until the condition is true; rejects at the end of the run or the time limit. Errors are retried. */
export async function until(
  { over }: Pick<Stage, 'over'>,
  isSo: () => Promise<boolean> | boolean,
  { timeoutMs, what }: { timeoutMs: number; what: string },
): Promise<void> {
  const begunMs = performance.now();
  while (!(await Promise.resolve(isSo()).catch(() => false))) {
    over.throwIfAborted();
    const elapsedMs = performance.now() - begunMs;
    if (elapsedMs > timeoutMs) throw new Error(`timed out after ${timeoutMs / 1000} s: ${what}`);
    const pauseMs = Math.max(50, Math.min(elapsedMs / 10, 500));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

export async function hasBatchEnded({ database }: Stage, batchId: string): Promise<boolean> {
  const row = await database.db
    .selectFrom('batches')
    .select('completedAt')
    .where('batchId', '=', batchId)
    .executeTakeFirst();
  return row?.completedAt != null;
}

/** Makes retries start within ten seconds. Checks and deliveries that failed several times wait for minutes. */
export async function hastenRetries({ database }: Pick<Stage, 'database'>): Promise<void> {
  await sql`
    update pgboss.job set start_after = now() + interval '10 seconds'
    where state < 'active' and start_after > now() + interval '10 seconds'`.execute(database.db);
}

/** Counts unfinished batches, single checks and runs, pending deliveries and jobs. */
export async function countOpen({ database }: Pick<Stage, 'database'>): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from batches where completed_at is null) as batches,
      (select count(*) from chunks where batch_id is null and settled < size) as singles,
      (select count(*) from monitor_runs where finished_at is null) as runs,
      (select count(*) from deliveries where state = 'pending') as deliveries,
      (select count(*) from pgboss.job where state < 'completed') as jobs`.execute(database.db);
  return rows[0] ?? {};
}
