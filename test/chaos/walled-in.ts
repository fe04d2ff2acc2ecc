import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { type Member, walledIn } from './crew.ts';
import { terminate } from './deaths.ts';
import { hasBatchEnded, hastenRetries, type Stage, until } from './stage.ts';

const aloneMs = 12_000;
/** Maximum refunds by the worker before it doubts its network. */
const refundedMax = 40;

/**
 * Starts a worker without a network, alone with the queue: it reaches only Postgres, over a Unix socket. The worker
 * must not report answers. It must not refund items that other workers can check. Then others must return the right
 * answers.
 */
export async function workWithoutRoute(stage: Stage, workers: Member[]): Promise<Member[]> {
  const { journal, crew, prober } = stage;
  const refusal = await whyNoNamespaces();
  if (refusal) {
    journal.note(`skipped: a worker without a route (network namespaces are not available: ${refusal})`);
    return workers;
  }
  await Promise.all(workers.map((worker) => terminate(stage, worker)));
  const lone = await crew.start('worker', null, { isWalledIn: true });
  journal.say(`${lone.name} alone in a network namespace without a route`);
  const batches = [];
  for (const type of ['http', 'http', 'index', 'keyword'] as const) {
    batches.push(await prober.submit(stage.nextBatch(), { type, receiver: null }));
  }
  await sleep(aloneMs, undefined, { signal: stage.over });
  const ids = batches.map(({ batchId }) => batchId);
  const { answered, failed } = await countItems(stage, ids);
  if (answered > 0) journal.complain(`a worker without a route reported ${answered} answers`);
  if (failed > refundedMax) journal.complain(`a worker without a route refunded ${failed} items`);
  await terminate(stage, lone);
  const next = await Promise.all(workers.map(() => crew.start('worker')));
  for (const id of ids) {
    const hasEnded = async () => {
      await hastenRetries(stage);
      return hasBatchEnded(stage, id);
    };
    await until(stage, hasEnded, { timeoutMs: 90_000, what: 'work left by it ends' });
  }
  const later = await countItems(stage, ids);
  journal.note(
    `a worker without a route, alone for ${aloneMs / 1000} s: 0 answers, ${failed} refunded; then others answered ${later.answered}`,
  );
  return next;
}

async function countItems(
  { database }: Stage,
  batchIds: string[],
): Promise<{ answered: number; failed: number }> {
  const { rows } = await sql<{ answered: number; failed: number }>`
    select count(*) filter (where state = 'success') as answered, count(*) filter (where state = 'failed') as failed
    from items where batch_id = any(${batchIds}::uuid[])`.execute(database.db);
  return rows[0] ?? { answered: 0, failed: 0 };
}

/** Returns why network namespaces are not available; null if they are. */
async function whyNoNamespaces(): Promise<string | null> {
  const [command = '', ...args] = [...walledIn, 'true'];
  return promisify(execFile)(command, args).then(
    () => null,
    (error: Error) => error.message.trim().split('\n').at(-1) ?? error.name,
  );
}
