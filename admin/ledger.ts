import type { Command } from 'commander';
import { touchedSince } from '../db/ledger/ledger-verify.ts';
import { reportLedger } from '../upkeep/ledger-report.ts';
import type { Run } from './context.ts';

const recentDays = 2;

export function addLedgerCommands(program: Command, run: Run): void {
  program
    .command('ledger')
    .description('the books')
    .command('verify')
    .description(
      `prove that every credit is accounted for; accounts of the last ${recentDays} days, or all; names every fault on record, and how far the pass over everything is`,
    )
    .option('--all', 'every account')
    .action(({ all }: { all?: boolean }) =>
      run(async ({ db, fail }) => {
        const since = new Date(Date.now() - recentDays * 24 * 3600 * 1000);
        const report = await reportLedger(db, all ? 'all' : await touchedSince(db, since));
        if (!report.ok) fail();
        return report;
      }),
    );
}
