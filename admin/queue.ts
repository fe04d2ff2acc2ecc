import type { Command } from 'commander';
import { countJobs } from '../db/queue.ts';
import { purge } from '../upkeep/retention.ts';
import type { Run } from './context.ts';

export function addQueueCommands(program: Command, run: Run): void {
  program
    .command('queue')
    .description('the work that waits')
    .command('status')
    .description('jobs by queue and state')
    .action(() => run(({ db }) => countJobs(db)));

  program
    .command('purge')
    .description('delete now what has been kept long enough (RETENTION_DAYS)')
    .action(() =>
      run(async ({ db, config }) => {
        const total: Record<string, number> = {};
        while (true) {
          const step = await purge(db, config.retention);
          for (const [what, count] of Object.entries(step)) total[what] = (total[what] ?? 0) + count;
          if (Object.values(step).every((count) => count === 0)) return total;
        }
      }),
    );
}
