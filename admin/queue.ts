import type { Command } from 'commander';
import { countWork } from '../db/queue/job-windows.ts';
import { purge } from '../upkeep/retention.ts';
import type { RunCommand } from './context.ts';

export function addQueueCommands(program: Command, run: RunCommand): void {
  program
    .command('queue')
    .description('queued work')
    .command('status')
    .description('count jobs by queue and state, and chunks that have no job yet')
    .action(() => run(({ db }) => countWork(db)));

  program
    .command('purge')
    .description('delete all data that is older than RETENTION_DAYS now')
    .action(() => run(({ db, config }) => purge(db, config.retention)));
}
