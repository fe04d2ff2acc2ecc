import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { sweepOrphans } from '../../upkeep/sweep.ts';
import { createTestBoss } from '../support/boss.ts';
import { terminate } from './deaths.ts';
import { type Stage, until } from './stage.ts';

const key = 'frozen';
/** A check is abandoned 35 s after its creation, and the sweep comes every 15 s; leaves room for a busy machine. */
const settledWithinSeconds = [35, 58] as const;

/**
 * Freezes a web process during a single check. The sweep must refund the credit. The process, when it continues,
 * must answer 503, and the same request to another process must get its answer.
 */
export async function freezeWebInCheck(stage: Stage, forMs: number | null): Promise<void> {
  const { crew, client, prober, world, journal } = stage;
  const member = await crew.start('web', null, { isPublic: false });
  const question = { url: `http://127.0.0.1:${world.sitePort}/slow/frozen` };
  const call = client.send(member, prober.token, '/http-status', question, key);
  call.catch(() => {});
  const isChecking = () => world.witness.inFlight(member.name) > 0;
  await until(stage, isChecking, { timeoutMs: 10_000, what: 'a single check is in flight' });
  member.kill('SIGSTOP');
  journal.say(`${member.name} frozen in a single check${forMs ? ` for ${forMs / 1000} s` : ''}`);
  try {
    if (forMs === null) await sweepAsIfLater(stage);
    else await sleep(forMs, undefined, { signal: stage.over });
    await expectSettled(stage, forMs !== null);
  } finally {
    member.kill('SIGCONT');
  }
  const { status, body } = await call;
  if (status !== 503) journal.complain(`the frozen check was answered ${status} ${JSON.stringify(body)}`);
  prober.noteSingle(await client.post(prober.token, '/http-status', question, key), '/http-status');
  await terminate(stage, member);
}

async function expectSettled({ database, prober, journal }: Stage, isOnTime: boolean): Promise<void> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from checked_at - created_at)::float as seconds
    from items join chunks on chunks.account_id = items.account_id and chunk_id = request_id
    where items.account_id = ${prober.accountId} and items.batch_id is null and state = 'failed'`.execute(
    database.db,
  );
  const seconds = rows[0]?.seconds;
  if (seconds === undefined)
    return journal.complain('the sweep did not settle the check of a frozen process');
  if (!isOnTime) return;
  journal.note(`a check of a web process stopped in the middle was settled after ${seconds.toFixed(1)} s`);
  const [least, most] = settledWithinSeconds;
  if (seconds < least || seconds > most) journal.complain(`the sweep settled a check after ${seconds} s`);
}

/** Makes running single checks look old, and sweeps: for a run that is shorter than 35 s. */
export async function sweepAsIfLater({
  database,
  journal,
}: Pick<Stage, 'database' | 'journal'>): Promise<void> {
  await sql`
    update chunks set created_at = now() - interval '36 seconds'
    where batch_id is null and settled < size`.execute(database.db);
  const boss = createTestBoss({ url: database.postgres.url, backend: 'postgres', max: 1, role: 'web' });
  await boss.start();
  const complain = (error: unknown) => journal.complain(`the sweep: ${error}`);
  await sweepOrphans(database.db, boss, complain).finally(() => boss.stop({ graceful: false }));
}
