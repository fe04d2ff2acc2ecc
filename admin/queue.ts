import type { Command } from 'commander';
import { countWork } from '../db/queue/windows.ts';
import { purge } from '../upkeep/retention.ts';
import type { Run } from './context.ts';

export function addQueueCommands(program: Command, run: Run): void {
  program
    .command('queue')
    .description('the work that waits')
    .command('status')
    .description('jobs by queue and state, and chunks that wait to be jobs')
    .action(() => run(({ db }) => countWork(db)));

  program
    .command('purge')
    .description('delete now what has been kept long enough (RETENTION_DAYS)')
    .action(() => run(({ db, config }) => purge(db, config.retention)));
}
