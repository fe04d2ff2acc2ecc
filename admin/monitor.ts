import type { Command } from 'commander';
import { createAllowance } from '../accounts/allowance.ts';
import * as accounts from '../db/accounts/accounts.ts';
import { createRequestIds } from '../db/batches/request-ids.ts';
import * as monitors from '../db/monitors/monitors.ts';
import { inTransaction } from '../db/postgres/connect.ts';
import { pauseMonitor } from '../monitors/monitor.ts';
import { prepareStart, startByHand } from '../monitors/run.ts';
import { ApiError } from '../process/api-error.ts';
import { monitorStatuses } from '../schemas/monitor-words.ts';
import { runBody } from '../wire/monitor-bodies.ts';
import { withBoss } from './boss.ts';
import type { AdminContext, Run } from './context.ts';
import { id, monitorId, oneOf } from './options.ts';

const listMax = 100;

interface Which {
  account: number;
  monitor: string;
}

export function addMonitorCommands(program: Command, run: Run): void {
  const monitor = program.command('monitor').description('checks that repeat');

  monitor
    .command('list')
    .description(`the newest ${listMax} monitors of an account: what they cost, and when they are due`)
    .requiredOption('--account <id>', 'whose', id)
    .option('--status <status>', monitorStatuses.join(', '), oneOf(monitorStatuses))
    .action(({ account, status }: { account: number; status?: (typeof monitorStatuses)[number] }) =>
      run(async ({ db }) => {
        if (!(await accounts.find(db, account))) throw new Error(`There is no account ${account}.`);
        return (await monitors.list(db, account, { status, limit: listMax })).map(lineOf);
      }),
    );

  monitor
    .command('run')
    .description('start a run now, charged like any; also of one that is paused')
    .requiredOption('--account <id>', 'whose', id)
    .requiredOption('--monitor <id>', 'which', monitorId)
    .action(({ account, monitor: which }: Which) =>
      run((context) => runNow(context, { accountId: account, monitorId: which })),
    );

  monitor
    .command('pause')
    .description('let it be due no more, until its owner resumes it; a run at work ends')
    .requiredOption('--account <id>', 'whose', id)
    .requiredOption('--monitor <id>', 'which', monitorId)
    .action(({ account, monitor: which }: Which) =>
      run(async ({ db }) =>
        lineOf(
          await found(
            inTransaction(db, (trx) => pauseMonitor(trx, { accountId: account, monitorId: which })),
          ),
        ),
      ),
    );
}

/** In the words of this tool where a caller of the API is told of its own. */
function found<T>(act: Promise<T>): Promise<T> {
  return act.catch((error) => {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
    throw new Error('This account has no such monitor; `monitor list` shows those it has.');
  });
}

async function runNow(context: AdminContext, ref: monitors.MonitorRef) {
  const { db, config } = context;
  if (!(await accounts.isOpen(db, ref.accountId)))
    throw new Error(`Account ${ref.accountId} is not there, or disabled: nothing of it runs.`);
  return withBoss(context, async (boss) => {
    const allowance = createAllowance(db, { isOff: config.web.rateLimitPerMinute === 0 });
    const { baseUrl } = config.web;
    const { mode: mail } = config.mail;
    const deps = { db, boss, allowance, mail, baseUrl, requestIds: createRequestIds(db) };
    const prepared = await found(prepareStart(deps, ref));
    const run = await found(inTransaction(db, (trx) => startByHand(trx, deps, prepared)));
    const { run_id, status, subjects, credits_charged } = runBody(run);
    return { run_id, status, subjects, credits_charged };
  });
}

/** What an operator asks of a monitor; the list alone, not what it checks. */
function lineOf(row: monitors.MonitorRow) {
  const { monitorId, name, type, status, pausedReason, subjects, nextRunAt, lastRunAt } = row;
  const { every, timezone } = row.schedule;
  return { monitorId, name, type, status, pausedReason, every, timezone, subjects, nextRunAt, lastRunAt };
}
