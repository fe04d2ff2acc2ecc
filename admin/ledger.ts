import type { Command } from 'commander';
import { findTouched, type LedgerFault, verify } from '../db/ledger/proofs.ts';
import type { Run } from './context.ts';

const recentDays = 2;

const remedies: Record<LedgerFault['what'], string> = {
  balance: 'Credits or entries of the account were changed past the ledger. Set both to its last entry.',
  running_sum: 'This entry or one before it was altered or is missing. Restore it from a backup.',
  batch_credits:
    'Charges less refunds of the batch are not its answers. Compare both with a backup and restore what differs.',
  batch_items: 'The counters of the batch are not those of its items. Restore what differs from a backup.',
  single_checks: 'The check was paid for and not answered, or the reverse. Compare it with a backup.',
};

export function addLedgerCommands(program: Command, run: Run): void {
  program
    .command('ledger')
    .description('the ledger')
    .command('verify')
    .description(
      `prove that every credit is accounted for: accounts of the last ${recentDays} days and those with an alarm, or all`,
    )
    .option('--all', 'every account')
    .action(({ all }: { all?: boolean }) =>
      run(async ({ db, fail }) => {
        const since = new Date(Date.now() - recentDays * 24 * 3600 * 1000);
        const found = await verify(db, all ? 'all' : await findTouched(db, since));
        if (!found.ok) fail();
        return { ...found, faults: found.faults.map((fault) => ({ ...fault, toDo: remedies[fault.what] })) };
      }),
    );
}
