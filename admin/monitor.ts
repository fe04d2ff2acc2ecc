import type { Command } from 'commander';
import { createAllowance } from '../accounts/allowance.ts';
import * as accounts from '../db/accounts/accounts.ts';
import { createRequestIds } from '../db/batches/request-ids.ts';
import * as monitors from '../db/monitors/monitors.ts';
import { inTransaction } from '../db/postgres/connect.ts';
import { pauseMonitor } from '../monitors/monitor.ts';
import { prepareManualRun, startManualRun } from '../monitors/run.ts';
import { ApiError } from '../process/api-error.ts';
import { monitorStatuses } from '../schemas/monitor-types.ts';
import { runBody } from '../wire/monitor-bodies.ts';
import { withBoss } from './boss.ts';
import type { AdminContext, RunCommand } from './context.ts';
import { createEnumParser, parseId, parseMonitorId } from './options.ts';

const listMax = 100;

interface MonitorOptions {
  account: number;
  monitor: string;
}

export function addMonitorCommands(program: Command, run: RunCommand): void {
  const monitor = program.command('monitor').description('recurring checks');

  monitor
    .command('list')
    .description(`list the newest ${listMax} monitors of an account with their size and next run`)
    .requiredOption('--account <id>', 'account id', parseId)
    .option('--status <status>', monitorStatuses.join(', '), createEnumParser(monitorStatuses))
    .action(({ account, status }: { account: number; status?: (typeof monitorStatuses)[number] }) =>
      run(async ({ db }) => {
        if (!(await accounts.exists(db, account))) throw new Error(`Account ${account} does not exist.`);
        return (await monitors.list(db, account, { status, limit: listMax })).map(toMonitorRow);
      }),
    );

  monitor
    .command('run')
    .description('start a run now; the monitor may be paused. Charged like any run')
    .requiredOption('--account <id>', 'account id', parseId)
    .requiredOption('--monitor <id>', 'monitor id', parseMonitorId)
    .action(({ account, monitor: monitorId }: MonitorOptions) =>
      run((context) => runNow(context, { accountId: account, monitorId })),
    );

  monitor
    .command('pause')
    .description('pause a monitor until an owner or member resumes it; a current run continues to its end')
    .requiredOption('--account <id>', 'account id', parseId)
    .requiredOption('--monitor <id>', 'monitor id', parseMonitorId)
    .action(({ account: accountId, monitor: monitorId }: MonitorOptions) =>
      run(async ({ db }) => {
        const paused = inTransaction(db, (trx) => pauseMonitor(trx, { accountId, monitorId }));
        return toMonitorRow(await explainNotFound(paused));
      }),
    );
}

/** Replaces the API's `not_found` with a message for the operator. */
function explainNotFound<T>(result: Promise<T>): Promise<T> {
  return result.catch((error) => {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
    throw new Error('The account has no monitor with this id. `monitor list` shows its monitors.');
  });
}

async function runNow(context: AdminContext, ref: monitors.MonitorRef) {
  const { db, config } = context;
  if (!(await accounts.isOpen(db, ref.accountId)))
    throw new Error(`Account ${ref.accountId} does not exist or is disabled.`);
  return withBoss(context, async (boss) => {
    const allowance = createAllowance(db, { isOff: config.web.rateLimitPerMinute === 0 });
    const { baseUrl } = config.web;
    const { mode: mail } = config.mail;
    const deps = { db, boss, allowance, mail, baseUrl, requestIds: createRequestIds(db) };
    const prepared = await explainNotFound(prepareManualRun(deps, ref));
    const run = await explainNotFound(inTransaction(db, (trx) => startManualRun(trx, deps, prepared)));
    const { run_id, status, subjects, credits_charged } = runBody(run);
    return { run_id, status, subjects, credits_charged };
  });
}

function toMonitorRow(row: monitors.MonitorRow) {
  const { monitorId, name, type, status, pausedReason, subjects, nextRunAt, lastRunAt } = row;
  const { every, timezone } = row.schedule;
  return { monitorId, name, type, status, pausedReason, every, timezone, subjects, nextRunAt, lastRunAt };
}
