import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { DB } from './tables.ts';

const pauseMs = 500;

/**
 * Acts while nobody else acts under the same id, by a lock that a session holds, which must not go by a pooler. Calls
 * `waits` once where somebody does, and asks again and again: whoever waits in a statement is waited for by who makes
 * an index.
 */
export async function alone<T>(
  session: Kysely<DB>,
  id: number,
  act: () => Promise<T>,
  waits: () => void,
): Promise<T> {
  for (let tries = 1; !(await isOurs(session, id)); tries++) {
    if (tries === 1) waits();
    await sleep(pauseMs);
  }
  try {
    return await act();
  } finally {
    await sql`select pg_advisory_unlock(${id})`.execute(session);
  }
}

async function isOurs(session: Kysely<DB>, id: number): Promise<boolean> {
  const { rows } = await sql<{ ours: boolean }>`select pg_try_advisory_lock(${id}) as ours`.execute(session);
  return rows[0]?.ours ?? false;
}
