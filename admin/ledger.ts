import type { Command } from 'commander';
import { findChanged, type LedgerFault, verify } from '../db/ledger/verification.ts';
import type { RunCommand } from './context.ts';

const recentDays = 2;

const remedies: Record<LedgerFault['what'], string> = {
  balance:
    'The balance or the number of entries of the account does not match its last entry. Set both from that entry.',
  running_sum: 'This entry or an earlier one was changed or is missing. Restore it from a backup.',
  batch_credits:
    'Charges minus refunds of the batch do not match its answers. Compare both with a backup and restore the difference.',
  batch_items: 'The counters of the batch do not match its items. Restore the difference from a backup.',
  single_checks: 'The check has a charge or an answer, but not both. Compare it with a backup.',
};

export function addLedgerCommands(program: Command, run: RunCommand): void {
  program
    .command('ledger')
    .description('the ledger')
    .command('verify')
    .description(
      `check that every credit is accounted for, in accounts with changes in the last ${recentDays} days or a known fault`,
    )
    .option('--all', 'check all accounts')
    .action(({ all }: { all?: boolean }) =>
      run(async ({ db, setFailed }) => {
        const since = new Date(Date.now() - recentDays * 24 * 3600 * 1000);
        const found = await verify(db, all ? 'all' : await findChanged(db, since));
        if (!found.ok) setFailed();
        return { ...found, faults: found.faults.map((fault) => ({ ...fault, toDo: remedies[fault.what] })) };
      }),
    );
}
