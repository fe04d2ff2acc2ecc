import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { deliveryQueue } from '../../db/queue/queue.ts';
import { countOpen, type Stage, until } from './stage.ts';

const resumedWithinMs = 60_000;
const quietWithinMs = 150_000;

/** Whatever a death cut off has been taken up by somebody, before the database begins to fail. */
export async function expectResumed(stage: Stage): Promise<void> {
  const { witness } = stage.world;
  const isResumed = () => witness.waiting.length === 0;
  await until(stage, isResumed, {
    timeoutMs: resumedWithinMs,
    what: 'all that deaths cut off is taken up again',
  }).catch((error: Error) => stage.journal.complain(`${error.message}: ${witness.waiting.join(' ')}`));
}

/** Every batch final, every webhook answered, no job left. */
export async function expectQuiet(stage: Pick<Stage, 'database' | 'journal' | 'over'>): Promise<void> {
  const isQuiet = async () => {
    await hastenDeliveries(stage);
    return Object.values(await countOpen(stage)).every((count) => count === 0);
  };
  stage.journal.say('nothing more is asked for; what was begun is ended');
  const areBatchesFinal = async () => (await countOpen(stage)).batches === 0;
  await until(stage, areBatchesFinal, { timeoutMs: quietWithinMs, what: 'every batch ends' });
  await until(stage, isQuiet, { timeoutMs: quietWithinMs, what: 'everything ends' });
  await sleep(500);
}

/**
 * Deliveries that failed twice, or that wait for room in an allowance, wait for minutes, which a run has not: for them
 * the time has come, as often as they are put off.
 */
async function hastenDeliveries({ database }: Pick<Stage, 'database'>): Promise<void> {
  await sql`
    update pgboss.job set start_after = now()
    where name = ${deliveryQueue} and state < 'active' and start_after > now()`.execute(database.db);
}
