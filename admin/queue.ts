import type { Command } from 'commander';
import { countJobs } from '../db/queue.ts';
import { purge } from '../db/retention.ts';
import type { Run } from './main.ts';

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
        const total = { batches: 0, singleChecks: 0, idempotencyKeys: 0 };
        while (true) {
          const step = await purge(db, config.retention.days);
          total.batches += step.batches;
          total.singleChecks += step.singleChecks;
          total.idempotencyKeys += step.idempotencyKeys;
          if (step.batches + step.singleChecks + step.idempotencyKeys === 0) return total;
        }
      }),
    );
}
