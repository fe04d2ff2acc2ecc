import type { PgBoss } from 'pg-boss';
import { createBoss } from '../db/queue/queue.ts';
import type { AdminContext } from './context.ts';

/** Starts pg-boss, runs one action that enqueues jobs, and stops pg-boss. */
export async function withBoss<T>(
  { config }: Pick<AdminContext, 'config'>,
  callback: (boss: PgBoss) => Promise<T>,
): Promise<T> {
  const { url, backend } = config.database;
  const boss = createBoss({ url, backend, max: 1, role: 'web' });
  try {
    await boss.start();
    return await callback(boss);
  } finally {
    await boss.stop({ graceful: false });
  }
}
